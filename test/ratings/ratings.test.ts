import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensurePlayer } from '../../src/domains/players/index.ts';
import { queueErrors } from '../../src/domains/queues/index.ts';
import { createRatings, type MatchScore, rateMatch, ratingsOf } from '../../src/domains/ratings/index.ts';
import { afterMatch, NEWCOMER, shownRating } from '../../src/domains/ratings/rules.ts';
import { addToCounts } from '../../src/domains/ratings/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { inTransaction, isCollision } from '../../src/platform/database/database.ts';
import { commonErrors } from '../../src/platform/errors.ts';
import type { Http } from '../../src/platform/http/server.ts';
import { type AuthFixture, openAuth, openHttp } from '../auth/fixture.ts';
import { storeEndedMatch } from './ended-match.ts';

let fixture: AuthFixture;
let app: Http;
let ratings: ReturnType<typeof createRatings>;
let queueGuid: string;
let seasonGuid: string;
const knownQueues = new Map<string, string>();

beforeAll(async () => {
  fixture = await openAuth();
  ratings = createRatings({
    database: fixture.database,
    queueErrors,
    seasonOfLadder: async (queue, asked) => {
      const season = knownQueues.get(queue);
      if (season === undefined) throw commonErrors.NOT_FOUND();
      return asked ?? season;
    },
  });
  app = await openHttp(fixture, async (http) => {
    await ratings.routes(http);
  });
});
afterAll(async () => {
  await app.close();
  await fixture.close();
});
beforeEach(() => {
  queueGuid = newGuid();
  seasonGuid = newGuid();
  knownQueues.set(queueGuid, seasonGuid);
});

const db = () => fixture.database.prisma;
let minute = 0;

/** Stores a match that has ended, to which a history row points. */
async function endedMatch(red: string, blue: string): Promise<string> {
  const matchGuid = newGuid();
  await storeEndedMatch(db(), { matchGuid, queueGuid, seasonGuid, red, blue, at: fixture.clock.now() });
  return matchGuid;
}
async function rated(red: string, blue: string, score: MatchScore, matchGuid?: string) {
  const match = matchGuid ?? (await endedMatch(red, blue));
  minute += 1;
  const at = fixture.clock.now() + minute * 60_000;
  return inTransaction(fixture.database, [], (tx) =>
    rateMatch(tx, { matchGuid: match, queueGuid, seasonGuid, at, red, blue, score }),
  );
}
const player = async (username: string) => {
  const identity = { platformId: null, username, avatarUrl: null, providerRoles: null, issuedAt: 0 };
  return (await ensurePlayer(fixture.database, { ...identity, subject: newGuid() }, fixture.clock.now()))
    .playerGuid;
};
const rowOf = (playerGuid: string) =>
  db().rating.findUnique({
    where: { queueGuid_seasonGuid_playerGuid: { queueGuid, seasonGuid, playerGuid } },
  });

