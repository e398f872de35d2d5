/** The answer of a command: what it prints on each stream, and its exit code. */
export interface CommandAnswer {
  exitCode: 0 | 1;
  stdout: string;
  stderr: string;
}

/** Runs a command as the process: with its arguments and environment, and the variables of `.env`. */
export async function runCommand(
  command: (args: string[], environment: NodeJS.ProcessEnv) => Promise<CommandAnswer>,
): Promise<void> {
  try {
    process.loadEnvFile('.env');
  } catch {
    // Without a file the environment is all there is.
  }
  const { exitCode, stdout, stderr } = await command(process.argv.slice(2), process.env);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
}
