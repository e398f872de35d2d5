import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';
import { isOutOfReach } from './platform/database/outage.ts';

/** Where credentials lie in what libraries attach to their errors; ours are never logged to begin with. */
const SECRETS = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  'token',
  'password',
  'secret',
  'connectionString',
];

const dotted = (name: string): string => (name.startsWith('[') ? name : `.${name}`);

/** Credentials in the middle of a text, such as what a driver says of the address it could not reach. */
const IN_TEXTS: readonly [RegExp, string][] = [
  [/\b([a-z][a-z+.-]*:\/\/)[^\s/@:]*:[^\s@]*@/gi, '$1[redacted]@'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[redacted]'],
];

/** The pool tells of an outage of the database; where in our code somebody suffered from it says nothing more. */
const describeError = (error: Error) =>
  isOutOfReach(error) ? { type: error.name, message: error.message } : pino.stdSerializers.err(error);

/** The log of the process: one line of JSON for each entry, without credentials. */
export const createLogger = (
  { logLevel }: Pick<Config, 'logLevel'>,
  destination?: DestinationStream,
): Logger =>
  pino(
    {
      level: logLevel,
      serializers: { err: describeError },
      redact: {
        paths: SECRETS.flatMap((name) => [name, `*${dotted(name)}`, `*.*${dotted(name)}`]),
        censor: '[redacted]',
      },
      hooks: {
        streamWrite: (line) =>
          IN_TEXTS.reduce((text, [secret, shown]) => text.replaceAll(secret, shown), line),
      },
    },
    destination ?? pino.destination(1),
  );