describe('rating a match', () => {
  test('changes both players by the rules and writes one history row each', async () => {
    const [red, blue] = [newGuid(), newGuid()];
    const matchGuid = await endedMatch(red, blue);
    const expected = afterMatch(NEWCOMER, NEWCOMER, 1);
    const steps = await rated(red, blue, 1, matchGuid);
    expect(steps).toEqual({
      red: { before: 1000, after: shownRating(expected.red) },
      blue: { before: 1000, after: shownRating(expected.blue) },
    });
    expect(await rowOf(red)).toMatchObject({
      ...expected.red,
      rating: 1079,
      wins: 1,
      losses: 0,
      draws: 0,
      winStreak: 1,
    });
    expect(await rowOf(blue)).toMatchObject({
      ...expected.blue,
      rating: 921,
      wins: 0,
      losses: 1,
      draws: 0,
      winStreak: 0,
    });
    const history = await db().ratingChange.findMany({ where: { matchGuid }, orderBy: { score: 'desc' } });
    expect(history).toMatchObject([
      { playerGuid: red, score: 1, muBefore: 25, sigmaBefore: 25 / 3, muAfter: expected.red.mu },
      { playerGuid: blue, score: 0, muBefore: 25, sigmaBefore: 25 / 3, muAfter: expected.blue.mu },
    ]);
  });

  test('happens once, also when it is asked for many times at once', async () => {
    const [red, blue] = [newGuid(), newGuid()];
    const matchGuid = await endedMatch(red, blue);
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => rated(red, blue, 0, matchGuid)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(isCollision(answer.reason)).toBe(true);
    const before = await rowOf(blue);
    await expect(rated(red, blue, 1, matchGuid), 'nor with another score').rejects.toSatisfy(isCollision);
    expect(await rowOf(blue)).toEqual(before);
    expect(before).toMatchObject({ wins: 1, losses: 0 });
    expect(await db().ratingChange.count({ where: { matchGuid } })).toBe(2);
  });

  test('counts every match when the same two players end many at once, in either seat', async () => {
    const [one, two] = [newGuid(), newGuid()];
    const matches = await Promise.all(Array.from({ length: 12 }, () => endedMatch(one, two)));
    await Promise.all(
      matches.map((matchGuid, n) =>
        n % 2 === 0 ? rated(one, two, 1, matchGuid) : rated(two, one, 0, matchGuid),
      ),
    );
    expect(await rowOf(one)).toMatchObject({ wins: 12, losses: 0, winStreak: 12 });
    expect(await rowOf(two)).toMatchObject({ wins: 0, losses: 12 });
    const changes = await db().ratingChange.findMany({ where: { playerGuid: one } });
    const starts = new Set(changes.map(({ muBefore }) => muBefore));
    expect(starts.size, 'each match began where another ended').toBe(12);
  });

  test('is not stored when its transaction fails', async () => {
    const [red, blue] = [newGuid(), newGuid()];
    const matchGuid = await endedMatch(red, blue);
    const doomed = inTransaction(fixture.database, [], async (tx) => {
      await rateMatch(tx, { matchGuid, queueGuid, seasonGuid, at: 0, red, blue, score: 1 });
      throw new Error('the result could not be stored');
    });
    await expect(doomed).rejects.toThrow('the result could not be stored');
    expect(await rowOf(red)).toBeNull();
    expect((await ratingsOf(db(), { queueGuid, seasonGuid }, [red]))(red)).toEqual({
      ...NEWCOMER,
      rating: 1000,
      provisional: true,
    });
  });

  test('can be computed again from the history in order of end', async () => {
    const everyone = [newGuid(), newGuid(), newGuid()] as const;
    const [a, b, c] = everyone;
    for (const [red, blue, score] of [
      [a, b, 1],
      [b, c, 0.5],
      [c, a, 0],
      [a, b, 0],
      [b, c, 1],
    ] as const)
      await rated(red, blue, score);
    const changes = await db().ratingChange.findMany({
      where: { queueGuid, seasonGuid },
      orderBy: [{ at: 'asc' }, { matchGuid: 'asc' }, { playerGuid: 'asc' }],
    });
    const strengths = new Map(everyone.map((guid) => [guid as string, NEWCOMER]));
    for (let n = 0; n < changes.length; n += 2) {
      const [one, two] = [changes[n], changes[n + 1]];
      if (one === undefined || two === undefined) throw new Error('a match has two history rows');
      const { red, blue } = afterMatch(
        strengths.get(one.playerGuid) ?? NEWCOMER,
        strengths.get(two.playerGuid) ?? NEWCOMER,
        one.score as MatchScore,
      );
      strengths.set(one.playerGuid, red).set(two.playerGuid, blue);
    }
    for (const guid of everyone) {
      const { mu, sigma } = (await ratingsOf(db(), { queueGuid, seasonGuid }, [guid]))(guid);
      expect(mu).toBeCloseTo(strengths.get(guid)?.mu ?? 0, 9);
      expect(sigma).toBeCloseTo(strengths.get(guid)?.sigma ?? 0, 9);
    }
  });
});

