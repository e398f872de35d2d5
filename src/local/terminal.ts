import { styleText } from 'node:util';
import { whenOrphaned } from '../platform/orphan.ts';
import { LocalProblem } from './problem.ts';

/** The terminal of the programs of the local stack. */

export const say = (text: string): void => void process.stdout.write(`${text}\n`);
export const note = (text: string): void => say(styleText('dim', text));

/** Settles when the process has stopped; undefined before it is told to end. */
let ending: Promise<void> | undefined;

/**
 * Runs a program. When it fails, says why and ends the process with exit code 1. After it was told to end, the program
 * may fail for that reason: this is not reported.
 */
export async function runProgram(run: () => Promise<void>, failure: string): Promise<void> {
  // The reader of the output, such as `tee`, may have ended: a write then fails, and without a listener the program ends.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    await run();
    await ending;
  } catch (error) {
    if (ending) return ending;
    const reason =
      error instanceof LocalProblem ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${styleText('red', failure, { stream: process.stderr })} ${reason}\n`);
    process.exit(1);
  }
}

/**
 * Calls `stop` when the process is told to end, or when its parent is gone, and ends it then with this exit code. A further
 * signal changes nothing: one comes from the terminal, and npm sends it once more.
 */
export function onEnd(stop: () => Promise<void>, exitCode: number): void {
  const end = (): void => {
    ending ??= stop().finally(() => process.exit(exitCode));
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  whenOrphaned(end);
}
