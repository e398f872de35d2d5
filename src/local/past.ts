import { packed } from '../domains/matches/log-store.ts';
import { type MatchMap, type MatchSetup, RULES_VERSION } from '../domains/matches/state.ts';
import { matchMapsOf, storedText } from '../domains/matches/stored-state.ts';
import { usageOf } from '../domains/matches/usage.ts';
import { addUsage } from '../domains/matches/usage-store.ts';
import {
  afterMatch,
  counted,
  EMPTY_TALLY,
  expectedScore,
  isProvisional,
  NEWCOMER,
  type Strength,
  shownRating,
  type Tally,
} from '../domains/ratings/rules.ts';
import { newGuid } from '../platform/clock.ts';
import { type Db, openDatabase } from '../platform/database/database.ts';
import { type PastMatch, playPastMatch } from './past-match.ts';
import { seededRandomness } from './random.ts';
import { DAY_MS, openMore, SEASON_DAYS } from './seed.ts';
import type { Stack } from './stack.ts';

/**
 * A past for the local stack: two seasons before the running one, a second queue, and ladders of two hundred players.
 * Matches are played by the rules and written into the database, so that each of them can be proved; over the API they
 * would take hours.
 */

const PLAYERS = 200;
/** The number of matches on each ladder. */
const MATCHES = 200;
/** The longest time that it may take, on a machine that is slow and busy. */
const WRITE_MS = 300_000;

const FIRST = ['Amber', 'Brave', 'Calm', 'Daring', 'Eager', 'Fast', 'Gentle', 'Hasty', 'Icy', 'Jolly'];
const LAST = ['Badger', 'Comet', 'Drum', 'Echo', 'Falcon', 'Glider', 'Heron', 'Iris', 'Jackal', 'Kite'];

/** The part of the setup that is the same in all matches. */
const SETUP = {
  rulesVersion: RULES_VERSION,
  rated: true,
  maxDiscards: 2,
  replaysRequired: false,
  limits: {
    joinMs: 30_000,
    discardMs: 60_000,
    pickMs: 45_000,
    prepareMs: 120_000,
    countdownMs: 5000,
    scoreGraceMs: 30_000,
    roundResultsMs: 6000,
    scoreEarliestShare: 0.8,
    reconnectGraceMs: 60_000,
    reconnectBudgetMs: 180_000,
  },
};

interface Person {
  playerGuid: string;
  skill: number;
}

type LadderRating = Strength & Tally;

interface PastLadder {
  queueGuid: string;
  seasonGuid: string;
  poolGuid: string;
  /** When its first match began, and how long there were matches. */
  from: number;
  forMs: number;
}

/** Plays the matches of a ladder one after the other, each between players of about the same strength. */
function playLadder(
  ladder: PastLadder,
  people: readonly Person[],
  pool: MatchMap[],
  { fraction, bytes }: ReturnType<typeof seededRandomness>,
) {
  const ladderRatings = new Map<string, LadderRating>();
  const played: (PastMatch & {
    ratings: Record<'red' | 'blue', { before: number; after: number }>;
    redExpected: number;
  })[] = [];
  const changes: object[] = [];
  const skills = new Map(people.map(({ playerGuid, skill }) => [playerGuid, skill]));
  const ratingOf = (playerGuid: string): LadderRating =>
    ladderRatings.get(playerGuid) ?? { ...NEWCOMER, ...EMPTY_TALLY };
  const entrant = ({ playerGuid }: Person): MatchSetup['players'][number] => {
    const before = ratingOf(playerGuid);
    return {
      playerGuid,
      rating: shownRating(before),
      provisional: isProvisional(before),
      connected: true,
      record: { leftBeforeFirstPick: 0, earlyForfeits: 0 },
    };
  };
  for (let nth = 0; nth < MATCHES; nth++) {
    const a = people[nth % people.length];
    const b = people[(nth + 1 + Math.floor(fraction() * 20)) % people.length];
    if (a === undefined || b === undefined || a === b) continue;
    const { queueGuid, seasonGuid, poolGuid } = ladder;
    const setup: MatchSetup = {
      ...SETUP,
      matchGuid: newGuid(),
      queueGuid,
      seasonGuid,
      poolGuid,
      seed: Buffer.from(bytes(32)).toString('hex'),
      players: [entrant(a), entrant(b)],
      pool,
    };
    const startedAt = Math.round(ladder.from + (nth / MATCHES) * ladder.forMs);
    const match = playPastMatch(setup, startedAt, (guid) => skills.get(guid) ?? 0.8, fraction);
    const { red, blue } = match.state.seats;
    const winner = match.state.result?.winner ?? null;
    const score = winner === null ? 0.5 : winner === 'red' ? 1 : 0;
    const before = { red: ratingOf(red.playerGuid), blue: ratingOf(blue.playerGuid) };
    const after = afterMatch(before.red, before.blue, score);
    const ratings = {
      red: { before: shownRating(before.red), after: shownRating(after.red) },
      blue: { before: shownRating(before.blue), after: shownRating(after.blue) },
    };
    played.push({ ...match, ratings, redExpected: expectedScore(before.red, before.blue) });
    for (const [seat, points] of [
      ['red', score],
      ['blue', 1 - score],
    ] as const) {
      const { playerGuid } = match.state.seats[seat];
      ladderRatings.set(playerGuid, { ...counted(before[seat], points as 0 | 0.5 | 1), ...after[seat] });
      changes.push({
        matchGuid: setup.matchGuid,
        playerGuid,
        queueGuid,
        seasonGuid,
        score: points,
        at: new Date(match.state.endedAt ?? startedAt),
        muBefore: before[seat].mu,
        sigmaBefore: before[seat].sigma,
        muAfter: after[seat].mu,
        sigmaAfter: after[seat].sigma,
      });
    }
  }
  return { played, changes, ladderRatings };
}

