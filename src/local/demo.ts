import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { styleText } from 'node:util';
import { optionsFrom } from './arguments.ts';
import { check, listedForReview } from './demo-check.ts';
import { openExhibition } from './exhibition.ts';
import { LocalProblem } from './problem.ts';
import { seededRandomness } from './random.ts';
import { seed } from './seed.ts';
import { type Stack, startStack } from './stack.ts';
import { note, onEnd, runProgram, say } from './terminal.ts';

/**
 * Plays whole matches against a service of its own, which is removed afterwards, and checks their results through the
 * REST API. The exit code says whether all checks passed.
 */

const HELP = `npm run demo -- [--matches N] [--seed S] [--log FILE] [--cheat]
  --matches N   how many matches to play, 1 to 100 (default 1)
  --seed S      a text; the same one gives the same deals and the same play
  --log FILE    write the log of the last match there, for npm run replay-log -- FILE
  --cheat       one of the two claims more than its replays show, and is found out`;

function optionsOf() {
  const values = optionsFrom({
    matches: { type: 'string', default: '1' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
    log: { type: 'string' },
    cheat: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  });
  const matches = Number(values.matches);
  if (!Number.isInteger(matches) || matches < 1 || matches > 100)
    throw new LocalProblem('--matches must be a whole number from 1 to 100.');
  return { ...values, matches };
}
type Options = ReturnType<typeof optionsOf>;

/** Plays the matches and checks each. @returns the guid of the last one */
async function play(stack: Stack, { matches, seed: chosen, cheat }: Options): Promise<string> {
  const { queueGuid, poolGuid } = await seed(stack);
  note(`Seeded through the REST API: ${stack.url}/pools/${poolGuid}/maps`);
  const exhibition = await openExhibition({
    stack,
    queueGuid,
    fractionFor: (player) => seededRandomness(`play of ${player} ${chosen}`).fraction,
    thinkMs: 40,
    songMs: () => 0,
    stream: process.stdout,
    cheat,
  });
  let last = '';
  for (let number = 1; number <= matches; number++) {
    say(`\n${styleText('bold', `Match ${number} of ${matches}`)}`);
    const views = await exhibition.play();
    last = views[0].matchGuid;
    const problems = await check(stack, views, cheat ? views[1].you.player?.playerGuid : undefined);
    if (problems.length > 0) throw new LocalProblem(`Match ${number}:\n  ${problems.join('\n  ')}`);
    note(
      `Checked through the REST API: result, ratings and seed agree with what the players saw, ${cheat ? 'the honest replays are verified and the others are not' : 'every replay is verified'}.`,
    );
    if (cheat)
      say(
        `${await listedForReview(stack, last)} replays are listed for review: ${stack.url}/replay-reviews. The result stands until staff undo it.`,
      );
  }
  exhibition.close();
  return last;
}

async function run(): Promise<void> {
  const options = optionsOf();
  const { matches, log } = options;
  if (options.help) return say(HELP);
  note(`Starting PostgreSQL, identity provider, map host and service (seed ${options.seed}) …`);
  const starting = startStack({
    ports: { service: 0, identityProvider: 0, mapHost: 0 },
    randomness: seededRandomness(`deals ${options.seed}`),
    environment: {
      MATCHMAKING_INTERVAL_MS: '50',
      COUNTDOWN_SECONDS: '0.2',
      ROUND_RESULTS_SECONDS: '0.3',
      // Bots do not play for the length of a song.
      SCORE_EARLIEST_SHARE: '0',
      // The same two players play again at once.
      REMATCH_SECONDS: '0.001',
      DRAIN_DELAY_SECONDS: '0.01',
    },
  });
  onEnd(async () => (await starting).stop(), 130);
  const stack = await starting;
  try {
    const matchGuid = await play(stack, options);
    if (log !== undefined) {
      const answer = await fetch(`${stack.url}/matches/${matchGuid}/log`);
      await writeFile(log, await answer.text());
      say(`\nThe log of the last match can be checked with npm run replay-log -- ${log}`);
    }
    say(`\n${styleText('green', `${matches} ${matches === 1 ? 'match' : 'matches'} played and checked.`)}`);
  } finally {
    await stack.stop();
  }
}

await runProgram(run, 'The demonstration failed.');
process.exit(0);
