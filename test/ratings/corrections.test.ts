import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  formerStepsOf,
  lockLadder,
  type MatchScore,
  rankOf,
  rateAgain,
  rateMatch,
} from '../../src/domains/ratings/index.ts';
import { sumCounts } from '../../src/domains/ratings/ladder-store.ts';
import { counted, EMPTY_TALLY, NEWCOMER, rateInOrder, shownRating } from '../../src/domains/ratings/rules.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const START = Date.parse('2026-03-01T12:00:00.000Z');

interface Played {
  matchGuid: string;
  at: number;
  red: string;
  blue: string;
  score: MatchScore | null;
}

/** A ladder of its own with matches that end a minute apart, each rated as it ends. */
class Ladder {
  readonly queueGuid = newGuid();
  readonly seasonGuid = newGuid();
  readonly played: Played[] = [];

  async ends(red: string, blue: string, score: MatchScore | null): Promise<Played> {
    const { queueGuid, seasonGuid } = this;
    const match = { matchGuid: newGuid(), at: START + this.played.length * 60_000, red, blue, score };
    await database.prisma.match.create({
      data: {
        matchGuid: match.matchGuid,
        queueGuid,
        seasonGuid,
        poolGuid: newGuid(),
        redGuid: red,
        blueGuid: blue,
        status: 'completed',
        version: 1,
        rulesVersion: 2,
        state: {},
        rated: true,
        startedAt: new Date(match.at),
        endedAt: new Date(match.at),
      },
    });
    this.played.push(match);
    await inTransaction(database, [], (db) => rateMatch(db, { ...match, queueGuid, seasonGuid }));
    return match;
  }

  correct(match: Played, score: MatchScore | null) {
    match.score = score;
    const [first, ...later] = this.played.slice(this.played.indexOf(match));
    if (first === undefined) throw new Error('This match was played elsewhere.');
    return inTransaction(database, [], async (db) => {
      await lockLadder(db, this);
      const { queueGuid, seasonGuid } = this;
      return rateAgain(db, { queueGuid, seasonGuid, matches: [first, ...later], now: START });
    });
  }

  /** The stored ladder, and the expected one: every match rated once more from the beginning. */
  async compared() {
    const { queueGuid, seasonGuid } = this;
    const where = { queueGuid, seasonGuid };
    const rated = rateInOrder(this.played, new Map());
    const history = rated.flatMap(({ match, red, blue }) =>
      match.score === null
        ? []
        : [
            { ...match, playerGuid: match.red, score: match.score, ...red },
            { ...match, playerGuid: match.blue, score: 1 - match.score, ...blue },
          ],
    );
    const playerGuids = [...new Set(this.played.flatMap(({ red, blue }) => [red, blue]))].sort();
    const standing = playerGuids.map((playerGuid) => {
      const own = history.filter((row) => row.playerGuid === playerGuid);
      const { mu, sigma } = own.at(-1)?.after ?? NEWCOMER;
      const tally = own.reduce((sum, { score }) => counted(sum, score as MatchScore), EMPTY_TALLY);
      return { ...where, playerGuid, mu, sigma, rating: shownRating({ mu }), ...tally };
    });
    const counts = await database.prisma.ladderCount.groupBy({
      by: ['rating'],
      where,
      _sum: { players: true },
      orderBy: { rating: 'asc' },
    });
    const onLadder = standing.filter(({ wins, losses, draws }) => wins + losses + draws > 0);
    const ratings = [...new Set(onLadder.map(({ rating }) => rating))].sort((a, b) => a - b);
    const byMatchAndPlayer = (a: { at: Date; playerGuid: string }, b: { at: Date; playerGuid: string }) =>
      a.at.getTime() - b.at.getTime() || (a.playerGuid < b.playerGuid ? -1 : 1);
    return {
      stored: {
        standing: await database.prisma.rating.findMany({ where, orderBy: { playerGuid: 'asc' } }),
        counts: counts.map(({ rating, _sum }) => [rating, _sum.players]).filter(([, players]) => players),
        history: (await database.prisma.ratingChange.findMany({ where })).sort(byMatchAndPlayer),
      },
      expected: {
        standing,
        counts: ratings.map((rating) => [rating, onLadder.filter((row) => row.rating === rating).length]),
        history: history
          .map(({ matchGuid, at, playerGuid, score, before, after }) => ({
            ...where,
            matchGuid,
            playerGuid,
            at: new Date(at),
            score,
            muBefore: before.mu,
            sigmaBefore: before.sigma,
            muAfter: after.mu,
            sigmaAfter: after.sigma,
          }))
          .sort(byMatchAndPlayer),
      },
    };
  }
}

test('a ladder with corrected results is the ladder those results would have made', async () => {
  const players = Array.from({ length: 5 }, newGuid);
  const ladder = new Ladder();
  const scores = [1, 0, 0.5, 1, null] as const;
  // Small coprime steps meet every pair and every score.
  for (let n = 0; n < 24; n++) {
    const red = players[n % 5] as string;
    const blue = players[(n + 1 + (n % 4)) % 5] as string;
    await ladder.ends(red, blue, scores[(n * 7) % 5] ?? null);
  }
  for (const [at, score] of [
    [20, null],
    [3, 0],
    [3, null],
    [0, null],
    [10, 0.5],
    [0, 1],
    [23, 1],
  ] as const) {
    const match = ladder.played[at] as Played;
    const { shown } = await ladder.correct(match, score);
    const { stored, expected } = await ladder.compared();
    expect(stored, `match ${at} counts ${score}`).toEqual(expected);
    expect(shown.map(({ matchGuid }) => matchGuid)).toEqual(
      ladder.played.slice(at).map(({ matchGuid }) => matchGuid),
    );
  }
});

