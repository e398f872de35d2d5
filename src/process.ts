import { ConfigError, configWarnings, loadConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { whenOrphaned } from './platform/orphan.ts';
import type { Service } from './service.ts';

/**
 * Adds the variables of a file to the environment. Variables that are there already are not changed.
 * @throws Error when the file is there and cannot be read
 */
function readVariables(file: string): void {
  try {
    process.loadEnvFile(file);
  } catch (thrown) {
    const cause = thrown as NodeJS.ErrnoException;
    if (cause.code !== 'ENOENT') throw new Error(`${file} cannot be read: ${cause.message}`, { cause });
  }
}

/** The process: configuration → service → signals. No other part of the service reads the environment. */
async function main(): Promise<void> {
  // `npm start` names `.env`; containers and tests have their environment and no file.
  const [file] = process.argv.slice(2);
  if (file !== undefined) readVariables(file);
  const config = loadConfig(process.env, { production: true });
  const logger = createLogger(config);
  for (const warning of configWarnings(config)) logger.warn(warning);
  let stopping = false;
  /** Ends the process when its stop takes too long. */
  const endWhenLate = () =>
    setTimeout(() => {
      logger.error('the clean stop took too long');
      process.exit(1);
    }, config.drainDelayMs + config.shutdownMs).unref();
  const start = async (port = config.port): Promise<Service> => {
    // Loaded last, so that an invalid configuration is reported at once.
    const { startService } = await import('./service.ts');
    const service = await startService({ ...config, port }, { logger, onOtherHistory });
    logger.info({ url: service.url, port: service.port }, 'listening');
    return service;
  };
  /** The database may lack changes that this process remembers: the service starts again, at the same port. */
  const onOtherHistory = (): void => {
    if (stopping) return;
    starting = starting.then(async (service) => {
      const tooLong = endWhenLate();
      await service.stop({ drainMs: 0, finishMs: config.shutdownMs });
      clearTimeout(tooLong);
      return start(service.port);
    });
    starting.catch(fail);
  };
  let starting = start();

  const stop = async (signal: NodeJS.Signals | 'npm'): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    const tooLong = endWhenLate();
    // The signal may come during the start, for example during a migration. A start that fails ends the process.
    const service = await starting.catch(() => null);
    if (service === null) return;
    tooLong.refresh();
    try {
      await service.stop({ drainMs: config.drainDelayMs, finishMs: config.shutdownMs });
    } catch (error) {
      logger.error({ err: error }, 'the stop was not clean');
      process.exit(1);
    }
    logger.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // `npm start` has a shell in between, which does not pass a signal on. Other processes may outlive their parent.
  if (process.env.npm_lifecycle_event === 'start') whenOrphaned(() => void stop('npm'));
  await starting;
}

/** The problems that prevent the start, one line each, without a stack, because they are for operators. */
const problemsOf = (error: unknown): readonly string[] => {
  if (error instanceof ConfigError) return error.problems;
  return [(error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ')];
};

function fail(error: unknown): never {
  // Logged at any configured level, because this is the only explanation for a missing service.
  const logger = createLogger({ logLevel: 'fatal' });
  for (const problem of problemsOf(error)) logger.fatal(`The service could not start: ${problem}`);
  process.exit(1);
}

await main().catch(fail);
