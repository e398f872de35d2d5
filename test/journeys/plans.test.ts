import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { isRefusalLogged, loadKeyDocument, takeRefusal } from '../../src/domains/auth/store.ts';
import { downloadUrlsOf, pauseTurns } from '../../src/domains/maps/store.ts';
import { moveToArchive } from '../../src/domains/matches/archive-store.ts';
import { claimMatchesThatMissed, commitChanges } from '../../src/domains/matches/batch-store.ts';
import { changedMatches } from '../../src/domains/matches/following-store.ts';
import { claimForReplayCheck, type StoredMatch } from '../../src/domains/matches/index.ts';
import { markReplayed, selectUnreplayed } from '../../src/domains/matches/log-checks-store.ts';
import * as logs from '../../src/domains/matches/log-store.ts';
import { lockAwayPlayers, playedVersions, unmarkDelivered } from '../../src/domains/matches/seats-store.ts';
import { loadMatch } from '../../src/domains/matches/store.ts';
import { sumUsage } from '../../src/domains/matches/usage-store.ts';
import { recordOffence } from '../../src/domains/penalties/store.ts';
import { bansStored } from '../../src/domains/players/bans-store.ts';
import * as erasure from '../../src/domains/players/erasure-store.ts';
import { playersOfSubjects } from '../../src/domains/players/store.ts';
import { countGoneInARow, keysToCheck, noteFailedChecks } from '../../src/domains/pools/checks-store.ts';
import * as queues from '../../src/domains/queues/store.ts';
import { sumCounts } from '../../src/domains/ratings/ladder-store.ts';
import * as reviews from '../../src/domains/replays/reviews-store.ts';
import * as replays from '../../src/domains/replays/store.ts';
import * as reports from '../../src/domains/reports/store.ts';
import * as sessions from '../../src/domains/sessions/store.ts';
import { openExhibition, PLAYERS } from '../../src/local/exhibition.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { createRetention } from '../../src/retention.ts';
import { noteCalls } from '../harness/called-functions.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/**
 * How PostgreSQL would run the statements of the service when a million matches have been played: 20,000 are stored,
 * and the statistics say fifty times as many of everything.
 */

const METRICS_TOKEN = 'a-token-for-the-metrics-of-this-test';
const MATCHES = 20_000;
const TIMES = 50;
/** Rows that may be sorted or added up: more only where a limit stands on them. */
const MOST_ROWS = 10_000;

/** The highest cost of a plan, in PostgreSQL's unit, the read of one page. A scan of a whole index costs ten times more. */
const MOST_COST = 10_000;

/** Tables that grow as long as the service is used. */
const GROWING = [
  'Player',
  'Ban',
  'Match',
  'MatchEvent',
  'MatchArchive',
  'Replay',
  'ReplayReview',
  'Report',
  'MapGap',
  'Rating',
  'RatingChange',
  'FormerRatingChange',
  'Penalty',
  'AuditEntry',
  'LoginSession',
  'PendingLogin',
  'PlatformIdRefusal',
  'HostMapVersion',
  'HostMapKey',
] as const;

/** By what they begin with: statements of staff alone, who send them a few times a week. */
const OF_STAFF = [
  // Whether somebody else is an admin, when one is revoked.
  'SELECT "public"."Player"."playerGuid" FROM "public"."Player" WHERE ("public"."Player"."playerGuid" <> $1',
];

/**
 * By what they hold: statements of an export or an erasure, which somebody asks for once in a life. There is no index for them,
 * because every match, decision or correction would write to it.
 */
