import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endedAfter } from '../../src/domains/matches/ratings-store.ts';
import {
  type Correction,
  correct,
  formerStepsOf,
  lockCorrections,
  type MatchScore,
  previewCorrection,
  rateMatch,
  type ShownAgain,
} from '../../src/domains/ratings/index.ts';
import { ratingsOfPlayer, sumCounts } from '../../src/domains/ratings/ladder-store.ts';
import {
  counted,
  EMPTY_TALLY,
  NEWCOMER,
  type StrengthChange,
  shownRating,
} from '../../src/domains/ratings/rules.ts';
import { ladderLock } from '../../src/domains/ratings/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { type Db, inTransaction } from '../../src/platform/database/database.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { endMatch, storeRunningMatch } from './ended-match.ts';
import { ratedInOrder } from './rated-in-order.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const START = Date.parse('2026-03-01T12:00:00.000Z');

interface Played {
  matchGuid: string;
  sequence: number;
  at: number;
  red: string;
  blue: string;
  score: MatchScore | null;
}

/** Matches that a correction reads at once: few, so that it reads several times. */
const SLICE = 4;

/** A ladder of its own with matches that end a minute apart, each rated as it ends. */
class Ladder {
  readonly queueGuid = newGuid();
  readonly seasonGuid = newGuid();
  /** In the order in which they ended. */
  readonly played: Played[] = [];

  async ends(
    red: string,
    blue: string,
    score: MatchScore | null,
    at = START + this.played.length * 60_000,
  ): Promise<Played> {
    const end = await this.begins(red, blue);
    return end(score, at);
  }

  /** @returns ends the match */
  async begins(red: string, blue: string) {
    const ladder = { queueGuid: this.queueGuid, seasonGuid: this.seasonGuid };
    const players = { matchGuid: newGuid(), red, blue };
    const sequence = await storeRunningMatch(database.prisma, { ...players, ...ladder, at: START });
    return async (score: MatchScore | null, at = START + this.played.length * 60_000): Promise<Played> => {
      const match = { ...players, sequence, at, score };
      this.played.push(match);
      await inTransaction(database, [], async (db) => {
        await endMatch(db, match);
        await rateMatch(db, { ...match, ...ladder });
      });
      return match;
    };
  }

  /** What a correction of a match reads, with the results as they are here. */
  correctionOf(db: Db, corrected: Played): Correction {
    return {
      queueGuid: this.queueGuid,
      seasonGuid: this.seasonGuid,
      corrected,
      now: START,
      endedAfter: async (after, without) => {
        const rows = await endedAfter(db, this, after, without);
        const scores = new Map(this.played.map(({ matchGuid, score }) => [matchGuid, score]));
        return rows.slice(0, SLICE).map(({ matchGuid, sequence, redGuid, blueGuid }) => ({
          matchGuid,
          sequence,
          red: redGuid,
          blue: blueGuid,
          score: scores.get(matchGuid) ?? null,
        }));
      },
    };
  }

  /**
   * @param meanwhile called after the first slice was read
   * @returns how often it was carried out
   */
  async correct(
    match: Played,
    score: MatchScore | null,
    meanwhile: () => Promise<unknown> = async () => undefined,
  ) {
    let [hasRead, attempts] = [false, 0];
    const shown = await inTransaction(database, [], async (db) => {
      attempts += 1;
      await lockCorrections(db, this);
      match.score = score;
      const shown: ShownAgain[] = [];
      const correction = this.correctionOf(db, match);
      const endedAfter: Correction['endedAfter'] = async (...after) => {
        const matches = await correction.endedAfter(...after);
        if (!hasRead) await meanwhile();
        hasRead = true;
        return matches;
      };
      await correct(db, { ...correction, endedAfter }, async (some) => {
        shown.push(...some);
      });
      return shown;
    });
    return { shown, attempts };
  }

