import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  counted,
  EMPTY_TALLY,
  type MatchScore,
  NEWCOMER,
  shownRating,
} from '../../src/domains/ratings/rules.ts';
import { ACCOUNTS } from '../../src/local/identity-provider/accounts.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { BOUNDS } from '../../src/platform/limits.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer, toFirstPick, toPlaying } from '../harness/socket-player.ts';
import { ratedInOrder } from '../ratings/rated-in-order.ts';

let service: TestService;
let poolGuid: string;
let queueGuid: string;
let seasonGuid: string;
let met = 0;
/** How far the clock of the service was set back. */
let setBackMs = 0;
beforeAll(async () => {
  service = await startTestService({ clock: { now: () => Date.now() - setBackMs } });
  ({ poolGuid, seasonGuid } = await service.openQueue());
});
afterAll(() => service.stop());
/** A ladder of its own for each test. */
beforeEach(async () => {
  ({ queueGuid } = await service.openQueue({ poolGuid, rules: { pairing: { initialGap: 10_000 } } }));
});

const guidOf = (player: SocketPlayer): string => player.match.you.player.playerGuid;
const read = async (path: string) => (await service.request(null, 'GET', path)).body;
const staff = (matchGuid: string, action: 'abort' | 'result' | 'undo', body: object = {}) =>
  service.request('admin', 'POST', `/matches/${matchGuid}/${action}`, { reason: 'Reviewed.', ...body });
const decide = (matchGuid: string, winner: SocketPlayer | null) =>
  staff(
    matchGuid,
    'result',
    winner ? { outcome: 'win', winnerGuid: guidOf(winner) } : { outcome: 'draw', winnerGuid: null },
  );
const codeOf = ({ status, body }: { status: number; body: any }) => `${status} ${body?.error?.code}`;

/** Players nobody has met before, so that every match of theirs is rated. */
async function newcomers<Names extends string[]>(
  ...names: Names
): Promise<{ [Place in keyof Names]: SocketPlayer }> {
  met += 1;
  const players = await Promise.all(names.map((name) => service.connect(`${name}${met}`)));
  return players as { [Place in keyof Names]: SocketPlayer };
}
/** A match that these two have begun to play. */
async function started(a: SocketPlayer, b: SocketPlayer): Promise<string> {
  const known = a.match?.matchGuid;
  await a.do('joinQueue', { queueGuid });
  await b.do('joinQueue', { queueGuid });
  for (const player of [a, b])
    await player.until(
      () =>
        player.match !== undefined &&
        player.match.status === 'waiting_players' &&
        player.match.matchGuid !== known,
      'a new match',
    );
  const { matchGuid } = a.match;
  await Promise.all([a, b].map((player) => player.do('joinMatch', { matchGuid })));
  await Promise.all([a, b].map((player) => player.status('awaiting_discards')));
  return matchGuid;
}
/** A match that these two have played, with this winner; null: a draw. */
async function played(a: SocketPlayer, b: SocketPlayer, winner: SocketPlayer | null): Promise<string> {
  const matchGuid = await started(a, b);
  expect((await decide(matchGuid, winner)).status).toBe(200);
  await Promise.all([a, b].map((player) => player.status('completed')));
  return matchGuid;
}

