import { isIPv4 } from 'node:net';
import { getDomain } from 'tldts';
import type { z } from 'zod';
import {
  bareOrigins,
  baseUrl,
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
 * The whole configuration: one schema over the environment. `docs/configuration.md` and
 * `.env.example` are generated from it (`npm run docs`), so a variable that is not here does not exist.
 */

interface Variable {
  schema: z.ZodType;
  /** What the table in the documents says. */
  meaning: string;
  default?: string;
  /** `npm start` refuses to run without it. */
  required?: true;
  /** A value for `.env.example`. */
  example?: string;
}

const variable = <S extends z.ZodType, const A extends Omit<Variable, 'schema'>>(schema: S, about: A) => ({
  schema,
  ...about,
});

export const variables = {
  PORT: variable(port, {
    meaning: 'Port of the listener; REST and socket share it. `0` takes a free one and logs it.',
    default: '3000',
  }),
  HOST: variable(host, { meaning: 'Address of the listener.', default: '0.0.0.0' }),
  BASE_URL: variable(baseUrl, {
    meaning: 'Public base address; `http:` gets a warning unless it is this machine’s own.',
    required: true,
    example: 'https://matches.example.org',
  }),
  DATABASE_URL: variable(databaseUrl, {
    meaning: 'PostgreSQL. The local stack starts an embedded one instead.',
    required: true,
    example: 'postgresql://matches:change-me@localhost:5432/matches',
  }),
  REDIS_URL: variable(redisUrl, {
    meaning:
      'Redis or Valkey, 7 or newer, for several nodes: limits are shared and nodes hear of each other at once. Unset, or while it does not answer: limits count per node, and nodes ask the database.',
  }),
  STORAGE_DIR: variable(text, {
    meaning:
      'Folder of plugin releases and replays; with `S3_BUCKET` only of uploads while they arrive. Several nodes without a bucket share it.',
    default: './data/storage',
  }),
  S3_BUCKET: variable(text, {
    meaning: 'Bucket of an S3-compatible object storage for releases and replays, instead of the disk.',
  }),
  S3_ENDPOINT: variable(httpUrl, { meaning: 'Its address; unset: AWS.' }),
  S3_REGION: variable(text, { meaning: 'Its region.', default: 'us-east-1' }),
  S3_ACCESS_KEY_ID: variable(text, {
    meaning:
      'Key to it, with `S3_SECRET_ACCESS_KEY`; both unset: what the AWS SDK finds, such as the role of the machine.',
  }),
  S3_SECRET_ACCESS_KEY: variable(text, { meaning: 'Secret of that key.' }),
  S3_PATH_STYLE: variable(flag, {
    meaning:
      '`true`: the bucket stands in the path of an address, `false`: in its host name; unset: `true` with `S3_ENDPOINT`.',
  }),
  IDP_AUTHORIZE_URL: variable(httpUrl, {
    meaning: 'Identity provider: where a login begins.',
    required: true,
    example: 'https://id.example.org/authorize',
  }),
  IDP_TOKEN_URL: variable(httpUrl, {
    meaning: 'Identity provider: where a code becomes tokens.',
    required: true,
    example: 'https://id.example.org/token',
  }),
  IDP_PUBLIC_KEY_URL: variable(httpUrl, {
    meaning: 'Identity provider: its RS256 public key, as a JWKS, a PEM, or `{ algorithm, publicKey }`.',
    required: true,
    example: 'https://id.example.org/jwks',
  }),
  OAUTH_CLIENT_ID: variable(credential, {
    meaning: 'OAuth application registered with the identity provider.',
    required: true,
    example: 'change-me',
  }),
  OAUTH_CLIENT_SECRET: variable(credential, { meaning: 'Its secret.', required: true, example: 'change-me' }),
  OAUTH_CALLBACK_URL: variable(httpUrl, {
    meaning: 'The exact callback registered there; unset: `{BASE_URL}/auth/callback`.',
  }),
  IDP_ISSUER: variable(text, {
    meaning: 'Expected `iss` of a token; unset: not checked, with a warning at start.',
  }),
  IDP_AUDIENCE: variable(text, {
    meaning: 'Expected `aud` of a token; unset: not checked, with a warning at start.',
  }),
  SESSION_SECRET: variable(secretList, {
    meaning:
      'Comma list, newest first, 32 characters or more each: keys for the login cookie and for provider tokens at rest are derived from it.',
    required: true,
    example: 'change-me-to-32-random-characters-or-more',
  }),
  WEBSITE_ORIGINS: variable(bareOrigins, {
    meaning: 'Comma list of bare origins: where a login may return to; the CORS allow-list.',
    default: '',
  }),
  ADMIN_SUBJECTS: variable(list, {
    meaning: 'Comma list of token subjects that are admins from the start.',
    default: '',
  }),
  MAP_HOST_URL: variable(baseUrl, {
    meaning:
      'API base of the map host; its origin is trusted as configured, redirects that leave it are refused.',
    default: 'https://api.beatsaver.com',
  }),
  MAP_HOST_FILE_HOSTS: variable(fileHosts, {
    meaning:
      'Comma list of `host` or `host:port` (a leading `.` is any sub-domain) that addresses in the map host’s answers must match.',
    default: '.beatsaver.com',
  }),
  PLUGIN_VERSIONS: variable(pluginVersions, {
    meaning: 'Comma list of accepted plugin versions; unset: the published ones.',
  }),
  DEPLOY_SECRET: variable(secret, {
    meaning: 'Secret of the release upload, 32 characters or more; unset: uploads are disabled.',
  }),
  RELEASE_PUBLIC_KEYS: variable(publicKeys, {
    meaning:
      'Comma list of minisign public keys (the line beginning with `RW`): a release must be signed with one of them; unset: signatures are optional and served unchecked.',
    default: '',
  }),
  REPLAY_RETENTION_DAYS: variable(number(0.001, 36_500), {
    meaning:
      'How long the files of replays are kept. Their verdicts stay, and so do files under review or decided against a player.',
    default: '90',
  }),
  REPLAY_QUOTA_MIB: variable(number(1, 1_048_576), {
    meaning: 'What one player may publish in replays within 24 hours, in MiB.',
    default: '2048',
  }),
  LOG_LEVEL: variable(logLevel, { meaning: 'Log level of pino.', default: 'info' }),
  TRUST_PROXY: variable(proxies, {
    meaning:
      'Proxies in front: a number of hops, or a comma list of addresses, ranges such as `10.0.0.0/8`, `loopback`, `linklocal` and `uniquelocal`; unset: none.',
  }),
  METRICS_TOKEN: variable(secret, {
    meaning:
      'Bearer token for `GET /metrics`, 32 characters or more; unset: there are no metrics. Numbers of the whole service are for its operators only.',
  }),
  RATE_LIMIT_FACTOR: variable(number(0, 1000), {
    meaning: 'Multiplies every documented rate limit; 0 switches them off.',
    default: '1',
  }),
  PENALTY_FIRST_SECONDS: variable(secondsAsMs, {
    meaning: 'First queue time-out; each further offence in 14 days doubles it.',
    default: '300',
  }),
  REMATCH_SECONDS: variable(secondsAsMs, {
    meaning: 'The same two are not paired again within this time, unless nobody else is in range.',
    default: '600',
  }),
  DRAIN_DELAY_SECONDS: variable(secondsAsMs, {
    meaning: 'After SIGTERM readiness fails first and the listener goes on this long.',
    default: '3',
  }),
  SHUTDOWN_SECONDS: variable(secondsAsMs, {
    meaning: 'Longest clean stop. Requests that take more than four fifths of it are cut off.',
    default: '10',
  }),
  MAINTENANCE: variable(flag, {
    meaning: '`true`: status says so, the queue refuses, running matches finish.',
    default: 'false',
  }),
  MATCHMAKING_INTERVAL_MS: variable(number(10, 60_000), {
    meaning: 'Time between two pairing ticks, in milliseconds.',
    default: '1000',
  }),
  JOIN_SECONDS: variable(secondsAsMs, { meaning: 'Limit of `waiting_players`.', default: '30' }),
  DISCARD_SECONDS: variable(secondsAsMs, { meaning: 'Limit of `awaiting_discards`.', default: '60' }),
  PICK_SECONDS: variable(secondsAsMs, { meaning: 'Limit of `awaiting_pick`.', default: '45' }),
  PREPARE_SECONDS: variable(secondsAsMs, { meaning: 'Limit of `preparing`.', default: '120' }),
  COUNTDOWN_SECONDS: variable(secondsAsMs, {
    meaning: 'From both ready to the start of the map.',
    default: '5',
  }),
  SCORE_GRACE_SECONDS: variable(secondsAsMs, {
    meaning: 'What `playing` lasts beyond one and a half times the map.',
    default: '30',
  }),
  ROUND_RESULTS_SECONDS: variable(secondsAsMs, {
    meaning: 'How long a round’s result is shown.',
    default: '6',
  }),
  SCORE_EARLIEST_SHARE: variable(number(0, 1), {
    meaning: 'Share of the map’s playing time before which a finished score is refused.',
    default: '0.8',
  }),
  RECONNECT_GRACE_SECONDS: variable(secondsAsMs, {
    meaning: 'Time to come back after a lost connection.',
    default: '60',
  }),
  RECONNECT_BUDGET_SECONDS: variable(secondsAsMs, {
    meaning: 'Time away in all, per match and player.',
    default: '180',
  }),
} as const satisfies Record<string, Variable>;

type Variables = typeof variables;
type Parsed = {
  [K in keyof Variables]: Variables[K] extends { default: string } | { required: true }
    ? z.output<Variables[K]['schema']>
    : z.output<Variables[K]['schema']> | undefined;
};

/** The configuration as the code uses it: names as in the environment, durations in milliseconds. */
export type Config = Omit<Parsed, 'OAUTH_CALLBACK_URL'> & { OAUTH_CALLBACK_URL: string };

/** Every problem of the environment, one line each, each naming its variable and none its value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The service could not start: its configuration is not usable.\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** What `.env.example` has where everybody has to put a value of their own. Every example holds one of them. */
export const PLACEHOLDERS = ['change-me', 'matches.example.org', 'id.example.org'] as const;

const isPlaceholder = (value: string): boolean => PLACEHOLDERS.some((text) => value.includes(text));

/**
 * Reads the configuration from an environment. An empty value counts as unset.
 * @param options.production whether the placeholders of `.env.example` are refused
 * @throws ConfigError with one line per missing or malformed variable.
 */
export function loadConfig(
  environment: Record<string, string | undefined>,
  { production = false } = {},
): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, about] of Object.entries<Variable>(variables)) {
    const given = environment[name]?.trim() ? environment[name] : about.default;
    if (given === undefined) {
      if (about.required) problems.push(`${name} is required: ${about.meaning}`);
      continue;
    }
    if (production && isPlaceholder(given)) {
      problems.push(`${name} still has the placeholder of .env.example.`);
      continue;
    }
    const parsed = about.schema.safeParse(given);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is malformed'}.`);
  }
  if ((values.S3_ACCESS_KEY_ID === undefined) !== (values.S3_SECRET_ACCESS_KEY === undefined))
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are set together or not at all.');
  if (values.S3_BUCKET === undefined && values.S3_ENDPOINT !== undefined)
    problems.push('S3_BUCKET is required with S3_ENDPOINT.');
  if (problems.length > 0) throw new ConfigError(problems);
  const config = values as Config;
  config.OAUTH_CALLBACK_URL ??= `${config.BASE_URL}/auth/callback`;
  return config;
}

