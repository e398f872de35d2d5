import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNTS } from '../../src/local/identity-provider/accounts.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { ask } from '../harness/ask.ts';
import { refusal } from '../harness/curation.ts';
import { waitingForLocks } from '../harness/database.ts';
import { loseTime } from '../harness/outages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer } from '../harness/socket-player.ts';
import { playRound, publish } from '../replays/round.ts';

const HOUR = 3_600_000;

let service: TestService;
let poolGuid: string;
let queueGuid: string;
let pairs = 0;
beforeAll(async () => {
  service = await startTestService();
  ({ poolGuid } = await service.openQueue());
});
/** Each test has a queue of its own: a player whose opponent leaves before the first pick waits again. */
beforeEach(async () => {
  ({ queueGuid } = await service.openQueue({ poolGuid }));
});
afterAll(() => service.stop());

const guidOf = (player: SocketPlayer): string => player.match.you.player.playerGuid;

/** A request with a token. */
const askAs = (token: string | null, method: string, path: string, body?: object) =>
  ask(`${service.url}${path}`, method, { token, body });
const admin = (method: string, path: string, body?: object) => service.request('admin', method, path, body);

interface Reporter {
  socket: SocketPlayer;
  guid: string;
  token: string;
}
/** Two players in a match that both have joined. */
async function pair(): Promise<{ matchGuid: string; one: Reporter; other: Reporter }> {
  pairs += 1;
  const names = [`A${pairs}`, `B${pairs}`] as const;
  const [a, b] = [await service.connect(names[0]), await service.connect(names[1])];
  const matchGuid = await meet(a, b, queueGuid);
  const reporter = async (socket: SocketPlayer, name: string): Promise<Reporter> => ({
    socket,
    guid: guidOf(socket),
    token: await service.gameToken(name),
  });
  return { matchGuid, one: await reporter(a, names[0]), other: await reporter(b, names[1]) };
}
const file = (who: Reporter, body: object) => askAs(who.token, 'POST', '/reports', body);
/** Moves the end of an ended match into the past. */
const endedAgo = async (matchGuid: string, ms: number): Promise<void> => {
  await service.database.pool.query(
    `UPDATE "Match" SET state = jsonb_set(state, '{endedAt}', to_jsonb($2::bigint)) WHERE "matchGuid" = $1`,
    [matchGuid, Date.now() - ms],
  );
};

/** The answer to a request that waits while the person who sent it is erased. */
async function erasedDuring(playerGuid: string, begin: () => ReturnType<typeof ask>): Promise<string> {
  const erasing = await service.database.pool.connect();
  try {
    await erasing.query('BEGIN');
    await erasing.query('SELECT 1 FROM "Player" WHERE "playerGuid" = $1 FOR UPDATE', [playerGuid]);
    const answer = begin();
    await expect.poll(() => waitingForLocks(service.database)).toBe(1);
    await erasing.query('UPDATE "Player" SET "erasedAt" = now() WHERE "playerGuid" = $1', [playerGuid]);
    await erasing.query('COMMIT');
    return refusal(await answer);
  } finally {
    erasing.release();
  }
}

test('a report of somebody who is erased meanwhile is not stored', async () => {
  const { matchGuid, one, other } = await pair();
  // The service knows the token, so that the request waits when it stores its report and not before.
  expect((await askAs(one.token, 'GET', '/auth/me')).status).toBe(200);
  const sent = { matchGuid, playerGuid: other.guid, reason: 'other', comment: 'I was here.' };
  expect(await erasedDuring(one.guid, () => file(one, sent))).toBe('401 UNAUTHENTICATED');
  expect(await service.database.prisma.report.count({ where: { reporterGuid: one.guid } })).toBe(0);
});

test('a decision of somebody who is erased meanwhile is not stored', async () => {
  const { matchGuid, one, other } = await pair();
  const { body: filed } = await file(one, { matchGuid, playerGuid: other.guid, reason: 'other' });
  const permissions = ['role:admin'];
  const token = await service.identityProvider.mint({ sub: 'leaving', platformId: null, permissions });
  const { playerGuid } = (await askAs(token, 'GET', '/auth/me')).body;
  const path = `/reports/${filed.reportGuid}`;
  const decision = { status: 'upheld', comment: 'I was here.' };
  expect(await erasedDuring(playerGuid, () => askAs(token, 'PATCH', path, decision))).toBe(
    '401 UNAUTHENTICATED',
  );
  expect((await file(one, { matchGuid, playerGuid: other.guid, reason: 'other' })).body.status).toBe('open');
  expect(await service.database.prisma.auditEntry.count({ where: { actorGuid: playerGuid } })).toBe(0);
});