/** Every rated match of the ladder, rated once more from the beginning, against all that is shown of it. */
async function expectLadderToFollowFromResults(): Promise<void> {
  const rows = await service.database.prisma.match.findMany({
    where: { queueGuid, seasonGuid, endedAt: { not: null } },
    orderBy: { sequence: 'asc' },
  });
  const score = (row: (typeof rows)[number]): MatchScore | null =>
    !row.rated || row.outcome === 'no_contest'
      ? null
      : row.outcome === 'draw'
        ? 0.5
        : row.winnerGuid === row.redGuid
          ? 1
          : 0;
  const rated = ratedInOrder(
    rows.map((row) => ({
      matchGuid: row.matchGuid,
      red: row.redGuid,
      blue: row.blueGuid,
      score: score(row),
    })),
  );
  const standing = new Map<string, object>();
  for (const { match, red, blue } of rated) {
    const { result } = await read(`/matches/${match.matchGuid}`);
    expect(result.ratings, `match ${match.matchGuid}`).toEqual(
      [red, blue].map(({ before, after }, seat) => ({
        playerGuid: seat === 0 ? match.red : match.blue,
        before: shownRating(before),
        after: shownRating(after),
      })),
    );
  }
  for (const playerGuid of new Set(rows.flatMap((row) => [row.redGuid, row.blueGuid]))) {
    const own = rated.filter(({ match }) => [match.red, match.blue].includes(playerGuid));
    const tally = own.reduce((sum, { match }) => {
      if (match.score === null) return sum;
      return counted(sum, (match.red === playerGuid ? match.score : 1 - match.score) as MatchScore);
    }, EMPTY_TALLY);
    const last = own.at(-1);
    const { mu } = last ? (last.match.red === playerGuid ? last.red : last.blue).after : NEWCOMER;
    if (tally.wins + tally.losses + tally.draws > 0)
      standing.set(playerGuid, { rating: shownRating({ mu }), ...tally });
  }
  const { entries } = await read(`/leaderboards/${queueGuid}`);
  expect(
    new Map(
      entries.map(({ player, rating, wins, losses, draws, winStreak }: any) => [
        player.playerGuid,
        { rating, wins, losses, draws, winStreak },
      ]),
    ),
  ).toEqual(standing);
  for (const [playerGuid, { rating }] of standing as Map<string, any>) {
    const { ratings } = await read(`/players/${playerGuid}`);
    expect(ratings.find((one: any) => one.queueGuid === queueGuid).rating).toBe(rating);
  }
}

describe('a running match', () => {
  test('aborted by staff is no contest: both are told, without ratings and penalties', async () => {
    const [anna, bert] = await newcomers('Anna', 'Bert');
    const matchGuid = await started(anna, bert);
    const answer = await staff(matchGuid, 'abort');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        matchGuid,
        status: 'aborted',
        result: { outcome: 'no_contest', reason: 'aborted_by_staff', winnerGuid: null },
      },
    });
    for (const player of [anna, bert]) {
      await player.status('aborted');
      expect(player.updates.at(-1).cause).toEqual({ type: 'finished', playerGuid: null });
      expect(player.match.result).toEqual({
        outcome: 'no_contest',
        reason: 'aborted_by_staff',
        winnerGuid: null,
        ratingBefore: 1000,
        ratingAfter: 1000,
      });
      expect((await player.do('hello')).penalty).toBeNull();
    }
    expect(codeOf(await staff(matchGuid, 'abort'))).toBe('409 WRONG_PHASE');
    expect((await read(`/leaderboards/${queueGuid}`)).entries).toEqual([]);
  });

  test('decided by staff ends with that result, rated once', async () => {
    const [cara, dirk] = await newcomers('Cara', 'Dirk');
    const matchGuid = await started(cara, dirk);
    await Promise.all([decide(matchGuid, cara), decide(matchGuid, cara), decide(matchGuid, cara)]);
    await Promise.all([cara.status('completed'), dirk.status('completed')]);
    expect(cara.match.result).toMatchObject({
      outcome: 'win',
      reason: 'decided_by_staff',
      ratingAfter: 1079,
    });
    expect(dirk.match.result).toMatchObject({ outcome: 'loss', ratingAfter: 921 });
    expect(await service.database.prisma.ratingChange.count({ where: { matchGuid } })).toBe(2);
    await expectLadderToFollowFromResults();
  });

  test('cannot be undone: there is no result yet', async () => {
    const [emil, fred] = await newcomers('Emil', 'Fred');
    const matchGuid = await started(emil, fred);
    expect(codeOf(await staff(matchGuid, 'undo'))).toBe('409 WRONG_PHASE');
    expect(emil.match.status).toBe('awaiting_discards');
    await staff(matchGuid, 'abort');
  });
});

