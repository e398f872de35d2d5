import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneOf, optionsFrom } from './arguments.ts';
import { SCRIPTS, type Script } from './bot.ts';
import { PACES, type PaceName } from './pace.ts';
import { LocalProblem } from './problem.ts';

/** The options of `npm run dev`. */

const scripts = Object.entries(SCRIPTS).map(
  ([name, what]) => `                    ${name.padEnd(17)}${what}`,
);

export const HELP = `npm run dev -- [--opponent [--script NAME]] [--pace quick|real] [--data FOLDER]
  --opponent      a bot waits in the queue for anybody who joins, again after each match
  --script NAME   what the opponent does wrong:
${scripts.join('\n')}
  --pace quick    songs take 2.5 s for bots, scores may come at once, waits are short (default)
  --pace real     songs take their time and every limit is the one of production
  --data FOLDER   where everything is kept between starts (default data)

PORT, IDENTITY_PROVIDER_PORT and MAP_HOST_PORT choose other ports than 3000, 3001 and 3002.`;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @throws LocalProblem that says which option is wrong */
export function optionsOf() {
  const { script, pace, ...values } = optionsFrom({
    opponent: { type: 'boolean', default: false },
    script: { type: 'string' },
    pace: { type: 'string', default: 'quick' },
    data: { type: 'string', default: path.join(root, 'data') },
    help: { type: 'boolean', default: false },
  });
  if (values.data === '') throw new LocalProblem('--data must name a folder.');
  if (script !== undefined && !values.opponent) throw new LocalProblem('--script needs --opponent.');
  return {
    ...values,
    script: script === undefined ? undefined : oneOf('--script', script, Object.keys(SCRIPTS) as Script[]),
    pace: oneOf('--pace', pace, Object.keys(PACES) as PaceName[]),
  };
}

export type Options = ReturnType<typeof optionsOf>;
