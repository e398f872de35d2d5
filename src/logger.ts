import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';
import { isOutOfReach } from './platform/database/out-of-reach.ts';
import { openLogOutput } from './platform/log-output.ts';

/** Members of errors of libraries that may hold credentials. Our own errors hold none. */
const SECRETS = ['authorization', 'cookie', 'set-cookie', 'token', 'password', 'secret', 'connectionString'];

/** Credentials within a text, such as the address in an error of a driver. */
const IN_TEXTS: readonly [RegExp, string][] = [
  [/\b([a-z][a-z+.-]*:\/\/)[^\s/@:]*:[^\s@]*@/gi, '$1[redacted]@'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[redacted]'],
];

/** The pool logs that the database is out of reach, so the stack of each error that this causes is left out. */
const describeError = (error: Error) =>
  isOutOfReach(error) ? { type: error.name, message: error.message } : pino.stdSerializers.err(error);

/** The log of the process: one line of JSON for each entry, without credentials. */
export const createLogger = (
  { logLevel }: Pick<Config, 'logLevel'>,
  destination?: DestinationStream,
): Logger => {
  const output =
    destination ??
    openLogOutput((dropped) =>
      logger.warn({ dropped }, 'lines of the log were dropped: it could not be written'),
    );
  const logger = pino(
    {
      level: logLevel,
      serializers: { err: describeError },
      redact: {
        paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[redacted]',
      },
      hooks: {
        streamWrite: (line) =>
          IN_TEXTS.reduce((text, [secret, shown]) => text.replaceAll(secret, shown), line),
      },
    },
    output,
  );
  return logger;
};
