import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inherited } from './process.ts';

/** Pages of `docs` whose commands a test runs, in one shell and in their order, as a reader does. */

/** Whether this machine has the programs that the guide needs. */
export function hasTools(): boolean {
  try {
    const version = execFileSync('curl', ['--version'], { encoding: 'utf8' });
    const [major = 0, minor = 0] = (/^curl (\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
    execFileSync('bash', ['--version']);
    return major > 7 || (major === 7 && minor >= 76);
  } catch {
    return false;
  }
}
export interface Step {
  heading: string;
  commands: string;
  /** Null where the guide shows none. */
  output: string | null;
}

/** The blocks of a page of `docs` in their order, each with the output that is shown for it. Blocks of other kinds are left out. */
export function stepsOf(name: string): Step[] {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs', name), 'utf8');
  const steps: Step[] = [];
  let heading = '';
  for (const [, title, kind, text = ''] of guide.matchAll(/^## (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else if (kind === 'bash') steps.push({ heading, commands: text, output: null });
    else if (kind === 'output') {
      const before = steps.at(-1);
      if (before === undefined || before.output !== null)
        throw new Error(`An output under '${heading}' belongs to no command.`);
      before.output = text;
    }
  }
  return steps;
}

/** One shell from the first block to the last, as a reader of the guide has it. */
export function openShell(environment: Record<string, string>) {
  const shell = spawn('bash', ['-euo', 'pipefail'], {
    env: { ...inherited, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  let errors = '';
  let wake = () => {};
  shell.stdout.on('data', (chunk) => {
    said += chunk;
    wake();
  });
  shell.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  shell.on('close', () => wake());
  const END = '-- end of block --\n';
  return {
    /** Types these commands and returns what they print. @throws when one of them fails */
    run: async (commands: string): Promise<string> => {
      said = '';
      shell.stdin.write(`${commands}\nprintf '%s' '${END}'\n`);
      while (!said.endsWith(END)) {
        if (shell.exitCode !== null) throw new Error(`It failed after: ${said}\n${errors}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return said.slice(0, -END.length);
    },
    close: () => shell.stdin.end(),
  };
}
