import type { z } from 'zod';
import {
  bareOrigins,
  baseUrl,
  bucketName,
  credential,
  databaseUrl,
  fileHosts,
  flag,
  host,
  httpUrl,
  list,
  logLevel,
  number,
  pluginVersions,
  port,
  proxies,
  publicKeys,
  redisUrl,
  secondsAsMs,
  secret,
  secretList,
  text,
} from './config-values.ts';

/**
 * Every variable of the environment, by the name of its field in the configuration, which says the unit that the field
 * holds. `docs/configuration.md` and `.env.example` are generated from this table (`npm run docs`). Long because it
 * is one table.
 */

export interface Variable {
  /** In the environment. */
  name: string;
  schema: z.ZodType;
  /** The text of the table in the documents. */
  meaning: string;
  default?: string;
  /** `npm start` refuses to run without it. */
  required?: true;
  /** A value for `.env.example`. */
  example?: string;
}

const variable = <S extends z.ZodType, const A extends Omit<Variable, 'name' | 'schema'>>(
  name: string,
  schema: S,
  about: A,
) => ({ name, schema, ...about });

/** A time that is given in seconds; the field holds milliseconds. */
const seconds = (name: string, meaning: string, standard: string) =>
  variable(name, secondsAsMs, { meaning, default: standard });