  /** The stored ladder, and the expected one: every match rated once more from the beginning. */
  async compared() {
    const { queueGuid, seasonGuid } = this;
    const where = { queueGuid, seasonGuid };
    const rated = ratedInOrder(this.played);
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

const stepOf = ({ before, after }: StrengthChange) => ({
  before: shownRating(before),
  after: shownRating(after),
});

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
    expect(shown).not.toEqual([]);
    const rated = new Map(ratedInOrder(ladder.played).map((one) => [one.match.matchGuid, one]));
    for (const { matchGuid, ...ratings } of shown) {
      const { red, blue } = rated.get(matchGuid) ?? {};
      const seats = { red: red && stepOf(red), blue: blue && stepOf(blue) };
      expect(seats).toMatchObject(ratings);
    }
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
  await Promise.all([
    ladder.correct(first, null),
    ladder.ends(players[0] as string, players[1] as string, 0),
    sumCounts(database.prisma),
    ladder.correct(second, 0.5),
    sumCounts(database.prisma),
    ladder.correct(first, 0),
  ]);
  const { stored, expected } = await ladder.compared();
  expect(stored).toEqual(expected);
});

test('matches are rated again in the order they were played when the clock was set back', async () => {
  const [a, b, c] = Array.from({ length: 3 }, newGuid) as [string, string, string];
  const ladder = new Ladder();
  await ladder.ends(b, a, 0.5, START + 5 * 60_000);
  await ladder.ends(a, c, 1, START - 10 * 60_000);
  const aborted = await ladder.ends(a, b, null, START);
  const first = await ladder.ends(a, b, 1, START + 10 * 60_000);
  await ladder.ends(c, a, 0, START + 60_000);
  await ladder.ends(b, c, 1, START + 120_000);
  await ladder.ends(a, c, 0.5, START - 60_000);
  await ladder.ends(b, a, 0, START + 20 * 60_000);
  for (const [match, score] of [
    [first, null],
    [aborted, 1],
    [first, 0],
  ] as const) {
    await ladder.correct(match, score);
    const { stored, expected } = await ladder.compared();
    expect(stored).toEqual(expected);
  }
});

describe('a match that ends while a correction runs', () => {
  const players = () =>
    Array.from({ length: 6 }, newGuid) as [string, string, string, string, string, string];

  test('is rated again, although later matches of other players were read', async () => {
    const [a, b, c, d, e, f] = players();
    const ladder = new Ladder();
    const first = await ladder.ends(a, b, 1);
    const end = await ladder.begins(a, d);
    for (let n = 0; n < 6; n++) await ladder.ends(b, c, 1);
    const unmoved = await ladder.begins(e, f);
    const { attempts } = await ladder.correct(first, 0, () => Promise.all([end(0.5), unmoved(1)]));
    expect(attempts).toBe(1);
    const { stored, expected } = await ladder.compared();
    expect(stored).toEqual(expected);
  });

  test('is rated again with a second attempt when the next match of a player was read before it', async () => {
    const [a, b, c, d, e] = players();
    const ladder = new Ladder();
    const first = await ladder.ends(a, b, 1);
    const end = await ladder.begins(a, d);
    for (let n = 0; n < 6; n++) await ladder.ends(b, c, 1);
    const { attempts } = await ladder.correct(first, 0, async () => {
      await end(0.5);
      await ladder.ends(d, e, 1);
    });
    expect(attempts).toBe(2);
    const { stored, expected } = await ladder.compared();
    expect(stored).toEqual(expected);
  });
});

test('a correction that waits too long for another one is refused with the reason', async () => {
  const ladder = new Ladder();
  const second = inTransaction(database, [], async (db) => {
    await lockCorrections(db, ladder);
    await inTransaction(database, [], async (other) => {
      await other.$executeRaw`SET LOCAL lock_timeout = 1`;
      await lockCorrections(other, ladder);
    });
  });
  await expect(second).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('being rated again after another decision'),
    headers: { 'retry-after': '5' },
  });
});

