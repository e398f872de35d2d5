import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { parseArgs, styleText } from 'node:util';
import type { MatchView } from './bot.ts';
import { openExhibition } from './exhibition.ts';
import { whenOrphaned } from './orphan.ts';
import { LocalProblem } from './problem.ts';
import { seededRandomness } from './random.ts';
import { seed } from './seed.ts';
import { type Stack, startStack } from './stack.ts';

/**
 * Plays whole matches against a service that is started for it and thrown away afterwards, checks their
 * results through the REST API, and says by its exit code whether all was well.
 */

const HELP = `npm run demo -- [--matches N] [--seed S] [--log FILE] [--cheat]
  --matches N   how many matches to play, 1 to 100 (default 1)
  --seed S      a text; the same one gives the same deals and the same play
  --log FILE    write the log of the last match there, for npm run replay-log -- FILE
  --cheat       one of the two claims more than its replays show, and is found out`;

interface PublicMatch {
  status: string;
  seed: string | null;
  seedHash: string;
  players: { playerGuid: string }[];
  rounds: {
    roundNumber: number;
    scores: { playerGuid: string; submitted: boolean; replay: 'missing' | 'verified' | 'mismatch' }[];
    void: boolean;
  }[];
  result: {
    outcome: string;
    winnerGuid: string | null;
    ratings: { playerGuid: string; before: number; after: number }[];
  } | null;
}

/** Whether what everybody may read agrees with what the two players were told. @returns the disagreements. */
async function check(
  stack: Stack,
  views: readonly [MatchView, MatchView],
  cheater: string | undefined,
): Promise<string[]> {
  const { matchGuid, seedHash } = views[0];
  const answer = await fetch(`${stack.url}/matches/${matchGuid}`);
  const match = (await answer.json()) as PublicMatch;
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => void (holds || problems.push(problem));

  expect(answer.status === 200, `GET /matches/${matchGuid} was answered ${answer.status}.`);
  expect(match.status === 'completed', `The match is ${match.status}, not completed.`);
  expect(
    match.seedHash === seedHash && match.seed !== null,
    'The seed is not shown, or not the one promised.',
  );
  expect(match.rounds.length > 0, 'No round was played.');
  for (const { you, result } of views) {
    const guid = you.player?.playerGuid;
    const verdict = guid === cheater ? 'mismatch' : 'verified';
    for (const { roundNumber, scores } of match.rounds) {
      const own = scores.find(({ playerGuid }) => playerGuid === guid);
      expect(
        !own?.submitted || own.replay === verdict,
        `The replay of ${you.player?.username} in round ${roundNumber} is ${own?.replay}, not ${verdict}.`,
      );
    }
    const shown = match.result?.ratings.find(({ playerGuid }) => playerGuid === guid);
    expect(result !== null && result.winnerGuid === match.result?.winnerGuid, 'The winners disagree.');
    expect(
      shown?.before === result?.ratingBefore && shown?.after === result?.ratingAfter,
      'The ratings disagree.',
    );
    const profile = await fetch(`${stack.url}/players/${guid}`);
    const { ratings } = (await profile.json()) as { ratings: { rating: number }[] };
    expect(
      !views[0].rated || ratings.some(({ rating }) => rating === shown?.after),
      'The profile does not show the new rating.',
    );
  }
  return problems;
}

/** How many replays of a match staff have been shown to look at. */
async function listedForReview(stack: Stack, matchGuid: string): Promise<number> {
  const token = await stack.identityProvider.accountToken('admin');
  const answer = await fetch(`${stack.url}/replay-reviews?status=open&matchGuid=${matchGuid}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { items: unknown[] }).items.length;
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      matches: { type: 'string', default: '1' },
      seed: { type: 'string' },
      log: { type: 'string' },
      cheat: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    return;
  }
  const matches = Number(values.matches);
  if (!Number.isInteger(matches) || matches < 1 || matches > 100)
    throw new LocalProblem('--matches must be a whole number from 1 to 100.');
  const chosen = values.seed ?? randomBytes(4).toString('hex');

  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(styleText('dim', `Starting PostgreSQL, identity provider, map host and service (seed ${chosen}) …`));
  const stack = await startStack({
    ports: { service: 0, identityProvider: 0, mapHost: 0 },
    randomness: seededRandomness(`deals ${chosen}`),
    environment: {
      MATCHMAKING_INTERVAL_MS: '50',
      COUNTDOWN_SECONDS: '0.2',
      ROUND_RESULTS_SECONDS: '0.3',
      // The same two play again at once.
      REMATCH_SECONDS: '0.001',
      DRAIN_DELAY_SECONDS: '0.01',
    },
  });
  const stopEarly = () => {
    stack.stop().finally(() => process.exit(130));
  };
  process.once('SIGINT', stopEarly);
  process.once('SIGTERM', stopEarly);
  whenOrphaned(stopEarly);
  try {
    const { queueGuid, poolGuid } = await seed(stack);
    say(styleText('dim', `Seeded through the REST API: ${stack.url}/pools/${poolGuid}/maps`));
    const exhibition = await openExhibition({
      stack,
      queueGuid,
      fractionFor: (player) => seededRandomness(`play of ${player} ${chosen}`).fraction,
      thinkMs: 40,
      songMs: 0,
      stream: process.stdout,
      cheat: values.cheat,
    });
    let last: string | undefined;
    for (let number = 1; number <= matches; number++) {
      say(`\n${styleText('bold', `Match ${number} of ${matches}`)}`);
      const views = await exhibition.play();
      last = views[0].matchGuid;
      const cheater = values.cheat ? views[1].you.player?.playerGuid : undefined;
      const problems = await check(stack, views, cheater);
      if (problems.length > 0) throw new LocalProblem(`Match ${number}:\n  ${problems.join('\n  ')}`);
      say(
        styleText(
          'dim',
          `Checked through the REST API: result, ratings and seed agree with what the players saw, ${values.cheat ? 'the honest replays are verified and the others are not' : 'every replay is verified'}.`,
        ),
      );
      if (values.cheat)
        say(
          `${await listedForReview(stack, last)} replays are listed for review: ${stack.url}/replay-reviews. The result stands until staff undo it.`,
        );
    }
    exhibition.close();
    if (values.log !== undefined && last !== undefined) {
      const log = await fetch(`${stack.url}/matches/${last}/log`);
      await writeFile(values.log, await log.text());
      say(`\nThe log of the last match can be checked with npm run replay-log -- ${values.log}`);
    }
    say(`\n${styleText('green', `${matches} ${matches === 1 ? 'match' : 'matches'} played and checked.`)}`);
  } finally {
    await stack.stop();
  }
}

try {
  await run();
  process.exit(0);
} catch (error) {
  const told =
    error instanceof LocalProblem ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(
    `${styleText('red', 'The demonstration failed.', { stream: process.stderr })} ${told}\n`,
  );
  process.exit(1);
}
