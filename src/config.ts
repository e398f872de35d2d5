import { createHmac } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { getDomain } from 'tldts';
import type { z } from 'zod';
import { isFreePath } from './config-values.ts';
import { type Variable, variables } from './config-variables.ts';
import { routePathOf } from './domains/sessions/rules.ts';

/** The configuration of the process, read from the environment once. */

type Variables = typeof variables;
type Parsed = {
  [K in keyof Variables]: Variables[K] extends { default: string } | { required: true }
    ? z.output<Variables[K]['schema']>
    : z.output<Variables[K]['schema']> | undefined;
};

/** The configuration as the code uses it. The name of a field says its unit. */
export type Config = Omit<Parsed, 'oauthCallbackUrl'> & { oauthCallbackUrl: string };

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

/** Every value of `.env.example` that has to be replaced contains this. */
export const PLACEHOLDER = 'change-me';

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
  for (const [field, about] of Object.entries<Variable>(variables)) {
    const { name } = about;
    const given = environment[name]?.trim() ? environment[name] : about.default;
    if (given === undefined) {
      if (about.required) problems.push(`${name} is required: ${about.meaning}`);
      continue;
    }
    if (production && given.includes(PLACEHOLDER)) {
      problems.push(`${name} still has the placeholder of .env.example.`);
      continue;
    }
    const parsed = about.schema.safeParse(given);
    if (parsed.success) values[field] = parsed.data;
    else problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is malformed'}.`);
  }
  if ((values.s3AccessKeyId === undefined) !== (values.s3SecretAccessKey === undefined))
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are set together or not at all.');
  if (values.s3Bucket === undefined && (values.s3Endpoint ?? values.s3AccessKeyId) !== undefined)
    problems.push('S3_BUCKET is required with S3_ENDPOINT and S3_ACCESS_KEY_ID.');
  const { baseUrl, oauthCallbackUrl } = values as Partial<Config>;
  if (baseUrl && oauthCallbackUrl && !isFreePath(routePathOf(oauthCallbackUrl, baseUrl)))
    problems.push(
      'OAUTH_CALLBACK_URL must have a path of its own, without `:`, `*` and `%`, such as that of {BASE_URL}/auth/callback.',
    );
  if (problems.length > 0) throw new ConfigError(problems);
  const config = values as Config;
  config.oauthCallbackUrl ??= `${config.baseUrl}/auth/callback`;
  return config;
}

/**
 * Variables that are not compared, because nodes may differ in them: those of the process, of its machine, and of its connections
 * to other services. The storage is compared by a file. A short client secret could be guessed from its fingerprint.
 */
const NOT_COMPARED: ReadonlySet<string> = new Set<keyof Config>([
  ...(['port', 'host', 'trustProxy', 'logLevel', 'metricsToken', 'drainDelayMs', 'shutdownMs'] as const),
  ...(['databaseUrl', 'redisUrl', 'idpTokenUrl', 'idpPublicKeyUrl', 'oauthClientSecret'] as const),
  ...(['storageDir', 's3Bucket', 's3Endpoint', 's3Region', 's3PathStyle'] as const),
  ...(['s3AccessKeyId', 's3SecretAccessKey'] as const),
]);

/** Fingerprints of the variables that must be equal on every node, by name: an HMAC of the name with the value as the key. */
export function fingerprintsOf(config: Config): Record<string, string> {
  const compared = Object.entries(variables).filter(([field]) => !NOT_COMPARED.has(field));
  return Object.fromEntries(
    compared.map(([field, { name }]) => {
      const value = JSON.stringify(config[field as keyof Config]) ?? '';
      return [name, createHmac('sha256', value).update(name).digest('base64url').slice(0, 11)];
    }),
  );
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

/** Warnings about a valid configuration for the log of the start, one line each. */
export function configWarnings(config: Config): string[] {
  const warnings: string[] = [];
  const base = new URL(config.baseUrl);
  if (base.protocol === 'http:' && !isLoopback(base.hostname))
    warnings.push(
      'BASE_URL is http: tokens, login cookies and plugin releases travel in the clear, and the cookie is not `Secure`.',
    );
  if (config.idpIssuer === undefined)
    warnings.push('IDP_ISSUER is not set: the issuer of tokens is not checked.');
  if (config.idpAudience === undefined)
    warnings.push('IDP_AUDIENCE is not set: the audience of tokens is not checked.');
  if (new URL(config.oauthCallbackUrl).host !== base.host)
    warnings.push(
      'OAUTH_CALLBACK_URL is on another host than BASE_URL: browsers will not bring the cookie of a login back there.',
    );
  for (const origin of config.websiteOrigins) {
    if (!isSameSite(origin, config.baseUrl))
      warnings.push(
        `WEBSITE_ORIGINS has ${origin}, which is another site than BASE_URL: its browsers will not send the login cookie.`,
      );
  }
  return warnings;
}