describe('an ended match', () => {
  test('that is undone no longer counts, not for later matches either', async () => {
    const [gina, hans, ines] = await newcomers('Gina', 'Hans', 'Ines');
    const first = await played(gina, hans, gina);
    const second = await played(hans, ines, hans);
    const third = await played(gina, ines, ines);
    const before = await read(`/matches/${second}`);
    const { endedAt, seed, version } = await read(`/matches/${first}`);
    const told = gina.updates.length;

    const answer = await staff(first, 'undo');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'aborted',
        endedAt,
        seed,
        version,
        result: { outcome: 'no_contest', reason: 'decided_by_staff', winnerGuid: null },
      },
    });
    expect(answer.body.result.ratings.map((one: any) => [one.before, one.after])).toEqual([
      [1000, 1000],
      [1000, 1000],
    ]);
    const after = await read(`/matches/${second}`);
    expect(after.result.ratings).not.toEqual(before.result.ratings);
    expect(after.result.ratings.find((one: any) => one.playerGuid === guidOf(ines))).toMatchObject({
      before: 1000,
      after: 921,
    });
    await expectLadderToFollowFromResults();
    // The history of a player leaves the undone match out and shows the others as they count now.
    const history = async (player: SocketPlayer, query = '') =>
      (await read(`/players/${guidOf(player)}/ratings?${query}`)).items;
    const shownOf = ({ result }: any, player: SocketPlayer) =>
      result.ratings.find((one: any) => one.playerGuid === guidOf(player));
    expect(await history(hans)).toEqual([
      {
        matchGuid: second,
        queueGuid,
        seasonGuid,
        endedAt: after.endedAt,
        opponent: { playerGuid: guidOf(ines), username: ines.name },
        outcome: 'win',
        before: 1000,
        after: shownOf(after, hans).after,
      },
    ]);
    expect(
      (await history(ines, `queueGuid=${queueGuid}`)).map((one: any) => [one.matchGuid, one.outcome]),
    ).toEqual([
      [third, 'win'],
      [second, 'loss'],
    ]);
    expect(await history(ines, `queueGuid=${third}`)).toEqual([]);

    // The former rating changes are kept, and can be read.
    const { formerRatings } = await read(`/matches/${second}/log`);
    expect(
      formerRatings.map(({ playerGuid, before, after }: any) => ({ playerGuid, before, after })),
    ).toEqual(expect.arrayContaining(before.result.ratings));
    // The third match is the last one of both: hello shows it as it counts now.
    const { result } = await read(`/matches/${third}`);
    const { lastMatch } = await gina.do('hello');
    expect(lastMatch.result.ratingAfter).toBe(
      result.ratings.find((one: any) => one.playerGuid === guidOf(gina)).after,
    );
    expect(gina.updates.length, 'a correction is not an update of the match that runs').toBe(told);
    expect(codeOf(await staff(first, 'undo'))).toBe('409 ALREADY_UNDONE');
  });

  test('takes another result, and the first one again', async () => {
    const [jens, kira, lars] = await newcomers('Jens', 'Kira', 'Lars');
    const first = await played(jens, kira, jens);
    const second = await played(jens, lars, jens);
    const original = await Promise.all([first, second].map((one) => read(`/matches/${one}`)));
    const { winStreak } = (await read(`/leaderboards/${queueGuid}`)).entries[0];
    expect(winStreak).toBe(2);

    for (const body of [
      { outcome: 'win', winnerGuid: guidOf(kira) },
      { outcome: 'draw', winnerGuid: null },
      { outcome: 'no_contest', winnerGuid: null },
      { outcome: 'draw', winnerGuid: null },
    ]) {
      const answer = await staff(first, 'result', body);
      expect(answer.status).toBe(200);
      expect(answer.body.result).toMatchObject({
        outcome: body.outcome === 'win' ? 'decided' : body.outcome,
        winnerGuid: body.winnerGuid,
        reason: 'decided_by_staff',
      });
      await expectLadderToFollowFromResults();
    }
    await staff(first, 'undo');
    await staff(first, 'result', { outcome: 'win', winnerGuid: guidOf(jens) });
    await expectLadderToFollowFromResults();
    const restored = await Promise.all([first, second].map((one) => read(`/matches/${one}`)));
    expect(restored[0].version, 'a correction leaves the version').toBe(original[0].version);
    const { match } = await jens.do('getMatchState', { matchGuid: first });
    expect(match.version, 'also for its players').toBe(original[0].version);
    expect(restored.map((one) => one.result.ratings)).toEqual(original.map((one) => one.result.ratings));
  });

  test('that is undone no longer counts for matches that end after the clock was set back', async () => {
    const [una, vera, wim] = await newcomers('Una', 'Vera', 'Wim');
    const first = await played(una, vera, una);
    // Longer than a match takes on a busy machine.
    setBackMs = 60_000;
    onTestFinished(() => {
      setBackMs = 0;
    });
    const second = await played(una, wim, una);
    const ends = await Promise.all(
      [first, second].map(async (one) => (await read(`/matches/${one}`)).endedAt),
    );
    expect(ends[1] < ends[0]).toBe(true);
    await expectPreviewToHold(first, { outcome: 'no_contest', winnerGuid: null }, () => staff(first, 'undo'));
    await expectLadderToFollowFromResults();
    await staff(first, 'result', { outcome: 'win', winnerGuid: guidOf(vera) });
    await expectLadderToFollowFromResults();
  });

  test('that was aborted is rated when staff give it a result, in its place', async () => {
    const [mona, nils, olga] = await newcomers('Mona', 'Nils', 'Olga');
    const first = await started(mona, nils);
    await staff(first, 'abort');
    await mona.status('aborted');
    await nils.status('aborted');
    await played(mona, olga, olga);
    const answer = await staff(first, 'result', { outcome: 'win', winnerGuid: guidOf(nils) });
    expect(answer.body).toMatchObject({ status: 'completed', result: { outcome: 'decided' } });
    await expectLadderToFollowFromResults();
  });

  test('that was unrated moves no rating', async () => {
    const [paul, rosa] = await newcomers('Paul', 'Rosa');
    for (let n = 0; n < 3; n++) await played(paul, rosa, paul);
    const fourth = await played(paul, rosa, rosa);
    expect(paul.match.rated).toBe(false);
    const ladder = await read(`/leaderboards/${queueGuid}`);
    await staff(fourth, 'result', { outcome: 'win', winnerGuid: guidOf(paul) });
    await staff(fourth, 'undo');
    expect(await read(`/leaderboards/${queueGuid}`)).toEqual(ladder);
    expect(await service.database.prisma.formerRatingChange.count({ where: { matchGuid: fourth } })).toBe(0);
  });

  test('stays as it is when too many matches have ended after it', async () => {
    const [a, b] = await newcomers('Fay', 'Gil');
    const first = await played(a, b, a);
    await played(a, b, b);
    await played(a, b, a);
    const { value } = BOUNDS.laterMatches;
    BOUNDS.laterMatches.value = 1;
    onTestFinished(() => {
      BOUNDS.laterMatches.value = value;
    });
    expect(codeOf(await staff(first, 'undo'))).toBe('409 TOO_MANY_LATER_MATCHES');
    const address = `/matches/${first}/result/preview`;
    const preview = () => service.request('admin', 'POST', address, { outcome: 'draw', winnerGuid: null });
    expect(codeOf(await preview())).toBe('409 TOO_MANY_LATER_MATCHES');
    expect((await read(`/matches/${first}`)).result).toMatchObject({ outcome: 'decided' });
    BOUNDS.laterMatches.value = 2;
    expect((await preview()).status).toBe(200);
    expect((await staff(first, 'undo')).status).toBe(200);
  });

  test('keeps the penalty that was earned in it', async () => {
    const [sven, tina] = await newcomers('Sven', 'Tina');
    const matchGuid = await started(sven, tina);
    await sven.do('forfeit', { matchGuid });
    await tina.status('aborted');
    await tina.do('leaveQueue');
    await decide(matchGuid, tina);
    expect((await sven.do('hello')).penalty).toMatchObject({ reason: 'left_before_first_pick' });
  });
});