describe('a ladder', () => {
  /** A row as a history of matches would leave it. */
  const stand = async (username: string, rating: number, wins = 1) => {
    const playerGuid = await player(username);
    const mu = 25 + (rating - 1000) / 30;
    await db().rating.create({
      data: {
        queueGuid,
        seasonGuid,
        playerGuid,
        mu,
        sigma: 3,
        rating,
        wins,
        losses: 0,
        draws: 0,
        winStreak: wins,
      },
    });
    await addToCounts(db(), { queueGuid, seasonGuid }, [playerGuid], 1);
    return playerGuid;
  };
  const read = async (query = '', queue = queueGuid) => {
    const answer = await app.inject(`/leaderboards/${queue}${query}`);
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  };
  interface Entry {
    rank: number;
    rating: number;
    player: { username: string };
  }
  const lines = (entries: Entry[]) =>
    entries.map(({ rank, player: who, rating }) => `${rank} ${who.username} ${rating}`);

  test('is empty before anybody played', async () => {
    const answer = await read();
    expect(answer.body).toEqual({ entries: [], nextCursor: null });
    expect(answer.headers.etag).toBeDefined();
  });

  test('lists the players with their names, the best first', async () => {
    const winner = await player('Winner');
    const loser = await player('Loser');
    await rated(winner, loser, 1);
    await rated(loser, winner, 0.5);
    await stand('Undone', 3000, 0);
    const { body } = await read();
    expect(body.entries).toEqual([
      {
        rank: 1,
        player: { playerGuid: winner, platformId: null, username: 'Winner', avatarUrl: null },
        rating: expect.any(Number),
        provisional: true,
        wins: 1,
        losses: 0,
        draws: 1,
        winStreak: 0,
      },
      expect.objectContaining({ rank: 2, losses: 1, draws: 1 }),
    ]);
    expect(await ratings.ratingsOf(loser)).toEqual([
      {
        queueGuid,
        seasonGuid,
        rating: body.entries[1].rating,
        provisional: true,
        rank: 2,
        wins: 0,
        losses: 1,
        draws: 1,
      },
    ]);
  });

  test('has a history for each player, newest first, by queue and season and over pages', async () => {
    const [one, two, three] = [await player('One'), await player('Two'), await player('Three')];
    await rated(one, two, 1);
    await rated(three, one, 0.5);
    const last = await rated(one, two, 0);
    const history = async (playerGuid: string, query = '') => {
      const answer = await app.inject(`/players/${playerGuid}/ratings?${query}`);
      expect(answer.statusCode).toBe(200);
      return answer.json();
    };
    const lineOf = ({ opponent, outcome, before, after }: any) =>
      `${outcome} against ${opponent.username} ${before} ${after}`;
    const { items, nextCursor } = await history(one);
    expect([items[0].before, items[0].after]).toEqual([last.red.before, last.red.after]);
    expect(items.map(lineOf)).toEqual([
      `loss against Two ${last.red.before} ${last.red.after}`,
      `draw against Three 1079 ${last.red.before}`,
      'win against Two 1000 1079',
    ]);
    expect(nextCursor).toBe(null);
    expect(items[0]).toMatchObject({ queueGuid, seasonGuid, opponent: { playerGuid: two } });
    const paged = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: object[]; nextCursor: string | null } = await history(one, `limit=1${cursor}`);
      paged.push(...page.items);
      cursor = page.nextCursor && `&cursor=${page.nextCursor}`;
    }
    expect(paged).toEqual(items);
    expect((await history(one, `queueGuid=${queueGuid}&seasonGuid=${seasonGuid}`)).items).toEqual(items);
    expect((await history(one, `queueGuid=${newGuid()}`)).items).toEqual([]);
    expect((await history(one, `seasonGuid=${newGuid()}`)).items).toEqual([]);
    expect((await history(await player('Nobody yet'))).items).toEqual([]);
    const unknown = await app.inject(`/players/${newGuid()}/ratings?seasonGuid=${newGuid()}`);
    expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, 'PLAYER_NOT_FOUND']);
    for (const query of ['queueGuid=1', 'seasonGuid=', 'cursor=x', 'more=1'])
      expect((await app.inject(`/players/${one}/ratings?${query}`)).statusCode).toBe(400);
  });

  test('keeps ranks right over pages that begin among equals', async () => {
    for (const [name, rating] of [
      ['a', 1300],
      ['b', 1200],
      ['c', 1200],
      ['d', 1200],
      ['e', 1100],
      ['f', 1100],
      ['g', 1000],
    ] as const)
      await stand(name, rating);
    const whole = lines((await read()).body.entries);
    expect(whole.map((line) => line.split(' ')[0])).toEqual(['1', '2', '2', '2', '5', '5', '7']);
    for (const limit of [1, 2, 3]) {
      const paged: Entry[] = [];
      let cursor: string | null = null;
      do {
        const { body } = await read(`?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
        paged.push(...body.entries);
        cursor = body.nextCursor;
      } while (cursor !== null);
      expect(lines(paged), `pages of ${limit}`).toEqual(whole);
    }
  });

  test('centres on a player', async () => {
    const guids: string[] = [];
    for (let n = 0; n < 9; n++) guids.push(await stand(`p${n}`, 1900 - n * 100));
    const around = async (n: number, limit: number) =>
      (await read(`?around=${guids[n]}&limit=${limit}`)).body.entries.map(
        (entry: Entry) => entry.player.username,
      );
    expect(await around(4, 5)).toEqual(['p2', 'p3', 'p4', 'p5', 'p6']);
    expect(await around(4, 1)).toEqual(['p4']);
    expect(await around(0, 5), 'nobody is above the best').toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
    expect(await around(1, 5)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
    expect(await around(8, 5), 'nobody is below the last').toEqual(['p6', 'p7', 'p8']);
    const { body } = await read(`?around=${guids[4]}&limit=3`);
    const next = await read(`?limit=3&cursor=${body.nextCursor}`);
    expect(lines(next.body.entries)).toEqual(['7 p6 1300', '8 p7 1200', '9 p8 1100']);
  });

  test('gives the rank of a player as in the list', async () => {
    const best = await stand('best', 1200);
    const [one, two] = [await stand('one', 1100), await stand('two', 1100)];
    const last = await stand('last', 1050);
    const ranksOf = async (guid: string) => (await ratings.ratingsOf(guid)).map(({ rank }) => rank);
    expect(await Promise.all([best, one, two, last].map(ranksOf))).toEqual([[1], [2], [2], [4]]);
    expect(await ranksOf(newGuid())).toEqual([]);
    expect(await ranksOf(await stand('undone', 2000, 0))).toEqual([null]);
  });

  test('keeps queues and seasons apart', async () => {
    await stand('this', 1200);
    const before = seasonGuid;
    seasonGuid = newGuid();
    await stand('that', 1300);
    expect(lines((await read()).body.entries)).toEqual(['1 this 1200']);
    expect(lines((await read(`?seasonGuid=${seasonGuid}`)).body.entries)).toEqual(['1 that 1300']);
    expect(lines((await read(`?seasonGuid=${before}`)).body.entries)).toEqual(['1 this 1200']);
    expect((await read(`?seasonGuid=${newGuid()}`)).body.entries).toEqual([]);
  });

  test('refuses invalid queries', async () => {
    expect((await read('', newGuid())).status).toBe(404);
    const outsider = await read(`?around=${newGuid()}`);
    expect([outsider.status, outsider.body.error.code]).toEqual([404, 'NOT_ON_LEADERBOARD']);
    for (const query of [
      '?around=x',
      '?seasonGuid=x',
      '?cursor=x',
      '?limit=0',
      '?limit=101',
      '?other=1',
      `?around=${newGuid()}&cursor=x`,
    ])
      expect((await read(query)).status, query).toBe(400);
    expect((await read('', 'x')).status).toBe(400);
  });
});
