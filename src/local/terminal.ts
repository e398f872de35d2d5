import { styleText } from 'node:util';
import { whenOrphaned } from '../platform/orphan.ts';
import { LocalProblem } from './problem.ts';

/** The terminal of the programs of the local stack. */

export const say = (text: string): void => void process.stdout.write(`${text}\n`);
export const note = (text: string): void => say(styleText('dim', text));

/** Runs a program. When it fails, says why and ends the process with exit code 1. */
export async function runProgram(run: () => Promise<void>, failure: string): Promise<void> {
  try {
    await run();
  } catch (error) {
    const reason =
      error instanceof LocalProblem ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${styleText('red', failure, { stream: process.stderr })} ${reason}\n`);
    process.exit(1);
  }
}

/** Calls `stop` when the process is told to end, or when its parent is gone. */
export function onEnd(stop: () => void): void {
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  whenOrphaned(stop);
}