/** The ladder as everybody reads it: what a preview tells of each player. */
async function standings(): Promise<Map<string, { username: string; rating: number; rank: number }>> {
  const { entries } = await read(`/leaderboards/${queueGuid}?limit=100`);
  return new Map(
    entries.map(({ player, rating, rank }: any) => [
      player.playerGuid,
      { username: player.username, rating, rank },
    ]),
  );
}
/** Everything that a decision may write, as it is stored. */
const storedRows = async () => {
  const { prisma } = service.database;
  const [matches, events, changes, former, ratings, counts, seats, penalties, audit] = await Promise.all([
    // The check of logs marks ended matches at any time.
    prisma.match.findMany({
      where: { queueGuid },
      orderBy: { matchGuid: 'asc' },
      omit: { isReplayed: true },
    }),
    prisma.matchEvent.count(),
    prisma.ratingChange.findMany({
      where: { queueGuid },
      orderBy: [{ matchGuid: 'asc' }, { playerGuid: 'asc' }],
    }),
    prisma.formerRatingChange.count(),
    prisma.rating.findMany({ where: { queueGuid }, orderBy: { playerGuid: 'asc' } }),
    prisma.ladderCount.groupBy({
      by: ['rating'],
      where: { queueGuid },
      _sum: { players: true },
      orderBy: { rating: 'asc' },
    }),
    prisma.runningSeat.count(),
    prisma.penalty.count(),
    prisma.auditEntry.count(),
  ]);
  // The service sums counts up now and then: sums of nothing go.
  const levels = counts.filter(({ _sum }) => _sum.players !== 0);
  return { matches, events, changes, former, ratings, levels, seats, penalties, audit };
};
type Decided = { outcome: string; winnerGuid: string | null };