test('a correction keeps the replaced history and changes no other players', async () => {
  const [a, b, c, d, e] = Array.from({ length: 5 }, newGuid) as [string, string, string, string, string];
  const ladder = new Ladder();
  const first = await ladder.ends(a, b, 1);
  const apart = await ladder.ends(d, e, 1);
  const later = await ladder.ends(b, c, 0.5);
  const before = await database.prisma.ratingChange.findMany({ where: { matchGuid: later.matchGuid } });
  await ladder.correct(first, 0);

  const former = await database.prisma.formerRatingChange.findMany({
    where: { queueGuid: ladder.queueGuid },
    orderBy: { at: 'asc' },
  });
  expect(former.map(({ matchGuid }) => matchGuid)).not.toContain(apart.matchGuid);
  expect(former).toHaveLength(4);
  expect(new Set(former.map((row) => [row.correctionGuid, row.correctedMatchGuid].join())).size).toBe(1);
  for (const row of before) expect(former).toContainEqual(expect.objectContaining(row));
  const redFirst = await formerStepsOf(database.prisma, first.matchGuid);
  expect(redFirst.find(({ playerGuid }) => playerGuid === a)).toEqual({
    playerGuid: a,
    before: 1000,
    after: 1079,
    replacedAt: START,
  });
});

test('a correction to no contest gives no rating to a player without a counted match', async () => {
  const [a, b] = [newGuid(), newGuid()];
  const ladder = new Ladder();
  const match = await ladder.ends(a, b, null);
  const { shown } = await ladder.correct(match, null);
  expect(shown).toEqual([
    { matchGuid: match.matchGuid, red: { before: 1000, after: 1000 }, blue: { before: 1000, after: 1000 } },
  ]);
  expect(await database.prisma.rating.count({ where: { queueGuid: ladder.queueGuid } })).toBe(0);
});

test('matches that end during corrections are rated once, on the corrected ladder', async () => {
  const players = Array.from({ length: 6 }, newGuid);
  const ladder = new Ladder();
  for (let n = 0; n < 6; n++) await ladder.ends(players[n % 6] as string, players[(n + 1) % 6] as string, 1);
  const [first, second] = ladder.played as [Played, Played];
  const { queueGuid, seasonGuid } = ladder;
  // Each correction reads the matches it has to rate again as the service does: once it holds the ladder.
  const correct = (match: Played, score: MatchScore | null) =>
    inTransaction(database, [], async (db) => {
      await lockLadder(db, ladder);
      match.score = score;
      const stored = await db.ratingChange.findMany({ where: { queueGuid, seasonGuid } });
      const known = new Set([...stored.map((row) => row.matchGuid), first.matchGuid, second.matchGuid]);
      const matches = ladder.played
        .slice(ladder.played.indexOf(match))
        .filter(({ matchGuid }) => known.has(matchGuid)) as [Played, ...Played[]];
      return rateAgain(db, { queueGuid, seasonGuid, matches, now: START });
    });
  await Promise.all([
    correct(first, null),
    ladder.ends(players[0] as string, players[1] as string, 0),
    sumCounts(database.prisma),
    correct(second, 0.5),
    sumCounts(database.prisma),
    correct(first, 0),
  ]);
  const { stored, expected } = await ladder.compared();
  expect(stored).toEqual(expected);
});

test('the counts of a ladder are one row for each rating once they are summed up, and ranks stay the same', async () => {
  const players = Array.from({ length: 8 }, newGuid);
  const ladder = new Ladder();
  for (let n = 0; n < 20; n++)
    await ladder.ends(players[n % 8] as string, players[(n * 3 + 1) % 8] as string, n % 3 === 0 ? 0.5 : 1);
  const { queueGuid, seasonGuid } = ladder;
  const ranks = () =>
    Promise.all(players.map((guid) => rankOf(database.prisma, queueGuid, seasonGuid, guid)));
  const before = await ranks();
  while ((await sumCounts(database.prisma)) > 0);
  expect(await ranks()).toEqual(before);

  const { stored, expected } = await ladder.compared();
  expect(stored).toEqual(expected);
  const rows = await database.prisma.ladderCount.findMany({ where: { queueGuid } });
  expect(rows.map(({ rating }) => rating).sort((a, b) => a - b)).toEqual(
    expected.counts.map(([rating]) => rating),
  );
  const ratings = expected.standing.filter(({ wins, losses, draws }) => wins + losses + draws > 0);
  const naive = players.map((guid) => {
    const own = ratings.find(({ playerGuid }) => playerGuid === guid);
    return own === undefined ? null : ratings.filter(({ rating }) => rating > own.rating).length + 1;
  });
  expect(before).toEqual(naive);
});
