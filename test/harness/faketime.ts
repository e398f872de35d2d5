import { execFileSync } from 'node:child_process';

/** Wrong clocks for single processes: Debian's `faketime` gives a program another date. */

/** The library for programs with several threads; null: this machine has none. */
function find(): string | null {
  try {
    return execFileSync('faketime', ['-m', '-f', '+0s', 'printenv', 'LD_PRELOAD'], {
      encoding: 'utf8',
    }).trim();
  } catch {
    return null;
  }
}

const library = find();

/** Whether this machine has faketime. */
export const hasFaketime = library !== null;

/** Variables of a process whose clock is ahead by this much; timers keep their own time, only the date moves. */
export const clockAhead = (seconds: number): Record<string, string> =>
  library === null || seconds === 0
    ? {}
    : { LD_PRELOAD: library, FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s` };
