/** The answer of a command: what it prints on each stream, and its exit code. */
export interface CommandAnswer {
  exitCode: 0 | 1;
  stdout: string;
  stderr: string;
}

/** Prints an answer, and sets the exit code of the process. */
export function printAnswer({ exitCode, stdout, stderr }: CommandAnswer): void {
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
}