export const variables = {
  port: variable('PORT', port, {
    meaning: 'Port of the listener; REST and socket share it. `0` takes a free one and logs it.',
    default: '3000',
  }),
  host: variable('HOST', host, { meaning: 'Address of the listener.', default: '0.0.0.0' }),
  baseUrl: variable('BASE_URL', baseUrl, {
    meaning: 'Public base address; `http:` gets a warning unless it is this machine’s own.',
    required: true,
    example: 'https://matches.change-me.example',
  }),
  databaseUrl: variable('DATABASE_URL', databaseUrl, {
    meaning: 'PostgreSQL. The local stack starts an embedded one instead.',
    required: true,
    example: 'postgresql://matches:change-me@localhost:5432/matches',
  }),
  redisUrl: variable('REDIS_URL', redisUrl, {
    meaning:
      'Redis or Valkey, 7 or newer, for several nodes: limits are shared and nodes hear of each other at once. Unset, or while it does not answer: limits count per node, and nodes ask the database.',
  }),
  storageDir: variable('STORAGE_DIR', text, {
    meaning:
      'Folder of plugin releases, replays and covers of maps; with `S3_BUCKET` only of uploads while they arrive. Several nodes without a bucket share it.',
    default: './data/storage',
  }),
  s3Bucket: variable('S3_BUCKET', bucketName, {
    meaning:
      'Bucket of an S3-compatible object storage for these files, instead of the disk: its name, or the ARN of an access point.',
  }),
  s3Endpoint: variable('S3_ENDPOINT', httpUrl, { meaning: 'Its address; unset: AWS.' }),
  s3Region: variable('S3_REGION', text, { meaning: 'Its region.', default: 'us-east-1' }),
  s3AccessKeyId: variable('S3_ACCESS_KEY_ID', text, {
    meaning:
      'Key to it, with `S3_SECRET_ACCESS_KEY`; both unset: what the AWS SDK finds, such as the role of the machine.',
  }),
  s3SecretAccessKey: variable('S3_SECRET_ACCESS_KEY', text, { meaning: 'Secret of that key.' }),
  s3PathStyle: variable('S3_PATH_STYLE', flag, {
    meaning:
      '`true`: the bucket stands in the path of an address, `false`: in its host name; unset: `true` with `S3_ENDPOINT`.',
  }),
  idpAuthorizeUrl: variable('IDP_AUTHORIZE_URL', httpUrl, {
    meaning: 'Identity provider: where a login begins.',
    required: true,
    example: 'https://id.change-me.example/authorize',
  }),
  idpTokenUrl: variable('IDP_TOKEN_URL', httpUrl, {
    meaning: 'Identity provider: where a code becomes tokens.',
    required: true,
    example: 'https://id.change-me.example/token',
  }),
  idpPublicKeyUrl: variable('IDP_PUBLIC_KEY_URL', httpUrl, {
    meaning: 'Identity provider: its RS256 public key, as a JWKS, a PEM, or `{ algorithm, publicKey }`.',
    required: true,
    example: 'https://id.change-me.example/jwks',
  }),
  oauthClientId: variable('OAUTH_CLIENT_ID', credential, {
    meaning: 'OAuth application registered with the identity provider.',
    required: true,
    example: 'change-me',
  }),
  oauthClientSecret: variable('OAUTH_CLIENT_SECRET', credential, {
    meaning: 'Its secret.',
    required: true,
    example: 'change-me',
  }),
  oauthCallbackUrl: variable('OAUTH_CALLBACK_URL', httpUrl, {
    meaning:
      'The exact callback registered there, at a path that the service does not use; unset: `{BASE_URL}/auth/callback`.',
  }),
  idpIssuer: variable('IDP_ISSUER', text, {
    meaning: 'Expected `iss` of a token; unset: not checked, with a warning at start.',
  }),
  idpAudience: variable('IDP_AUDIENCE', text, {
    meaning: 'Expected `aud` of a token; unset: not checked, with a warning at start.',
  }),
  sessionSecret: variable('SESSION_SECRET', secretList, {
    meaning:
      'Comma list, newest first, 32 characters or more each: keys for the login cookie and for provider tokens at rest are derived from it.',
    required: true,
    example: 'change-me-to-32-random-characters-or-more',
  }),
  websiteOrigins: variable('WEBSITE_ORIGINS', bareOrigins, {
    meaning:
      'Comma list of bare origins, without wildcards: where a login may return to; the CORS allow-list.',
    default: '',
  }),
  adminSubjects: variable('ADMIN_SUBJECTS', list, {
    meaning: 'Comma list of token subjects that are admins from the start.',
    default: '',
  }),
  mapHostUrl: variable('MAP_HOST_URL', baseUrl, {
    meaning:
      'API base of the map host; its origin is trusted as configured, redirects that leave it are refused.',
    default: 'https://api.beatsaver.com',
  }),
  mapHostFileHosts: variable('MAP_HOST_FILE_HOSTS', fileHosts, {
    meaning:
      'Comma list of `host` or `host:port` (a leading `.` is any sub-domain) that addresses in the map host’s answers must match.',
    default: '.beatsaver.com',
  }),
  pluginVersions: variable('PLUGIN_VERSIONS', pluginVersions, {
    meaning: 'Comma list of accepted plugin versions; unset: the published ones.',
  }),
  deploySecret: variable('DEPLOY_SECRET', secret, {
    meaning: 'Secret of the release upload, 32 characters or more; unset: uploads are disabled.',
  }),
  releasePublicKeys: variable('RELEASE_PUBLIC_KEYS', publicKeys, {
    meaning:
      'Comma list of minisign public keys (the line beginning with `RW`): a release must be signed with one of them; unset: signatures are optional and served unchecked.',
    default: '',
  }),
  replayRetentionDays: variable('REPLAY_RETENTION_DAYS', number(0.001, 36_500), {
    meaning:
      'How long the files of replays are kept. Their verdicts stay, and so do files under review or decided against a player.',
    default: '90',
  }),
  auditRetentionDays: variable('AUDIT_RETENTION_DAYS', number(1, 36_500), {
    meaning: 'How long entries of the audit log are kept.',
    default: '3650',
  }),
  penaltyRetentionDays: variable('PENALTY_RETENTION_DAYS', number(14, 36_500), {
    meaning: 'How long penalties are kept. They count for 14 days.',
    default: '365',
  }),
  reportRetentionDays: variable('REPORT_RETENTION_DAYS', number(2, 36_500), {
    meaning: 'How long reports of players about each other are kept, decided or not.',
    default: '365',
  }),
  mapHostRetentionDays: variable('MAP_HOST_RETENTION_DAYS', number(1, 36_500), {
    meaning:
      'How long data from the map host is kept that nobody has asked for again. The maps of pools have their own copy.',
    default: '90',
  }),
  replayQuotaMib: variable('REPLAY_QUOTA_MIB', number(1, 1_048_576), {
    meaning:
      'Size of the replays that one player may publish within 24 hours, in MiB: after that the next one is refused.',
    default: '2048',
  }),
  logLevel: variable('LOG_LEVEL', logLevel, { meaning: 'Log level of pino.', default: 'info' }),
  trustProxy: variable('TRUST_PROXY', proxies, {
    meaning:
      'Proxies in front: a number of hops, 32 at most, or a comma list of addresses, ranges such as `10.0.0.0/8`, `loopback`, `linklocal` and `uniquelocal`; unset: none.',
  }),
  metricsToken: variable('METRICS_TOKEN', secret, {
    meaning:
      'Bearer token for `GET /metrics`, 32 characters or more; unset: there are no metrics. Numbers of the whole service are for its operators only.',
  }),
  rateLimitFactor: variable('RATE_LIMIT_FACTOR', number(0, 1000), {
    meaning: 'Multiplies every documented rate limit; 0 switches them off.',
    default: '1',
  }),
  penaltyFirstMs: seconds(
    'PENALTY_FIRST_SECONDS',
    'First queue time-out; each further offence in 14 days doubles it, up to a day.',
    '300',
  ),
  rematchMs: seconds(
    'REMATCH_SECONDS',
    'The same two are not paired again within this time, unless nobody else is in range.',
    '600',
  ),
  drainDelayMs: seconds(
    'DRAIN_DELAY_SECONDS',
    'After SIGTERM readiness fails first and the listener goes on this long.',
    '3',
  ),
  shutdownMs: seconds(
    'SHUTDOWN_SECONDS',
    'Longest clean stop. Work that takes more than four fifths of it is cut off.',
    '10',
  ),
  maintenance: variable('MAINTENANCE', flag, {
    meaning: '`true`: status says so, the queue refuses, running matches finish.',
    default: 'false',
  }),
  matchmakingIntervalMs: variable('MATCHMAKING_INTERVAL_MS', number(10, 60_000), {
    meaning: 'Time between two pairing ticks, in milliseconds.',
    default: '1000',
  }),
  joinMs: seconds('JOIN_SECONDS', 'Limit of `waiting_players`.', '30'),
  discardMs: seconds('DISCARD_SECONDS', 'Limit of `awaiting_discards`.', '60'),
  pickMs: seconds('PICK_SECONDS', 'Limit of `awaiting_pick`.', '45'),
  prepareMs: seconds('PREPARE_SECONDS', 'Limit of `preparing`.', '120'),
  countdownMs: seconds('COUNTDOWN_SECONDS', 'From both ready to the start of the map.', '5'),
  scoreGraceMs: seconds(
    'SCORE_GRACE_SECONDS',
    'What `playing` lasts beyond one and a half times the map.',
    '30',
  ),
  roundResultsMs: seconds('ROUND_RESULTS_SECONDS', 'How long a round’s result is shown.', '6'),
  scoreEarliestShare: variable('SCORE_EARLIEST_SHARE', number(0, 1), {
    meaning: 'Share of the map’s playing time before which a finished score is refused.',
    default: '0.8',
  }),
  reconnectGraceMs: seconds('RECONNECT_GRACE_SECONDS', 'Time to come back after a lost connection.', '60'),
  reconnectBudgetMs: seconds('RECONNECT_BUDGET_SECONDS', 'Time away in all, per match and player.', '180'),
} as const satisfies Record<string, Variable>;