const OF_A_LIFE = [
  /FROM "FormerRatingChange" kept\s+WHERE "playerGuid"/,
  /coalesce\("\w+"::text ~\* \$\d/,
  /coalesce\("target" = \$\d/,
  /^\s*UPDATE "AuditEntry" SET/,
  /^\s*UPDATE "Replay" SET checks/,
  /^UPDATE "public"."ReplayReview" SET "comment" = \$1 WHERE "public"."ReplayReview"."resolvedByGuid"/,
];

/** Store files by their path, with the source. */
const STORES = globSync('src/domains/**/*store.ts').map((file) => ({
  file,
  source: readFileSync(file, 'utf8'),
  load: () => import(path.resolve(file)) as Promise<Record<string, unknown>>,
}));

/** The indexes by start that have the matches of all players. Those of one outcome are read for aborted matches only, the few. */
const INDEX_OF_ALL = /^Match_(?:(?:queue|season)Guid_)?startedAt_idx$/;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Filter?: string;
  'Plan Rows': number;
  Plans?: Plan[];
}

let service: TestService;
/** Every statement that was sent, with values, and whether it is prepared by name. */
const sent = new Map<string, { values: unknown[]; isNamed: boolean }>();
let calledIn: (file: string) => ReadonlySet<string>;

beforeAll(async () => {
  const callsNoted = await noteCalls();
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  service = await startTestService({ environment: { METRICS_TOKEN } });
  const guids = await service.openQueue({ maps: 12 });
  const seat = await playAndLookAround(guids);
  await runSeldomTasks();
  await doWhatIsSeldom({ ...guids, ...seat });
  await service.stopService();
  const queries = spy.mock.calls as unknown as { text?: string; values?: unknown[]; name?: string }[][];
  for (const [query] of queries)
    if (query?.text !== undefined && !sent.has(query.text))
      sent.set(query.text, { values: query.values ?? [], isNamed: query.name !== undefined });
  spy.mockRestore();
  calledIn = await callsNoted();
  await growOld(guids);
}, 120_000);
afterAll(() => service.stop());

/** Two bots play a match with replays, and everybody reads everything that can be read. */
async function playAndLookAround({
  queueGuid,
  poolGuid,
  seasonGuid,
}: Awaited<ReturnType<TestService['openQueue']>>) {
  const exhibition = await openExhibition({
    stack: { ...service, pluginVersion: PLUGIN_VERSION },
    queueGuid,
    thinkMs: 5,
    songMs: () => 0,
  });
  const [{ matchGuid, you }] = await exhibition.play();
  exhibition.close();
  const { playerGuid } = you.player as { playerGuid: string };
  const ann = await service.connect('ann');
  await ann.do('hello');

  const { body: document } = await service.request(null, 'GET', '/docs/json');
  const known: Record<string, string> = {
    matchGuid,
    playerGuid,
    queueGuid,
    poolGuid,
    seasonGuid,
    gameVersion: '1.40.0',
  };
  for (const [path, methods] of Object.entries(document.paths as Record<string, { get?: unknown }>)) {
    if (methods.get === undefined) continue;
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '1');
    // A stream goes on: its head and what it sends at once are enough.
    if (path.endsWith('/events')) await readStream(address);
    else for (const account of [null, 'admin']) await service.request(account, 'GET', address);
  }
  const [since, until] = ['2026-01-01T00:00:00Z', '9999-01-01T00:00:00Z'];
  const guids = { queueGuid: [queueGuid], seasonGuid: [seasonGuid], playerGuid: [playerGuid] };
  const times = { since: [since], until: [until] };
  const matches = { ...guids, ...times };
  await readFiltered(null, '/matches', { state: ['running', 'ended'], ...matches });
  await readFiltered(null, '/matches', { status: ['playing', 'completed', 'aborted'], ...matches });
  await readFiltered(null, `/players/${playerGuid}/ratings`, {
    queueGuid: [queueGuid],
    seasonGuid: [seasonGuid],
  });
  await readFiltered('admin', '/reports', { status: ['open', 'dismissed'], playerGuid: [playerGuid] });
  await readFiltered('admin', '/replay-reviews', {
    ...{ status: ['open', 'resolved'], reason: ['mismatch', 'missing', 'copy'] },
    ...{ matchGuid: [matchGuid], playerGuid: [playerGuid] },
  });
  await service.request(null, 'GET', `/leaderboards/${queueGuid}?around=${playerGuid}`);
  const target = ['/matches', `/matches/${matchGuid}`];
  await readFiltered('admin', '/audit-log', {
    target,
    actorGuid: [playerGuid],
    action: ['abortMatch'],
    ...times,
  });
  for (const query of ['ann', 'q']) await service.request(null, 'GET', `/players?query=${query}`);
  await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return { matchGuid, playerGuid };
}

