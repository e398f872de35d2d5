import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../../kit/csharp/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

/** The client of the C# kit as one file, which compiles like its many: all their `using` lines come first. */
function oneFile(): string {
  const usings = new Set<string>();
  const bodies = readdirSync(new URL('MatchService/', folder))
    .sort()
    .map((file) =>
      read(`MatchService/${file}`).replaceAll(/^using .+;\n+/gm, (line) => {
        usings.add(line.trim());
        return '';
      }),
    );
  return `// The client of the C# kit as one file: /docs/csharp.md says how to use it.\n\n${[...usings].sort().join('\n')}\n\n${bodies.join('\n')}`;
}

/** The files that a running service gives to the author of a plugin in C#. */
export const CSHARP_KIT = { readme: read('README.md'), client: oneFile(), sample: read('Sample/Program.cs') };
