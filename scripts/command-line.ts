import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/**
 * The arguments of a command for developers. `--help` prints the usage and ends the process; so does a wrong option, with
 * exit code 2 and the problem before it.
 * @param usage printed as it is
 * @param allowPositionals whether it takes names beside options
 */
export function commandLine<const T extends ParseArgsOptionsConfig>(
  usage: string,
  options: T,
  allowPositionals = false,
) {
  if (process.argv.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    const { values, positionals } = parseArgs({ allowPositionals, options });
    return { values, positionals: positionals as string[] };
  } catch (error) {
    // Node adds advice about arguments that begin with a dash.
    return wrongUsage((error as Error).message.split('. ')[0] ?? '', usage);
  }
}

/** Prints a problem with the arguments and the usage, and ends the process with exit code 2. */
export function wrongUsage(problem: string, usage: string): never {
  console.error(`${problem.replace(/\.?$/, '.')}\n\n${usage}`);
  process.exit(2);
}