/** A preview, then the decision: the preview must have said all that the decision then did, and have done nothing. */
async function expectPreviewToHold(
  matchGuid: string,
  decision: Decided,
  carryOut = () => staff(matchGuid, 'result', decision),
) {
  const [before, stored] = [await standings(), await storedRows()];
  const former = await service.database.prisma.formerRatingChange.count();
  const preview = await service.request('admin', 'POST', `/matches/${matchGuid}/result/preview`, decision);
  expect(preview.status, JSON.stringify(preview.body)).toBe(200);
  expect(await storedRows(), 'a preview changes nothing').toEqual(stored);

  expect((await carryOut()).status).toBe(200);
  const after = await standings();
  const { players, total, matches } = preview.body;
  const { players: both } = await read(`/matches/${matchGuid}`);
  expect(players.slice(0, 2).map((one: any) => one.playerGuid)).toEqual(
    both.map((one: any) => one.playerGuid),
  );
  const moved = [...new Set([...before.keys(), ...after.keys()])].filter((guid) => {
    const [was, is] = [before.get(guid), after.get(guid)];
    return was?.rating !== is?.rating || was?.rank !== is?.rank;
  });
  const inMatch = both.map((one: any) => one.playerGuid);
  expect(new Set(players.map((one: any) => one.playerGuid))).toEqual(new Set([...inMatch, ...moved]));
  expect(total).toBe(players.length);
  for (const { playerGuid, username, ...move } of players) {
    const [was, is] = [before.get(playerGuid), after.get(playerGuid)];
    expect(username).toBe((was ?? is ?? both.find((one: any) => one.playerGuid === playerGuid)).username);
    expect({ ...move, ratingBefore: was && move.ratingBefore, ratingAfter: is && move.ratingAfter }).toEqual({
      ratingBefore: was?.rating,
      ratingAfter: is?.rating,
      rankBefore: was?.rank ?? null,
      rankAfter: is?.rank ?? null,
    });
  }
  const rows = await service.database.prisma.formerRatingChange.findMany({ skip: former });
  const rewritten = new Set(rows.map((row) => row.matchGuid));
  rewritten.delete(matchGuid);
  if (rows.length > 0 || matches > 0) expect(matches).toBe(rewritten.size);
  return preview.body;
}