/** Reads a list, and what follows its first item, with every combination of filters. */
async function readFiltered(account: string | null, address: string, filters: Record<string, string[]>) {
  let combinations: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(filters))
    combinations = combinations.flatMap((one) => [
      one,
      ...values.map((value) => ({ ...one, [name]: value })),
    ]);
  for (const combination of combinations) {
    const query = new URLSearchParams({ ...combination, limit: '1' });
    const { status, body } = await service.request(account, 'GET', `${address}?${query}`);
    if (status !== 200) throw new Error(`${address}?${query}: ${JSON.stringify(body)}`);
    if (body.nextCursor === null) continue;
    await service.request(account, 'GET', `${address}?${query}&cursor=${body.nextCursor}`);
  }
}

/** Reads what a stream sends at once, and closes its connection. */
async function readStream(address: string): Promise<void> {
  const left = new AbortController();
  const stream = await fetch(`${service.url}${address}`, {
    headers: { connection: 'close' },
    signal: left.signal,
  });
  await stream.body?.getReader().read();
  left.abort();
}

/** Tasks that a node first runs seconds or minutes after its start. */
async function runSeldomTasks() {
  const { prisma } = service.database;
  const now = Date.now();
  await claimForReplayCheck(prisma, now, now, 10);
  await replays.expireReplays(prisma, { uploadedBefore: now - 1000, now, most: 10 });
  await replays.uploadsBefore(prisma, now, 10);
  await sumCounts(prisma);
  await sumUsage(prisma);
  await selectUnreplayed(service.database, [2], 10);
  await markReplayed(service.database, '00000000-0000-0000-0000-000000000000', 1);
  await moveToArchive(service.database, { endedBefore: now + 60_000, most: 10 });
  await createRetention({
    ...loadConfig(service.environment),
    database: service.database,
    clock: { now: () => now },
  }).removeExpired();
}

