import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { z } from 'zod';
import { pluginVersionOf } from './domains/releases/rules.ts';
import { readPublicKey } from './domains/releases/signature.ts';

/** The kinds of values that variables of the configuration hold. A message follows the name: "PORT must be …". */

export const text = z.string().trim().min(1, 'must not be empty');
const itemsOf = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
export const list = z.string().transform(itemsOf);

const DECIMAL = /^\d+(\.\d+)?$/;
const WHOLE = /^\d+$/;

/**
 * A number in plain digits.
 * @param bounds in words, for the refusal and, as its description, for the documents
 * @param held makes the value of the configuration from it
 */
const numberIn = (
  bounds: string,
  isWithin: (value: number) => boolean,
  { form = DECIMAL, held = (value: number) => value } = {},
) => {
  const problem = `must be a number ${bounds}, in plain digits`;
  const digits = z.string().trim().regex(form, problem).transform(Number);
  return digits.refine(isWithin, problem).transform(held).describe(bounds);
};

export const number = (low: number, high: number) =>
  numberIn(`from ${low} to ${high}`, (value) => value >= low && value <= high);

export const port = numberIn('from 0 to 65535', (value) => value <= 65_535, { form: WHOLE });

const WEEK_SECONDS = 7 * 24 * 3600;

/** A duration written in seconds; held in milliseconds, at least one. */
export const secondsAsMs = numberIn(
  `above 0 and at most ${WEEK_SECONDS}`,
  (value) => value > 0 && value <= WEEK_SECONDS,
  { held: (value) => Math.max(1, Math.round(value * 1000)) },
);

/** An address of this machine to listen on. */
export const host = text.refine(
  (value) => isIP(value) !== 0 || /^[0-9a-z-]+(\.[0-9a-z-]+)*$/i.test(value),
  'must be an address or a host name, without scheme, brackets or port',
);

/** Characters of OAuth client credentials (RFC 6749, appendix A). */
export const credential = text.refine((value) => /^[\x20-\x7e]+$/.test(value), 'must be printable ASCII');

/** Names of old and of S3-compatible buckets, which have wider rules than new ones at AWS, or ARNs of access points. */
export const bucketName = text.refine(
  (value) => /^(?:[a-z0-9][a-z0-9._-]{2,254}|arn:[a-z0-9:/._-]+)$/i.test(value),
  'must be the name of a bucket (letters, digits, dots, hyphens and underscores) or the ARN of an access point',
);

const schemeOf = (value: string): string => URL.parse(value)?.protocol ?? '';

export const httpUrl = text
  .refine((value) => /^https?:$/.test(schemeOf(value)), 'must be an http or https address')
  // Clients refuse such an address, and its parts end up in logs and responses.
  .refine((value) => {
    const address = URL.parse(value);
    return !address?.username && !address?.password;
  }, 'must carry no user name and no password')
  // A fragment is never sent; OAuth forbids it in its addresses (RFC 6749, 3.1 and 3.1.2).
  .refine((value) => !value.includes('#'), 'must have no fragment');
/**
 * An address that paths are appended to: without a trailing slash, and otherwise as browsers write it, because origins are
 * compared as texts.
 */
export const baseUrl = httpUrl
  .refine((value) => !value.includes('?'), 'must have no query and no fragment')
  .transform((value) => new URL(value).href.replace(/\/+$/, ''));

/** `schema` is a parameter of Prisma's command line, which the driver ignores. */
const choosesSchema = (parameters?: URLSearchParams): boolean =>
  (parameters?.get('schema') ?? 'public') !== 'public' ||
  /search_path/i.test(parameters?.get('options') ?? '');