describe('a preview', () => {
  test('of a running match says what the decision then does, also to ranks of others', async () => {
    const [p, q, r, s] = await newcomers('Pa', 'Qu', 'Ra', 'Su');
    await played(p, q, p);
    const matchGuid = await started(r, s);
    const none = await expectPreviewToHold(
      matchGuid,
      { outcome: 'no_contest', winnerGuid: null },
      async () => ({ ...(await service.request(null, 'GET', `/matches/${matchGuid}`)) }),
    );
    expect(none).toMatchObject({ total: 2, matches: 0 });
    const found = await expectPreviewToHold(matchGuid, { outcome: 'win', winnerGuid: guidOf(r) });
    // Qu had the second rank: Ra is level with Pa, and Qu and Su share the third.
    expect(found).toMatchObject({ total: 3, matches: 0 });
    expect(found.players[2]).toMatchObject({ playerGuid: guidOf(q), rankBefore: 2, rankAfter: 3 });
    await Promise.all([r.status('completed'), s.status('completed')]);
  });

  test('of an ended match names everybody whom the later matches carry it to', async () => {
    const [a, b, c, d, e, f] = await newcomers('Al', 'Be', 'Ce', 'De', 'Ef', 'Fe');
    const first = await played(a, b, a);
    await played(b, c, b);
    await played(e, f, null);
    await played(c, d, d);
    const kept = await expectPreviewToHold(first, { outcome: 'win', winnerGuid: guidOf(a) });
    expect(kept).toMatchObject({ total: 2, matches: 0 });
    const turned = await expectPreviewToHold(first, { outcome: 'win', winnerGuid: guidOf(b) });
    expect(turned.matches).toBe(2);
    await expectPreviewToHold(first, { outcome: 'draw', winnerGuid: null });
    await expectPreviewToHold(first, { outcome: 'no_contest', winnerGuid: null }, () => staff(first, 'undo'));
    const again = await expectPreviewToHold(first, { outcome: 'win', winnerGuid: guidOf(a) });
    // Without that match Al has played none. Who is red follows from the seed.
    const al = again.players.find(({ playerGuid }: any) => playerGuid === guidOf(a));
    expect(al).toMatchObject({ rankBefore: null });
    await expectLadderToFollowFromResults();
  });

  test('lists a hundred players, and says how many there are', async () => {
    const [i, j] = await newcomers('Ib', 'Jo');
    const matchGuid = await started(i, j);
    const { prisma } = service.database;
    const crowd = Array.from({ length: 120 }, newGuid);
    await prisma.rating.createMany({
      data: crowd.map((playerGuid) => ({
        queueGuid,
        seasonGuid,
        playerGuid,
        ...NEWCOMER,
        rating: 1000,
        ...EMPTY_TALLY,
        draws: 1,
      })),
    });
    await prisma.ladderCount.create({ data: { queueGuid, seasonGuid, rating: 1000, players: 120 } });
    await prisma.player.createMany({
      data: crowd.map((playerGuid, nth) => ({
        playerGuid,
        platformId: `555${nth}`,
        subject: `crowd ${nth}`,
        username: `Crowd ${nth}`,
        tokenIssuedAt: new Date(),
        joinedAt: new Date(),
      })),
    });
    const { body } = await service.request('admin', 'POST', `/matches/${matchGuid}/result/preview`, {
      outcome: 'win',
      winnerGuid: guidOf(i),
    });
    expect(body.total).toBe(122);
    expect(body.players).toHaveLength(100);
    expect(
      body.players
        .slice(0, 2)
        .map((one: any) => [one.rankBefore, one.rankAfter])
        .sort(),
    ).toEqual([
      [null, 1],
      [null, 122],
    ]);
    for (const one of body.players.slice(2))
      expect(one).toMatchObject({ ratingBefore: 1000, ratingAfter: 1000, rankBefore: 1, rankAfter: 2 });
    await staff(matchGuid, 'abort');
  });

  test('is refused as the decision would be, and does not stand in the way of a match', async () => {
    const [g, h] = await newcomers('Ge', 'Ha');
    const matchGuid = await started(g, h);
    const path = `/matches/${matchGuid}/result/preview`;
    const decision = { outcome: 'win', winnerGuid: guidOf(g) };
    const ask = (account: string | null, body: object, at = path) =>
      service.request(account, 'POST', at, body).then(codeOf);
    expect(await ask(null, decision)).toBe('401 UNAUTHENTICATED');
    for (const account of ['player-one', 'developer', 'pooler-one'])
      expect(await ask(account, decision)).toBe('403 FORBIDDEN');
    for (const wrong of [
      { ...decision, reason: 'x' },
      { outcome: 'win' },
      { outcome: 'win', winnerGuid: newGuid() },
      { outcome: 'draw', winnerGuid: guidOf(g) },
      {},
    ])
      expect(await ask('admin', wrong)).toBe('400 VALIDATION_FAILED');
    expect(await ask('admin', decision, `/matches/${newGuid()}/result/preview`)).toBe('404 MATCH_NOT_FOUND');

    const token = await service.identityProvider.accountToken('admin');
    const stale = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'if-match': '"x"',
      },
      body: JSON.stringify(decision),
    });
    expect(stale.status).toBe(412);

    const previews = Array.from({ length: 5 }, () => ask('admin', decision));
    const ends = [g, h].map((player) => player.do('discardMaps', { matchGuid, cardGuids: [] }));
    await Promise.all([...previews, ...ends]);
    await Promise.all([g, h].map((player) => player.status('awaiting_pick')));
    expect((await decide(matchGuid, g)).status).toBe(200);
  });
});