/** Decisions of staff, the end of a session, and an outage: the statements that nothing above sent. */
async function doWhatIsSeldom({
  queueGuid,
  poolGuid,
  matchGuid,
  playerGuid,
}: Awaited<ReturnType<typeof playAndLookAround>> & Awaited<ReturnType<TestService['openQueue']>>) {
  const { database } = service;
  const { prisma } = database;
  const now = Date.now();
  const admin = async (method: string, address: string, body: object) => {
    const { status, body: answer } = await service.request('admin', method, address, body);
    if (status >= 300) throw new Error(`${method} ${address}: ${JSON.stringify(answer)}`);
    return answer;
  };
  await admin('POST', `/matches/${matchGuid}/result/preview`, { outcome: 'draw', winnerGuid: null });
  await admin('POST', `/matches/${matchGuid}/result`, {
    outcome: 'draw',
    winnerGuid: null,
    reason: 'A test.',
  });
  await admin('POST', `/matches/${matchGuid}/undo`, { reason: 'A test.' });
  for (const outcome of ['no_contest', 'draw'])
    await admin('POST', `/matches/${matchGuid}/result/preview`, { outcome, winnerGuid: null });
  const { banGuid } = await admin('POST', `/players/${playerGuid}/bans`, { reason: 'A test.', until: null });
  await admin('DELETE', `/players/${playerGuid}/bans/${banGuid}`, {});
  await admin('PUT', `/players/${playerGuid}/roles`, { roles: ['role:admin'] });
  await admin('PUT', `/players/${playerGuid}/roles`, { roles: [] });
  await admin('POST', `/queues/${queueGuid}/drain`, {});
  await playersOfSubjects(prisma, ['nobody']);
  await bansStored(prisma, { since: now, until: now }, now);
  await recordOffence(prisma, { playerGuid, matchGuid, reason: 'dodged', now, firstMs: 1 });
  await queues.queuesOfPool(prisma, poolGuid);
  await queues.stoppedQueuesWithEntries(prisma);
  await keysToCheck(prisma, { answeredBefore: now, failedBefore: now }, 10);
  await noteFailedChecks(prisma, ['a'], now);
  await countGoneInARow(prisma);
  await pauseTurns(prisma, 'http://127.0.0.1', 1);
  await downloadUrlsOf(prisma, 'A');
  await loadKeyDocument(prisma, 'http://127.0.0.1');
  await takeRefusal(prisma, { platformId: '1', subject: 'one', at: now });
  await isRefusalLogged(prisma, { platformId: '1', subject: 'one', at: now });

  await claimMatchesThatMissed(prisma, { number: 1, until: now }, newGuid(), 10);
  const { state, ...match } = (await loadMatch(database, matchGuid)) as StoredMatch;
  const cause = { type: 'presenceChanged', seat: null } as const;
  // From a version that is not stored: nothing changes.
  const from = { ...match, state: { ...state, version: 0 } };
  await commitChanges(
    prisma,
    [{ from, steps: [{ event: { type: 'phaseOver' }, state, cause }], dueAt: null }],
    now,
  );
  await logs.versionsOfNode(database, newGuid(), [matchGuid], new Date());
  await logs.versionsOfPlayers(database, [playerGuid], [matchGuid], new Date());
  await logs.changesSince(database, [{ matchGuid, version: 1 }]);
  await unmarkDelivered(prisma, [playerGuid]);
  const presence = { kind: 'away', since: 0, deadlineAt: 0, free: false } as const;
  await lockAwayPlayers(prisma, [{ playerGuid, presence }]);
  await playedVersions(database, matchGuid, playerGuid);
  await changedMatches(database, [{ matchGuid, version: 0 }]);

  const part = { matchGuid, roundNumber: 1, playerGuid };
  const replay = await replays.replayOfPart(prisma, part);
  const replayGuid = replay?.replayGuid ?? newGuid();
  await replays.findReplay(prisma, replayGuid);
  await replays.endUploads(prisma, [replayGuid]);
  await reviews.listForReview(prisma, { ...part, replayGuid, reason: 'mismatch', now });
  const listed = await reviews.listReviews(
    prisma,
    { status: 'open', limit: 1, cursor: undefined },
    undefined,
  );
  const { reviewGuid = '' } = listed.items[0] ?? {};
  await reviews.findReview(prisma, reviewGuid);
  await reviews.resolveReview(prisma, reviewGuid, {
    ...{ decision: 'dismissed', comment: 'A test.', resolvedByGuid: playerGuid, at: now },
  });

  const about = { matchGuid, playerGuid, reporterGuid: newGuid() };
  await reports.lockReporter(prisma, about.reporterGuid);
  await reports.reportAbout(prisma, matchGuid, about.reporterGuid);
  await reports.timeOfReport(prisma, about.reporterGuid, 20);
  const filed = await reports.insertReport(prisma, { ...about, reason: 'other', comment: null }, now);
  await reports.findReport(prisma, filed.reportGuid);
  await reports.closeReport(prisma, filed.reportGuid, 'dismissed');
  for (const query of ['status=open', `playerGuid=${playerGuid}`])
    await service.request('admin', 'GET', `/reports?${query}`);

  const at = new Date(now);
  const used = { accessToken: 'a', refreshToken: null, endsAt: new Date(now + 60_000) };
  const tokens = { ...used, accessExpiresAt: at, renewAt: at };
  const begun = { sessionGuid: newGuid(), tokenHash: 'hash', playerGuid, startedAt: at, ...tokens };
  await erasure.sharePlayer(prisma, playerGuid);
  await sessions.insertSession(prisma, begun);
  const session = await sessions.findSession(prisma, ['hash'], now);
  if (session === null) throw new Error('There is no session.');
  await sessions.takePendingLogin(prisma, { stateHashes: ['a'], verifierHashes: ['b'], now });
  await sessions.readSession(prisma, session.sessionGuid);
  await sessions.trimSessions(prisma, playerGuid, 10);
  await sessions.claimRenewal(prisma, session, { now, until: now, isOurs: false });
  await sessions.changeSession(prisma, session, { ...tokens, tokenHash: 'hash' });
  await sessions.endSession(prisma, session);
  await sessions.endSessionOf(prisma, ['hash']);
  await sessions.endSessionsOfPlayer(prisma, playerGuid);

  const ban = { reason: 'A test.', until: null };
  await admin('POST', `/players/${playerGuid}/bans`, ban);
  await admin('POST', `/players/${playerGuid}/erase`, { confirm: playerGuid });
  await service.request('admin', 'GET', `/replays/${replayGuid}/download`);
  await erasure.erasedSince(prisma, now);
  await erasure.erasedAmong(prisma, [playerGuid]);
  await erasure.mayBeAmong(prisma, newGuid(), [playerGuid]);
  const token = await service.identityProvider.gameToken({
    platformId: PLAYERS[0].platformId,
    username: 'Again',
  });
  await fetch(`${service.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  const other = await service.identityProvider.gameToken({
    platformId: PLAYERS[1].platformId,
    username: 'Again',
  });
  await fetch(`${service.url}/auth/me`, { headers: { authorization: `Bearer ${other}` } });
}

async function growOld({
  queueGuid,
  poolGuid,
  seasonGuid,
}: {
  queueGuid: string;
  poolGuid: string;
  seasonGuid: string;
}) {
  const { pool } = service.database;
  const run = (text: string, values: unknown[] = []) => pool.query(text, values);
  for (const table of GROWING) await run(`ALTER TABLE "${table}" SET (autovacuum_enabled = false)`);
  await run(
    `INSERT INTO "Player" ("playerGuid", subject, username, "joinedAt", "providerRoles", "tokenIssuedAt")
     SELECT gen_random_uuid(), 'old ' || n, 'Player ' || n, now(), '{}', now() FROM generate_series(1, $1::int / 10) n`,
    [MATCHES],
  );
  await run(
    `WITH numbered AS (SELECT "playerGuid", row_number() OVER () - 1 AS nth FROM "Player"),
     n AS (SELECT n, n % (SELECT count(*) FROM numbered) AS red, (n * 7 + 1) % (SELECT count(*) FROM numbered) AS blue
       FROM generate_series(1, $1::int) n)
     INSERT INTO "Match" ("matchGuid", "queueGuid", "seasonGuid", "poolGuid", "redGuid", "blueGuid", "rulesVersion", status,
       version, sequence, state, rated, "startedAt", "endedAt", outcome, reason, "replaysCheckedAt", "isArchived", "isReplayed")
     SELECT gen_random_uuid(), $2, $3, $4, red."playerGuid", blue."playerGuid", 1, 'completed', 20, -n,
       jsonb_build_object('text', repeat(md5(n::text), 40)), true, now() - n * interval '10 minutes',
       now() - n * interval '10 minutes' + interval '8 minutes', 'decided', 'health', now(), n > 144, n > 144
     FROM n JOIN numbered red ON red.nth = n.red JOIN numbered blue ON blue.nth = n.blue`,
    [MATCHES, queueGuid, seasonGuid, poolGuid],
  );
  await run(`INSERT INTO "MatchEvent" ("matchGuid", version, at, event, cause)
    SELECT "matchGuid", n, "startedAt", '{}', '{}' FROM "Match", generate_series(100, 102) n`);
  await run(`INSERT INTO "MatchArchive" ("matchGuid", log) SELECT "matchGuid", repeat('log', 500)::bytea FROM "Match"
    ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO "Ban" ("banGuid", "playerGuid", reason, "createdByGuid", "createdAt", until)
    SELECT gen_random_uuid(), "playerGuid", 'A test.', "playerGuid", "joinedAt" - random() * interval '900 days', now() FROM "Player"`);
  await run(`INSERT INTO "LoginSession" ("sessionGuid", "tokenHash", "playerGuid", "startedAt", "endsAt", "accessToken",
      "accessExpiresAt", "renewAt", version)
    SELECT gen_random_uuid(), n || 'old' || "playerGuid", "playerGuid", now(), now() + random() * interval '7 days', '', now(), now(), 1
    FROM "Player", generate_series(1, 3) n`);
  await run(`INSERT INTO "PendingLogin" ("stateHash", "verifierHash", "returnTo", "expiresAt")
    SELECT n, n, '/', now() + random() * interval '10 minutes' FROM generate_series(1, 5000) n`);
  await run(`INSERT INTO "PlatformIdRefusal" ("platformId", subject, "loggedAt")
    SELECT n, n, now() - random() * interval '1 day' FROM generate_series(1, 5000) n`);
  await run(`INSERT INTO "HostMapVersion" (hash, key, name, "songName", "levelAuthorName", "durationSeconds", difficulties,
      "downloadUrl", "fetchedAt")
    SELECT md5(n::text), n, '', '', '', 1, '[]', '', now() - random() * interval '90 days' FROM generate_series(1, 5000) n`);
  await run(`INSERT INTO "HostMapKey" (key, hash, "fetchedAt") SELECT key, hash, "fetchedAt" FROM "HostMapVersion"
    ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO "RatingChange" ("matchGuid", "playerGuid", "queueGuid", "seasonGuid", at, score, "muBefore",
      "sigmaBefore", "muAfter", "sigmaAfter")
    SELECT "matchGuid", "redGuid", "queueGuid", "seasonGuid", "endedAt", 1, 25, 8, 26, 8 FROM "Match"
    ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO "Report" ("reportGuid", "matchGuid", "reporterGuid", "playerGuid", reason, status, at)
    SELECT gen_random_uuid(), "matchGuid", "redGuid", "blueGuid", 'other',
      CASE WHEN random() < 0.01 THEN 'open' ELSE 'dismissed' END, "endedAt" FROM "Match" WHERE "endedAt" IS NOT NULL`);
  await run(`INSERT INTO "MapGap" ("mapGuid", gap)
    SELECT map."mapGuid", random() FROM "PoolMap" AS map, generate_series(1, 5000)`);
  await run(`INSERT INTO "FormerRatingChange" ("correctionGuid", "correctedMatchGuid", "replacedAt", "matchGuid", "playerGuid",
      "queueGuid", "seasonGuid", at, score, "muBefore", "sigmaBefore", "muAfter", "sigmaAfter")
    SELECT gen_random_uuid(), "matchGuid", at, "matchGuid", "playerGuid", "queueGuid", "seasonGuid", at, 1, 25, 8, 26, 8
    FROM "RatingChange" LIMIT 2000`);
  await run(
    `INSERT INTO "Rating" ("queueGuid", "seasonGuid", "playerGuid", mu, sigma, rating, wins, losses, draws, "winStreak")
    SELECT $1, $2, "playerGuid", 25, 2, 600 + (random() * 900)::int, 5, 5, 0, 0 FROM "Player" ON CONFLICT DO NOTHING`,
    [queueGuid, seasonGuid],
  );
  await run(`INSERT INTO "Penalty" ("penaltyGuid", "playerGuid", "matchGuid", reason, at, until)
    SELECT gen_random_uuid(), "redGuid", "matchGuid", 'dodged', "endedAt", "endedAt" FROM "Match" LIMIT 5000
    ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO "AuditEntry" ("auditGuid", at, "actorGuid", action, target)
    SELECT gen_random_uuid(), "startedAt", "redGuid", 'abortMatch', '/matches/' || "matchGuid" FROM "Match" LIMIT 5000`);
  await run(`INSERT INTO "Replay" ("replayGuid", "matchGuid", "roundNumber", "playerGuid", "uploadedAt", size, sha256, verdict,
      checks, personal)
    SELECT gen_random_uuid(), "matchGuid", 1, "redGuid", "endedAt", 1000, md5("matchGuid"::text), 'verified', '[]', '[]'
    FROM "Match" ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO "ReplayReview" ("reviewGuid", "matchGuid", "roundNumber", "playerGuid", reason, "createdAt", decision,
      "resolvedAt")
    SELECT gen_random_uuid(), "matchGuid", 1, "playerGuid", 'mismatch', "uploadedAt", 'accepted', now() FROM "Replay"
    LIMIT 5000 ON CONFLICT DO NOTHING`);
  await run('ANALYZE');
  // Pages stay as they are: of each the planner then expects fifty times the rows.
  await run(
    `UPDATE pg_class SET reltuples = reltuples * $1
     WHERE reltuples > 0 AND (relname = ANY($2) OR oid IN (
       SELECT indexrelid FROM pg_index JOIN pg_class AS t ON t.oid = indrelid WHERE t.relname = ANY($2)))`,
    [TIMES, GROWING],
  );
}

/** The steps of a plan that take longer as history grows. */
function costly(plan: Plan): string[] {
  const inner = plan.Plans ?? [];
  const found = inner.flatMap(costly);
  const table = plan['Relation Name'];
  if (plan['Node Type'] === 'Seq Scan' && GROWING.some((one) => one === table)) found.push(`scans ${table}`);
  // For a player who stopped playing, such an index is read from then on, which no estimate of costs shows.
  if (INDEX_OF_ALL.test(plan['Index Name'] ?? '') && /"(?:red|blue)Guid" = /.test(plan.Filter ?? ''))
    found.push(`looks for a player with ${plan['Index Name']}`);
  const rows = Math.max(0, ...inner.map((one) => one['Plan Rows']));
  // An incremental sort reads no further than its limit.
  if (/^(?:Sort|Aggregate|WindowAgg|Unique)$/.test(plan['Node Type']) && rows > MOST_ROWS)
    found.push(`${plan['Node Type']} of ${rows} rows`);
  return found;
}

test('every statement on a table that grows was sent', async () => {
  const model = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
  const names = GROWING.flatMap((name) => [`"${name}"`, `'${name}'`, `.${model(name)}.`]);
  const concerned = STORES.filter(({ source }) => names.some((name) => source.includes(name)));
  const missing: string[] = [];
  for (const { file, load } of concerned)
    for (const [name, value] of Object.entries(await load())) {
      if (typeof value !== 'function') continue;
      const wasCalled =
        'query' in value
          ? sent.has((value as { query(): { text: string } }).query().text)
          : calledIn(file).has(value.name);
      if (!wasCalled) missing.push(`${file}: ${name}`);
    }
  expect(concerned.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

/** Why a plan takes longer as history grows; empty: it does not. */
function problemsOf(plan: Plan & { 'Total Cost': number }): string[] {
  const cost = plan['Total Cost'];
  return [...costly(plan), ...(cost > MOST_COST ? [`costs ${cost}`] : [])];
}

test('no statement scans, sorts or adds up a table that grows with history', async () => {
  const found: string[] = [];
  let explained = 0;
  const explain = async (text: string, values: unknown[], how: string): Promise<void> => {
    const { rows } = await service.database.pool.query(`EXPLAIN (FORMAT JSON${how}) ${text}`, values);
    explained += 1;
    const reasons = problemsOf(rows[0]['QUERY PLAN'][0].Plan);
    if (reasons.length > 0) found.push(`${reasons.join(', ')}${how}: ${text.replaceAll(/\s+/g, ' ').trim()}`);
  };
  for (const [text, { values, isNamed }] of sent) {
    if (!/^\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(text)) continue;
    if (OF_STAFF.some((beginning) => text.startsWith(beginning))) continue;
    if (OF_A_LIFE.some((pattern) => pattern.test(text))) continue;
    await explain(text, values, '');
    // PostgreSQL may plan a prepared statement once for all values.
    if (isNamed) await explain(text, [], ', GENERIC_PLAN');
  }
  expect(explained).toBeGreaterThan(150);
  expect(found).toEqual([]);
});

test('no statement within a function of the database scans, sorts or adds up a table that grows with history', async () => {
  const calls = [...sent].filter(([text]) => /^SELECT "\w+"\(/.test(text));
  expect(calls.map(([text]) => /"(\w+)"/.exec(text)?.[1]).sort()).toEqual([
    'claimSeat',
    'joinQueue',
    'publishReplay',
  ]);
  const found: string[] = [];
  /** The reports of auto_explain. */
  const explained: string[] = [];
  const problemsIn = (report: string): string[] => {
    const { 'Query Text': text, Plan: plan } = JSON.parse(report);
    return problemsOf(plan).map((problem) => `${problem}: ${text.replaceAll(/\s+/g, ' ').trim()}`);
  };
  const client = await service.database.pool.connect();
  const read = ({ message = '' }: { message?: string | undefined }) =>
    explained.push(...(/plan:\s*(\{.*\})\s*$/s.exec(message)?.slice(1) ?? []));
  client.on('notice', read);
  try {
    await client.query("LOAD 'auto_explain'");
    for (const [name, value] of Object.entries({
      log_min_duration: '0',
      log_nested_statements: 'on',
      log_format: 'json',
      log_level: 'notice',
    }))
      await client.query(`SET auto_explain.${name} = '${value}'`);
    for (const mode of ['force_custom_plan', 'force_generic_plan'])
      for (const [text, { values }] of calls) {
        await client.query('BEGIN');
        await client.query(`SET LOCAL plan_cache_mode = ${mode}`);
        // The functions do the most when nothing is refused. Replays that were not published here have no checks.
        await client.query('UPDATE "Player" SET "erasedAt" = NULL WHERE "erasedAt" IS NOT NULL');
        await client.query('DELETE FROM "Ban" WHERE "liftedAt" IS NULL');
        await client.query(`UPDATE "Queue" SET status = 'open'`);
        await client.query(`DELETE FROM "Replay" WHERE checks <> '[]'`);
        const before = explained.length;
        await client.query(text, values);
        expect(explained.length - before, text).toBeGreaterThan(4);
        found.push(...explained.slice(before).flatMap(problemsIn));
        await client.query('ROLLBACK');
      }
  } finally {
    client.off('notice', read);
    client.release(true);
  }
  expect(found).toEqual([]);
});