export const databaseUrl = text
  .refine((value) => /^postgres(ql)?:\/\//.test(value), 'must be a postgresql:// address')
  .refine(
    (value) => URL.canParse(value) && !/%(?![\da-f]{2})/i.test(value),
    'must be a postgresql:// address in which reserved characters, such as those of a password, are percent-encoded',
  )
  .refine(
    (value) => !choosesSchema(URL.parse(value)?.searchParams),
    'must choose no schema, by `schema` or `search_path`: the tables are in the schema public of a database of their own',
  );

export const redisUrl = text
  .refine((value) => /^rediss?:$/.test(schemeOf(value)), 'must be a redis:// or rediss:// address')
  .refine(
    (value) => /^(\/\d*)?$/.test(URL.parse(value)?.pathname ?? ''),
    'must have the number of a database as its path, or none',
  )
  // The client takes `REDISS://` for an address without TLS.
  .transform((value) => value.replace(/^\w+/, (scheme) => scheme.toLowerCase()));

export const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

export const logLevel = z.enum(
  ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  'must be a pino level',
);

// HTTP drops spaces and line ends around the value of a header, so a token with them could never be sent.
export const secret = z.string().trim().min(32, 'must have 32 characters or more');
export const secretList = list.refine(
  (keys) => keys.length > 0 && keys.every((key) => key.length >= 32),
  'must hold keys of 32 characters or more',
);

export const bareOrigins = list.refine(
  (origins) =>
    origins.every(
      (origin) =>
        /^https?:$/.test(schemeOf(origin)) && new URL(origin).origin === origin && !origin.includes('*'),
    ),
  'must hold bare http or https origins such as https://example.org, in small letters, without a path, a trailing slash, a default port or a *',
);

export const fileHosts = list.refine(
  (hosts) =>
    hosts.length > 0 &&
    hosts.every(
      (host) =>
        /^(\.?[0-9a-z-]+(\.[0-9a-z-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host) &&
        URL.canParse(`http://${host.replace(/^\./, '')}`),
    ),
  'must hold host names, `host:port`, or `.domain` for any sub-domain',
);

export const pluginVersions = list.refine(
  (versions) => versions.every((version) => pluginVersionOf(version) !== null),
  'must hold semantic versions such as 1.4.0',
);

export const publicKeys = list.refine(
  (keys) => keys.every((key) => readPublicKey(key) !== null),
  'must hold public keys of minisign, each the second line of its file',
);

const isProxy = (item: string): boolean => {
  // `proxy-addr` also reads forms such as `1.5` for 1.0.0.5, which are mistakes here.
  const [address = ''] = item.split('/');
  if (/^[0-9a-f.:]+$/i.test(address) && isIP(address) === 0) return false;
  try {
    proxyAddr.compile(item);
    return true;
  } catch {
    return false;
  }
};

/** A larger number is a mistake, such as an address without its dots. */
const MOST_HOPS = 32;

/** Hops (a number) or addresses and ranges of the proxies in front, as `proxy-addr` reads them. */
export const proxies = text
  .refine((value) => value !== 'true', 'must name hops or addresses: `true` would let anybody forge one')
  .transform((value) => (WHOLE.test(value) ? Number(value) : itemsOf(value)))
  .refine(
    (value) => (typeof value === 'number' ? value <= MOST_HOPS : value.length > 0 && value.every(isProxy)),
    `must be a number of hops, at most ${MOST_HOPS}, or a list of addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal`,
  );

/** The first part of each path that this service serves, except `auth`. */
const OWN_PATHS = new Set(
  `assets audit-log docs events favicon.svg health internal ladder leaderboards live map-categories maps match matches me metrics
  openapi.json overlay player players plugin-releases pool pools preview.png queue queues replay-reviews replays reports robots.txt
  seasons server socket-docs.json socket.io staff`.split(/\s+/),
);
const OWN_AUTH_PATHS = new Set(['login', 'logout', 'logout-everywhere', 'me']);

/** Whether the callback of logins may have this path: the service has nothing else there, and the router takes it literally. */
export function isFreePath(path: string): boolean {
  const [, first = '', second = ''] = path.split('/');
  const isOwn = first === 'auth' ? OWN_AUTH_PATHS.has(second) : OWN_PATHS.has(first);
  return first !== '' && !isOwn && !/[:*%]/.test(path);
}