/**
 * Whether a browser sends a `SameSite=Lax` cookie from pages of one origin to the other: same scheme, same
 * registrable domain (RFC 6265bis, 5.2). Hosts without one, such as addresses, must be equal.
 */
function isSameSite(a: string, b: string): boolean {
  const [one, other] = [new URL(a), new URL(b)];
  const siteOf = ({ hostname }: URL) => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
  return one.protocol === other.protocol && siteOf(one) === siteOf(other);
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  (isIPv4(hostname) && hostname.startsWith('127.'));

/** What is allowed but worth a warning at start, one line each. */
export function configWarnings(config: Config): string[] {
  const warnings: string[] = [];
  const base = new URL(config.BASE_URL);
  if (base.protocol === 'http:' && !isLoopback(base.hostname))
    warnings.push(
      'BASE_URL is http: tokens, login cookies and plugin releases travel in the clear, and the cookie is not `Secure`.',
    );
  if (config.IDP_ISSUER === undefined)
    warnings.push('IDP_ISSUER is not set: the issuer of tokens is not checked.');
  if (config.IDP_AUDIENCE === undefined)
    warnings.push('IDP_AUDIENCE is not set: the audience of tokens is not checked.');
  if (new URL(config.OAUTH_CALLBACK_URL).host !== base.host)
    warnings.push(
      'OAUTH_CALLBACK_URL is on another host than BASE_URL: browsers will not bring the cookie of a login back there.',
    );
  for (const origin of config.WEBSITE_ORIGINS) {
    if (!isSameSite(origin, config.BASE_URL))
      warnings.push(
        `WEBSITE_ORIGINS has ${origin}, which is another site than BASE_URL: its browsers will not send the login cookie.`,
      );
  }
  return warnings;
}