/** Inserts many rows at once: `createMany` compiles every value, which takes seconds for a ladder. */
async function insert(
  prisma: Db,
  table: 'Player' | 'Match' | 'MatchArchive' | 'RatingChange' | 'Rating' | 'LadderCount',
  rows: readonly object[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
    .map((name) => `"${name}"`)
    .join(', ');
  await prisma.$executeRawUnsafe(
    `INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(null::"${table}", $1::jsonb)`,
    JSON.stringify(rows),
  );
}

/** Writes a ladder with its matches. */
async function storeLadder(
  db: Db,
  ladder: PastLadder,
  { played, changes, ladderRatings }: ReturnType<typeof playLadder>,
) {
  const { queueGuid, seasonGuid, poolGuid } = ladder;
  await db.ladder.createMany({ data: [{ queueGuid, seasonGuid }], skipDuplicates: true });
  await insert(
    db,
    'Match',
    played.map(({ state, ratings }) => ({
      matchGuid: state.matchGuid,
      queueGuid,
      seasonGuid,
      poolGuid,
      rulesVersion: state.rulesVersion,
      redGuid: state.seats.red.playerGuid,
      blueGuid: state.seats.blue.playerGuid,
      status: state.status,
      version: state.version,
      state: JSON.parse(storedText(state)),
      rated: true,
      ratings,
      startedAt: new Date(state.createdAt),
      endedAt: new Date(state.endedAt ?? state.createdAt),
      outcome: state.result?.outcome ?? null,
      reason: state.result?.reason ?? null,
      winnerGuid: state.result?.winner ? state.seats[state.result.winner].playerGuid : null,
      scoredRounds: state.rounds.filter((round) => !round.void).length,
      isArchived: true,
    })),
  );
  await insert(
    db,
    'MatchArchive',
    played.map(({ state: { matchGuid }, lines }) => ({
      matchGuid,
      log: `\\x${packed(lines).toString('hex')}`,
    })),
  );
  await insert(db, 'RatingChange', changes);
  await insert(
    db,
    'Rating',
    [...ladderRatings].map(([playerGuid, { mu, sigma, ...tally }]) => ({
      queueGuid,
      seasonGuid,
      playerGuid,
      mu,
      sigma,
      rating: shownRating({ mu }),
      ...tally,
    })),
  );
  await insert(
    db,
    'LadderCount',
    [...ladderRatings.values()].map((strength) => ({
      queueGuid,
      seasonGuid,
      rating: shownRating(strength),
      players: 1,
    })),
  );
  const usage = played.flatMap(({ state, redExpected }) => usageOf(state, redExpected));
  await addUsage(db, poolGuid, usage);
}

/** Invents people, the strongest first. */
async function storePeople(db: Db, now: number, fraction: () => number): Promise<Person[]> {
  const people = Array.from({ length: PLAYERS }, (_, nth) => ({
    playerGuid: newGuid(),
    skill: 0.95 - (nth / PLAYERS) * 0.3 + (fraction() - 0.5) * 0.06,
    username: `${FIRST[nth % 10]} ${LAST[Math.floor(nth / 10) % 10]}${nth < 100 ? '' : ' II'}`,
  }));
  await insert(
    db,
    'Player',
    people.map(({ playerGuid, username }, nth) => ({
      playerGuid,
      username,
      subject: `past:${nth}`,
      platformId: `90000000000100${String(nth).padStart(2, '0')}`,
      joinedAt: new Date(now - 3 * SEASON_DAYS * DAY_MS + nth * DAY_MS * 0.3),
      providerRoles: [],
      tokenIssuedAt: new Date(now),
    })),
  );
  return people;
}

/**
 * Fills a stack that has no match yet, also when an earlier start was interrupted. A ladder of the running season covers nine
 * tenths of the time since its beginning.
 */
export async function seedPast(
  stack: Pick<Stack, 'url' | 'identityProvider' | 'databaseUrl'>,
  { queueGuid, poolGuid }: { queueGuid: string; poolGuid: string },
) {
  const now = Date.now();
  const randomness = seededRandomness('the past of the local stack');
  const { prisma, close } = openDatabase({ url: stack.databaseUrl });
  try {
    if ((await prisma.match.findFirst({ select: { matchGuid: true } })) !== null) return;
    const { seasons, running, secondQueueGuid } = await openMore(stack, poolGuid);
    const write = async (db: Db): Promise<void> => {
      // The ladders are played between the statements.
      await db.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      const people = await storePeople(db, now, randomness.fraction);
      const pool = [...(await matchMapsOf(db, poolGuid)).values()];
      const spans = [
        ...seasons.map((season) => ({ ...season, forMs: SEASON_DAYS * DAY_MS * 0.99 })),
        { ...running, forMs: (now - running.from) * 0.9 },
      ];
      for (const { seasonGuid, from, forMs } of spans)
        for (const queue of [queueGuid, secondQueueGuid]) {
          const ladder = { queueGuid: queue, seasonGuid, poolGuid, from, forMs };
          await storeLadder(db, ladder, playLadder(ladder, people, pool, randomness));
        }
    };
    await prisma.$transaction(write, { timeout: WRITE_MS });
  } finally {
    await close();
  }
}
