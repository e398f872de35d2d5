import { ConfigError, configWarnings, loadConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { startService } from './service.ts';

/** The process: configuration → service → signals. Nothing else reads the environment. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const logger = createLogger(config);
  for (const warning of configWarnings(config)) logger.warn(warning);
  const service = await startService(config, { logger });
  logger.info({ url: service.url, port: service.port }, 'listening');

  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    const tooLong = setTimeout(() => {
      logger.error('the clean stop took too long');
      process.exit(1);
    }, config.DRAIN_DELAY_SECONDS + config.SHUTDOWN_SECONDS);
    tooLong.unref();
    try {
      await service.stop({ drainMs: config.DRAIN_DELAY_SECONDS, finishMs: config.SHUTDOWN_SECONDS });
    } catch (error) {
      logger.error({ err: error }, 'the stop was not clean');
      process.exit(1);
    }
    logger.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

try {
  await main();
} catch (error) {
  // One line per problem and no stack: this is read by whoever set the variables.
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else
    process.stderr.write(
      `The service could not start: ${(error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ')}\n`,
    );
  process.exit(1);
}
