import { createInterface } from 'node:readline';
import { createLogger } from '../../src/logger.ts';
import { droppedLines } from '../../src/platform/log-output.ts';

/**
 * A process with the log of the service, for log-output.test.ts. A number on its input: it logs so many lines of a KiB, and
 * answers on its error output, so it is not stuck. `exit`: it says so in the log and ends.
 */
const logger = createLogger({ logLevel: 'info' });
const text = 'x'.repeat(1024);
let number = 0;
const say = () =>
  process.stderr.write(
    `${JSON.stringify({ dropped: droppedLines(), mebibytes: Math.round(process.memoryUsage().rss / 1024 ** 2) })}\n`,
  );

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'exit') {
    logger.info('stopped');
    process.exit(0);
  }
  for (let count = Number(line); count > 0; count--) logger.info({ number: number++, text }, 'a line');
  say();
});
