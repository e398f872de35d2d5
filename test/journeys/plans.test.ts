import { PassThrough } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { moveToArchive } from '../../src/domains/matches/archive-store.ts';
import { claimForReplayCheck } from '../../src/domains/matches/index.ts';
import { sumUsage } from '../../src/domains/matches/usage-store.ts';
import { sumCounts } from '../../src/domains/ratings/ladder-store.ts';
import { expireReplays, uploadsBefore } from '../../src/domains/replays/store.ts';

import { openExhibition } from '../../src/local/exhibition.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import { createRetention } from '../../src/retention.ts';
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

/** What a plan may cost in PostgreSQL's unit, the read of one page. A scan of a whole index costs ten times more. */
const MOST_COST = 10_000;

/** Tables that grow as long as the service is used. */
const GROWING = [
  'Player',
  'Match',
  'MatchEvent',
  'Replay',
  'ReplayReview',
  'Rating',
  'RatingChange',
  'FormerRatingChange',
  'Penalty',
  'AuditEntry',
] as const;

/** By their beginning: statements of staff alone, on pages they open a few times a day. */
const OF_STAFF: string[] = [];

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Plan Rows': number;
  Plans?: Plan[];
}

let service: TestService;
const sent = new Map<string, unknown[]>();

beforeAll(async () => {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  service = await startTestService({ environment: { METRICS_TOKEN } });
  const guids = await service.openQueue({ maps: 12 });
  await playAndLookAround(guids);
  await runSeldomTasks();
  await service.stopService();
  for (const [query] of spy.mock.calls as unknown as ({ text?: string; values?: unknown[] } | undefined)[][])
    if (query?.text !== undefined && !sent.has(query.text)) sent.set(query.text, query.values ?? []);
  spy.mockRestore();
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
    fractionFor: () => Math.random,
    thinkMs: 5,
    songMs: () => 0,
    stream: new PassThrough().resume(),
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
    for (const account of [null, 'admin']) await service.request(account, 'GET', address);
  }
  for (const query of [
    'status=completed',
    `queueGuid=${queueGuid}`,
    `playerGuid=${playerGuid}`,
    `seasonGuid=${seasonGuid}`,
  ])
    await service.request(null, 'GET', `/matches?${query}`);
  await service.request(null, 'GET', `/leaderboards/${queueGuid}?around=${playerGuid}`);
  await service.request(null, 'GET', '/players?query=ann');
  await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
}

/** Tasks that a node first runs seconds or minutes after its start. */
async function runSeldomTasks() {
  const { prisma } = service.database;
  const now = Date.now();
  await claimForReplayCheck(prisma, now, now, 10);
  await expireReplays(prisma, { uploadedBefore: now - 1000, now, most: 10 });
  await uploadsBefore(prisma, now);
  await sumCounts(prisma);
  await sumUsage(prisma);
  await moveToArchive(service.database, { endedBefore: now + 60_000, most: 10 });
  await createRetention({
    ...loadConfig(service.environment),
    database: service.database,
    clock: { now: () => now },
  }).removeExpired();
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
       version, state, rated, "startedAt", "endedAt", outcome, reason, "replaysCheckedAt")
     SELECT gen_random_uuid(), $2, $3, $4, red."playerGuid", blue."playerGuid", 1, 'completed', 20,
       jsonb_build_object('text', repeat(md5(n::text), 40)), true, now() - n * interval '10 minutes',
       now() - n * interval '10 minutes' + interval '8 minutes', 'decided', 'health', now()
     FROM n JOIN numbered red ON red.nth = n.red JOIN numbered blue ON blue.nth = n.blue`,
    [MATCHES, queueGuid, seasonGuid, poolGuid],
  );
  await run(`INSERT INTO "MatchEvent" ("matchGuid", version, at, event, cause)
    SELECT "matchGuid", n, "startedAt", '{}', '{}' FROM "Match", generate_series(100, 102) n`);
  await run(`INSERT INTO "RatingChange" ("matchGuid", "playerGuid", "queueGuid", "seasonGuid", at, score, "muBefore",
      "sigmaBefore", "muAfter", "sigmaAfter")
    SELECT "matchGuid", "redGuid", "queueGuid", "seasonGuid", "endedAt", 1, 25, 8, 26, 8 FROM "Match"
    ON CONFLICT DO NOTHING`);
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
    SELECT gen_random_uuid(), "redGuid", "matchGuid", 'dodged', "endedAt", "endedAt" FROM "Match" LIMIT 5000`);
  await run(`INSERT INTO "AuditEntry" ("auditGuid", at, "actorGuid", action, target)
    SELECT gen_random_uuid(), "startedAt", "redGuid", 'match.abort', 'match ' || "matchGuid" FROM "Match" LIMIT 5000`);
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

/** What a plan does that takes longer as history grows. */
function costly(plan: Plan): string[] {
  const inner = plan.Plans ?? [];
  const found = inner.flatMap(costly);
  const table = plan['Relation Name'];
  if (plan['Node Type'] === 'Seq Scan' && GROWING.some((one) => one === table)) found.push(`scans ${table}`);
  const rows = Math.max(0, ...inner.map((one) => one['Plan Rows']));
  // An incremental sort reads no further than its limit.
  if (/^(?:Sort|Aggregate|WindowAgg|Unique)$/.test(plan['Node Type']) && rows > MOST_ROWS)
    found.push(`${plan['Node Type']} of ${rows} rows`);
  return found;
}

test('no statement scans, sorts or adds up a table that grows with history', async () => {
  const found: string[] = [];
  let explained = 0;
  for (const [text, values] of sent) {
    if (!/^\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(text)) continue;
    if (OF_STAFF.some((beginning) => text.startsWith(beginning))) continue;
    const { rows } = await service.database.pool.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
    explained += 1;
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    const reasons = costly(plan);
    if (plan['Total Cost'] > MOST_COST) reasons.push(`costs ${plan['Total Cost']}`);
    if (reasons.length > 0) found.push(`${reasons.join(', ')}: ${text.replaceAll(/\s+/g, ' ').trim()}`);
  }
  expect(explained).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