test('a correction locks the ladder only while it reads the matches that ended since it began', async () => {
  const [a, b, c, d] = Array.from({ length: 4 }, newGuid) as [string, string, string, string];
  const ladder = new Ladder();
  const first = await ladder.ends(a, b, 1);
  const end = await ladder.begins(a, d);
  for (let n = 0; n < 6; n++) await ladder.ends(b, c, 1);
  const seen: string[] = [];
  await inTransaction(database, [], async (db) => {
    first.score = 0;
    const correction = ladder.correctionOf(db, first);
    const endedAfter: Correction['endedAfter'] = async (...after) => {
      const isHeld = await database.prisma.$transaction(async (other) => {
        const [row] = await other.$queryRaw<{ isFree: boolean }[]>`
          SELECT pg_try_advisory_xact_lock_shared(hashtextextended(${ladderLock(ladder)}, 0)) AS "isFree"`;
        return row?.isFree === false;
      });
      const matches = await correction.endedAfter(...after);
      seen.push(`${isHeld ? 'held' : 'free'} ${matches.length}`);
      if (seen.length === 3) await end(1);
      return matches;
    };
    await correct(db, { ...correction, endedAfter }, async () => undefined);
  });
  expect(seen).toEqual(['free 4', 'free 2', 'free 0', 'held 1', 'held 0']);
  const { stored, expected } = await ladder.compared();
  expect(stored).toEqual(expected);
  expect(await ladder.ends(a, d, 1)).toBeDefined();
});

test('a preview names what the correction then changes, and writes nothing', async () => {
  const players = Array.from({ length: 5 }, newGuid);
  const ladder = new Ladder();
  for (let n = 0; n < 12; n++)
    await ladder.ends(
      players[n % 5] as string,
      players[(n + 1 + (n % 3)) % 5] as string,
      n % 4 === 3 ? null : 1,
    );
  for (const [nth, score] of [
    [2, 0],
    [3, 1],
    [2, null],
    [11, 0.5],
  ] as const) {
    const match = ladder.played[nth] as Played;
    const before = await ladder.compared();
    const { movers, ratedAgain } = await previewCorrection(
      database.prisma,
      ladder.correctionOf(database.prisma, { ...match, score }),
    );
    expect((await ladder.compared()).stored).toEqual(before.stored);
    const former = () =>
      database.prisma.formerRatingChange.findMany({ where: { queueGuid: ladder.queueGuid } });
    const kept = new Set((await former()).map(({ correctionGuid }) => correctionGuid));
    await ladder.correct(match, score);
    const replaced = (await former()).filter(({ correctionGuid }) => !kept.has(correctionGuid));
    const later = replaced.filter(({ matchGuid }) => matchGuid !== match.matchGuid);
    expect(new Set(later.map(({ matchGuid }) => matchGuid)).size).toBe(ratedAgain);
    const standing = new Map(
      (await ladder.compared()).stored.standing.map((row) => [
        row.playerGuid,
        { rating: row.rating, matches: row.wins + row.losses + row.draws },
      ]),
    );
    expect(movers).not.toEqual([]);
    for (const { playerGuid, after } of movers) expect(after).toEqual(standing.get(playerGuid));
  }
});

test('the counts of a ladder are one row for each rating after they are summed up, and ranks stay the same', async () => {
  const players = Array.from({ length: 8 }, newGuid);
  const ladder = new Ladder();
  for (let n = 0; n < 20; n++)
    await ladder.ends(players[n % 8] as string, players[(n * 3 + 1) % 8] as string, n % 3 === 0 ? 0.5 : 1);
  const { queueGuid } = ladder;
  const rankOf = async (guid: string) => (await ratingsOfPlayer(database.prisma, guid))[0]?.rank ?? null;
  const ranks = () => Promise.all(players.map(rankOf));
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