test('a player reports the opponent of a match once, however often and with whatever reason the report is sent', async () => {
  const { matchGuid, one, other } = await pair();
  const about = { matchGuid, playerGuid: other.guid };
  const sent = { ...about, reason: 'stalling', comment: '  Waits and waits.  ' };
  const answers = await Promise.all(Array.from({ length: 4 }, () => file(one, sent)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
  const [first] = answers;
  expect(first?.body).toEqual({
    reportGuid: expect.any(String),
    ...about,
    reason: 'stalling',
    comment: 'Waits and waits.',
    status: 'open',
    at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
  });
  for (const { body } of answers) expect(body).toEqual(first?.body);
  const again = await file(one, { ...about, reason: 'cheating' });
  expect([again.status, again.body]).toEqual([200, first?.body]);
  // The opponent files a report too; a comment that is left out is null.
  for (const comment of [undefined, null, '', ' \t']) {
    const { body } = await file(other, { matchGuid, playerGuid: one.guid, reason: 'other', comment });
    expect(body.comment).toBe(null);
  }
  expect(await service.database.prisma.report.count({ where: { matchGuid } })).toBe(2);
  const filings = await service.database.prisma.auditEntry.count({
    where: { target: { startsWith: '/reports' } },
  });
  expect(filings).toBe(0);
});

test('a report is refused for the first fault', async () => {
  const { matchGuid, one, other } = await pair();
  const good = { matchGuid, playerGuid: other.guid, reason: 'abuse' };
  expect(refusal(await askAs(null, 'POST', '/reports', {}))).toBe('401 UNAUTHENTICATED');
  for (const wrong of [
    {},
    { ...good, matchGuid: 'x' },
    { ...good, reason: 'bad' },
    { ...good, comment: 'x'.repeat(501) },
    { ...good, comment: 'two\nlines' },
    { ...good, comment: 1 },
    { ...good, status: 'open' },
  ])
    expect(refusal(await file(one, wrong))).toBe('400 VALIDATION_FAILED');
  const stranger = await service.gameToken('Nobody');
  expect(refusal(await askAs(stranger, 'POST', '/reports', good))).toBe('404 MATCH_NOT_FOUND');
  for (const unknown of [
    { ...good, matchGuid: newGuid() },
    { ...good, playerGuid: newGuid() },
    { ...good, playerGuid: one.guid },
  ])
    expect(refusal(await file(one, unknown))).toBe('404 MATCH_NOT_FOUND');
  const ban = await admin('POST', `/players/${one.guid}/bans`, { reason: 'A test.', until: null });
  expect(refusal(await file(one, {}))).toBe('403 BANNED');
  await admin('DELETE', `/players/${one.guid}/bans/${ban.body.banGuid}`);
  expect((await file(one, { ...good, comment: 'x'.repeat(500) })).status).toBe(201);
});

test('a match can be reported from when both have joined to 24 hours after its end', async () => {
  const [a, b] = [await service.connect('Early'), await service.connect('Bird')];
  for (const player of [a, b]) await player.do('joinQueue', { queueGuid });
  const [{ matchGuid }] = await Promise.all([a.status('waiting_players'), b.status('waiting_players')]);
  const [early, bird] = await Promise.all([a, b].map((player) => player.do('hello')));
  const about = { matchGuid, playerGuid: bird.player.playerGuid, reason: 'other' };
  const token = await service.gameToken('Early');
  await a.do('joinMatch', { matchGuid });
  expect(refusal(await askAs(token, 'POST', '/reports', about))).toBe('404 MATCH_NOT_FOUND');
  await b.do('joinMatch', { matchGuid });
  await a.status('awaiting_discards');
  expect((await askAs(token, 'POST', '/reports', about)).status).toBe(201);
  await a.do('forfeit', { matchGuid });
  await b.until(() => b.match.result !== null, 'the end');

  const late = { matchGuid, playerGuid: early.player.playerGuid, reason: 'other' };
  const birds = await service.gameToken('Bird');
  await endedAgo(matchGuid, 24 * HOUR + 60_000);
  expect(refusal(await askAs(birds, 'POST', '/reports', late))).toBe('409 REPORT_TOO_LATE');
  // A report that has been filed is answered at any time.
  expect((await askAs(token, 'POST', '/reports', about)).status).toBe(200);
  await endedAgo(matchGuid, 24 * HOUR - 60_000);
  expect((await askAs(birds, 'POST', '/reports', late)).status).toBe(201);
});

test('an outage after the end of a match uses up nothing of the time for reports', async () => {
  const { matchGuid, one, other } = await pair();
  await one.socket.do('forfeit', { matchGuid });
  await other.socket.until(() => other.socket.match.result !== null, 'the end');
  const offeredUntil = async (): Promise<number> => {
    const html = await fetch(`${service.url}/match/${matchGuid}`, { headers: { accept: 'text/html' } });
    return Number(/id="report" data-until="(\d+)"/.exec(await html.text())?.[1]);
  };
  await loseTime(service.database, 2 * HOUR);
  await endedAgo(matchGuid, 26 * HOUR + 60_000);
  expect(refusal(await file(one, { matchGuid, playerGuid: other.guid, reason: 'other' }))).toBe(
    '409 REPORT_TOO_LATE',
  );
  await endedAgo(matchGuid, 26 * HOUR - 60_000);
  expect(Math.abs((await offeredUntil()) - Date.now() - 60_000)).toBeLessThan(30_000);
  expect((await file(one, { matchGuid, playerGuid: other.guid, reason: 'other' })).status).toBe(201);
});

test('a match that was never joined by both cannot be reported after its end', async () => {
  const [a, b] = [await service.connect('Cold'), await service.connect('Feet')];
  for (const player of [a, b]) await player.do('joinQueue', { queueGuid });
  const [{ matchGuid }] = await Promise.all([a.status('waiting_players'), b.status('waiting_players')]);
  const { player } = await b.do('hello');
  expect((await admin('POST', `/matches/${matchGuid}/abort`, { reason: 'A test.' })).status).toBe(200);
  const about = { matchGuid, playerGuid: player.playerGuid, reason: 'stalling' };
  expect(refusal(await askAs(await service.gameToken('Cold'), 'POST', '/reports', about))).toBe(
    '404 MATCH_NOT_FOUND',
  );
});

describe('staff', () => {
  const listed = async (query = '') => (await admin('GET', `/reports?${query}`)).body.items;

  test('list reports with who filed them, by status and player, and decide each once', async () => {
    const { matchGuid, one, other } = await pair();
    const { body: filed } = await file(one, { matchGuid, playerGuid: other.guid, reason: 'cheating' });
    const path = `/reports/${filed.reportGuid}`;
    expect(await listed(`playerGuid=${other.guid}`)).toEqual([{ ...filed, reporterGuid: one.guid }]);
    expect(await listed(`playerGuid=${other.guid}&status=upheld`)).toEqual([]);
    expect(await listed(`playerGuid=${newGuid()}`)).toEqual([]);
    expect(refusal(await admin('GET', '/reports?status=closed'))).toBe('400 VALIDATION_FAILED');
    const [newest] = await listed('status=open&limit=1');
    expect(newest.reportGuid).toBe(filed.reportGuid);

    const decision = { status: 'upheld', comment: 'The replay shows it.' };
    expect(refusal(await askAs(null, 'PATCH', path, {}))).toBe('401 UNAUTHENTICATED');
    expect(refusal(await askAs(one.token, 'PATCH', path, {}))).toBe('403 FORBIDDEN');
    for (const wrong of [{}, { status: 'upheld' }, { ...decision, status: 'open' }, { ...decision, by: 1 }])
      expect(refusal(await admin('PATCH', path, wrong))).toBe('400 VALIDATION_FAILED');
    expect(refusal(await admin('PATCH', `/reports/${newGuid()}`, decision))).toBe('404 REPORT_NOT_FOUND');
    const decided = await Promise.all([
      admin('PATCH', path, decision),
      admin('PATCH', path, { ...decision, status: 'dismissed' }),
    ]);
    expect(decided.map(refusal).sort()).toEqual(['200 undefined', '409 REPORT_CLOSED']);
    const { body } = decided.find(({ status }) => status === 200) as { body: any };
    expect(body).toEqual({ ...filed, status: expect.stringMatching('upheld|dismissed') });
    expect(refusal(await admin('PATCH', path, decision))).toBe('409 REPORT_CLOSED');
    const { items } = (await admin('GET', `/audit-log?target=${path}`)).body;
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      action: 'decideReport',
      before: { status: 'open' },
      after: { status: body.status, matchGuid, playerGuid: other.guid, comment: decision.comment },
    });
    expect(JSON.stringify(items)).not.toContain(one.guid);
    // The same report sent again is answered with its present status.
    const again = await file(one, { matchGuid, playerGuid: other.guid, reason: 'other' });
    expect([again.status, again.body]).toEqual([200, body]);
  });

  test('cannot see or decide reports about their own matches', async () => {
    const { platformId, username } = ACCOUNTS.admin;
    const token = await service.identityProvider.gameToken({ platformId, username });
    const [staff, rival] = [await service.connect('Admin', { token }), await service.connect('Rival')];
    const matchGuid = await meet(staff, rival, queueGuid);
    const against = await askAs(await service.gameToken('Rival'), 'POST', '/reports', {
      matchGuid,
      playerGuid: guidOf(staff),
      reason: 'cheating',
    });
    const own = await askAs(token, 'POST', '/reports', {
      matchGuid,
      playerGuid: guidOf(rival),
      reason: 'cheating',
    });
    const guids = [against, own].map(({ body }) => body.reportGuid);
    const seen = (await listed('limit=100')).map((one: { reportGuid: string }) => one.reportGuid);
    for (const reportGuid of guids) {
      expect(seen).not.toContain(reportGuid);
      const decided = await admin('PATCH', `/reports/${reportGuid}`, { status: 'dismissed', comment: 'No.' });
      expect(refusal(decided)).toBe('403 OWN_MATCH');
    }
    expect(await listed(`playerGuid=${guidOf(staff)}`)).toEqual([]);
    // Another admin sees them.
    const permissions = ['role:admin'];
    const second = await service.identityProvider.mint({ sub: 'second', platformId: null, permissions });
    const all = (await askAs(second, 'GET', '/reports')).body.items;
    expect(all.map(({ reportGuid }: any) => reportGuid)).toEqual(expect.arrayContaining(guids));
    const rivals = `/players/${guidOf(rival)}/export`;
    expect((await askAs(second, 'GET', rivals)).body.filedReports).toMatchObject([{ matchGuid }]);
    expect((await admin('GET', rivals)).body.filedReports).toEqual([]);
    const [path] = guids.map((reportGuid) => `/reports/${reportGuid}`);
    const decision = { status: 'dismissed', comment: 'Nothing to see.' };
    expect((await askAs(second, 'PATCH', path ?? '', decision)).status).toBe(200);
    const log = `/audit-log?target=${path}`;
    expect((await askAs(second, 'GET', log)).body.items).toMatchObject([{ after: { matchGuid } }]);
    expect((await admin('GET', log)).body).toEqual({ items: [], nextCursor: null });
    const one = await askAs(second, 'GET', '/reports?limit=1');
    const next = await askAs(second, 'GET', `/reports?limit=1&cursor=${one.body.nextCursor}`);
    const listedNow = (await askAs(second, 'GET', '/reports')).body.items;
    expect([...one.body.items, ...next.body.items]).toEqual(listedNow.slice(0, 2));
  });
});