describe('at the same moment', () => {
  test('four undos: one is stored, the others are refused with ALREADY_UNDONE', async () => {
    const [uwe, vera] = await newcomers('Uwe', 'Vera');
    const matchGuid = await played(uwe, vera, uwe);
    const answers = await Promise.all(Array.from({ length: 4 }, () => staff(matchGuid, 'undo')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(new Set(answers.filter(({ status }) => status === 409).map(codeOf))).toEqual(
      new Set(['409 ALREADY_UNDONE']),
    );
    const { body: audit } = await service.request('admin', 'GET', `/audit-log?target=/matches/${matchGuid}`);
    expect(audit.items.filter((entry: any) => entry.action === 'undoMatch')).toHaveLength(1);
    const former = await service.database.prisma.formerRatingChange.count({ where: { matchGuid } });
    expect(former).toBe(2);
    await expectLadderToFollowFromResults();
  });

  test('corrections of several matches while later ones end: the ladder is what all results make', async () => {
    const [a, b, c, d, e, f] = await newcomers('A', 'B', 'C', 'D', 'E', 'F');
    const [first, second] = [await played(a, b, a), await played(c, d, null)];
    // Across the pairs, so that everything depends on the first two.
    const running: [string, SocketPlayer, SocketPlayer][] = [
      [await started(a, c), a, c],
      [await started(b, d), b, d],
      [await started(e, f), e, f],
    ];
    const answers = await Promise.all([
      staff(first, 'undo'),
      ...running.map(([matchGuid, winner]) => decide(matchGuid, winner)),
      staff(second, 'result', { outcome: 'win', winnerGuid: guidOf(d) }),
      staff(first, 'result', { outcome: 'draw', winnerGuid: null }),
      staff(second, 'undo'),
    ]);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    await Promise.all(running.flatMap(([, ...two]) => two.map((player) => player.status('completed'))));
    await expectLadderToFollowFromResults();
  });
});

describe('staff', () => {
  test('cannot touch a match they play in', async () => {
    const { platformId, username } = ACCOUNTS.admin;
    const token = await service.identityProvider.gameToken({ platformId, username });
    const admin = await service.connect('admin', { token });
    const [wanda] = await newcomers('Wan');
    const matchGuid = await meet(admin, wanda, queueGuid);
    for (const refused of [
      await staff(matchGuid, 'abort'),
      await decide(matchGuid, admin),
      await staff(matchGuid, 'undo'),
      await service.request('admin', 'POST', `/matches/${matchGuid}/result/preview`, { outcome: 'draw' }),
    ])
      expect(codeOf(refused)).toBe('403 OWN_MATCH');
    const [picker, waiter] = await toFirstPick(admin, wanda, matchGuid);
    await toPlaying(picker, waiter, matchGuid);
    await admin.do('forfeit', { matchGuid });
    await wanda.status('completed');
    expect(codeOf(await staff(matchGuid, 'undo'))).toBe('403 OWN_MATCH');
    admin.leave();
  });

  test('leave a record of what they did: who, why, before and after', async () => {
    const [xaver, yara] = await newcomers('Xav', 'Yara');
    const matchGuid = await played(xaver, yara, xaver);
    const before = await read(`/matches/${matchGuid}`);
    await staff(matchGuid, 'undo', { reason: '  Both played on one account. ' });
    const after = await read(`/matches/${matchGuid}`);
    const { body } = await service.request('admin', 'GET', `/audit-log?target=/matches/${matchGuid}`);
    const { playerGuid: actor } = (await service.request('admin', 'GET', '/auth/me')).body;
    expect(body.items.map((entry: any) => entry.action)).toEqual(['undoMatch', 'decideMatch']);
    expect(body.items[0]).toMatchObject({
      actor,
      target: `/matches/${matchGuid}`,
      before: { status: 'completed', result: before.result },
      after: { status: 'aborted', result: after.result, reason: 'Both played on one account.' },
    });
    expect(body.items[1].before).toEqual({ status: 'awaiting_discards', result: null });
  });

  test('are refused when they read an older state', async () => {
    const [zoe, axel] = await newcomers('Zoe', 'Axel');
    const matchGuid = await started(zoe, axel);
    const { headers, body } = await service.request(null, 'GET', `/matches/${matchGuid}`);
    await decide(matchGuid, zoe);
    expect(body).toMatchObject({ queueName: expect.any(String), rated: true, live: { roundNumber: 0 } });
    const token = await service.identityProvider.accountToken('admin');
    const undo = (ifMatch: string) =>
      fetch(`${service.url}/matches/${matchGuid}/undo`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'if-match': ifMatch,
        },
        body: JSON.stringify({ reason: 'Late.' }),
      });
    expect((await undo(headers.etag ?? '')).status).toBe(412);
    expect((await read(`/matches/${matchGuid}`)).result.outcome, 'nothing was done').toBe('decided');
    const current = await service.request(null, 'GET', `/matches/${matchGuid}`);
    expect((await undo(current.headers.etag ?? '')).status).toBe(200);
  });

  test('are told which field is wrong', async () => {
    const [bela, cleo] = await newcomers('Bela', 'Cleo');
    const matchGuid = await started(bela, cleo);
    const winnerGuid = guidOf(bela);
    const bad: [string, object][] = [
      ['result', { outcome: 'win', winnerGuid: null }],
      ['result', { outcome: 'win', winnerGuid: newGuid() }],
      ['result', { outcome: 'win', winnerGuid: 'x' }],
      ['result', { outcome: 'draw', winnerGuid }],
      ['result', { outcome: 'no_contest', winnerGuid }],
      ['result', { outcome: 'decided', winnerGuid }],
      ['result', { outcome: 'win', winnerGuid, reason: ' ' }],
      ['result', { outcome: 'win', winnerGuid, ratings: [] }],
      ['abort', { reason: '' }],
      ['abort', { reason: 7 }],
      ['abort', { other: true }],
      ['undo', { reason: 'x'.repeat(501) }],
    ];
    for (const [action, body] of bad)
      expect(codeOf(await staff(matchGuid, action as 'abort', body)), JSON.stringify(body)).toBe(
        '400 VALIDATION_FAILED',
      );
    for (const action of ['abort', 'undo'] as const) {
      expect(codeOf(await staff(newGuid(), action))).toBe('404 MATCH_NOT_FOUND');
      expect(codeOf(await staff('x', action))).toBe('400 VALIDATION_FAILED');
      const path = `/matches/${matchGuid}/${action}`;
      expect(codeOf(await service.request('pooler-one', 'POST', path, { reason: 'x' }))).toBe(
        '403 FORBIDDEN',
      );
      expect(codeOf(await service.request(null, 'POST', path, { reason: 'x' }))).toBe('401 UNAUTHENTICATED');
    }
    expect(bela.match.status).toBe('awaiting_discards');
    await staff(matchGuid, 'abort');
  });
});