test('a person sees their penalty, bans, the reports they filed, and their replays under review', async () => {
  const round = await playRound(service, queueGuid);
  const [one, other] = round.players;
  const standing = async (token = one.token) => (await askAs(token, 'GET', '/auth/me/standing')).body;
  expect(await standing()).toEqual({ penalty: null, bans: [], reports: [], replays: [] });

  expect((await publish(service, round, other, other.play.replay)).body.verdict).toBe('verified');
  const copy = (await publish(service, round, one, other.play.replay)).body;
  const filed = await file(
    { socket: one.socket, guid: one.guid, token: one.token },
    { matchGuid: round.matchGuid, playerGuid: other.guid, reason: 'cheating', comment: 'Look.' },
  );
  await admin('PATCH', `/reports/${filed.body.reportGuid}`, { status: 'dismissed', comment: 'Secret.' });
  const until = new Date(Date.now() + HOUR).toISOString();
  for (const end of [until, null])
    await admin('POST', `/players/${one.guid}/bans`, { reason: `Until ${end}`, until: end });
  const lifted = await admin('POST', `/players/${one.guid}/bans`, { reason: 'Lifted', until: null });
  await admin('DELETE', `/players/${one.guid}/bans/${lifted.body.banGuid}`);
  await service.database.prisma.penalty.create({
    data: {
      penaltyGuid: newGuid(),
      playerGuid: one.guid,
      matchGuid: newGuid(),
      reason: 'dodged',
      at: new Date(),
      until: new Date(until),
    },
  });

  const answer = await askAs(one.token, 'GET', '/auth/me/standing');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.body).toEqual({
    penalty: { reason: 'dodged', until },
    bans: [
      { reason: 'Until null', until: null },
      { reason: `Until ${until}`, until },
    ],
    reports: [{ ...filed.body, status: 'dismissed' }],
    replays: [
      {
        replayGuid: copy.replayGuid,
        matchGuid: round.matchGuid,
        roundNumber: round.roundNumber,
        verdict: copy.verdict,
      },
    ],
  });
  expect(JSON.stringify(answer.body)).not.toContain('Secret');
  // The opponent is told neither of the report nor of the copy.
  expect(await standing(other.token)).toEqual({ penalty: null, bans: [], reports: [], replays: [] });

  const reviews = (await admin('GET', `/replay-reviews?matchGuid=${round.matchGuid}`)).body.items;
  for (const { reviewGuid } of reviews)
    await admin('POST', `/replay-reviews/${reviewGuid}/resolve`, { decision: 'dismissed', comment: 'Fine.' });
  expect((await standing()).replays).toEqual([]);
});
