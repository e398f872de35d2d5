import pg from 'pg';
import { type Claim, median, processors } from './harness.ts';
import { openArena } from './matches-arena.ts';

/** Pages of an audit log of a million entries, for every combination of the filters that the console offers. */

const ENTRIES = 1_000_000;
const ACTORS = 40;
const THINGS = 4000;
const REPEATS = 5;
/** The aim: milliseconds from the request to the whole answer. */
const MOST_MS = 50;

/** Actions by the kind of their thing, the common ones first. */
const ACTIONS = [
  ...[
    'addMap',
    'changeMap',
    'removeMap',
    'submitPool',
    'reviewPool',
    'publishPool',
    'retirePool',
    'copyPool',
  ].map((action) => ['pools', action] as const),
  ...['banPlayer', 'liftBan', 'setRoles', 'erasePlayer'].map((action) => ['players', action] as const),
  ...['decideMatch', 'undoMatch', 'abortMatch', 'readMatchLog'].map((action) => ['matches', action] as const),
  ...['decideReport'].map((action) => ['reports', action] as const),
  ...['resolveReplayReview'].map((action) => ['replay-reviews', action] as const),
  ...['openQueue', 'closeQueue', 'changeQueue', 'createQueue'].map((action) => ['queues', action] as const),
  ...['createSeason', 'changeSeason'].map((action) => ['seasons', action] as const),
];

/**
 * Few people do most of what is done, and few things have most of the entries. The busiest person has never done the
 * commonest action, and nobody else the second: no page of those can be filled, however far one looks.
 */
const FILL = `
  WITH drawn AS MATERIALIZED (
    SELECT n, (${ACTORS} * random() ^ 3)::int AS person, floor(${ACTIONS.length} * random() ^ 3)::int AS act,
      (${THINGS} * random() ^ 2)::int AS nth
    FROM generate_series(1, ${ENTRIES}) n
  ), apart AS (
    SELECT n, person, nth, CASE WHEN person = 0 AND act = 0 THEN 1 WHEN person > 0 AND act = 1 THEN 0 ELSE act END AS act FROM drawn
  )
  INSERT INTO "AuditEntry" ("auditGuid", at, "actorGuid", action, target, before, after)
  SELECT uuidv7(), now() - (${ENTRIES} - n) * interval '1 minute', person.guid, what.action,
    '/' || what.kind || '/' || md5(what.kind || apart.nth)::uuid || CASE WHEN n % 5 = 0 THEN '/bans/' || md5(n::text)::uuid ELSE '' END,
    jsonb_build_object('name', md5(n::text), 'status', 'draft', 'revision', n),
    jsonb_build_object('name', md5(n::text), 'status', 'in_review', 'revision', n + 1)
  FROM apart
  JOIN unnest($1::uuid[]) WITH ORDINALITY AS person(guid, nth) ON person.nth = apart.person + 1
  JOIN unnest($2::text[], $3::text[]) WITH ORDINALITY AS what(kind, action, nth) ON what.nth = apart.act + 1`;

/** Nearly all is done to maps of pools, by three people in turn: few actions, and each of them has a great part of the log. */
const FILL_ALIKE = `
  INSERT INTO "AuditEntry" ("auditGuid", at, "actorGuid", action, target, before, after)
  SELECT uuidv7(), now() - (${ENTRIES} - n) * interval '1 minute', ($1::uuid[])[1 + n % 3],
    (ARRAY['addMap', 'changeMap', 'openQueue', 'banPlayer'])[1 + n % 4],
    '/pools/' || md5((n % 5000)::text)::uuid || '/maps/' || md5(n::text)::uuid, null::jsonb, '{"name": "a map"}'::jsonb
  FROM generate_series(1, ${ENTRIES}) n
  UNION ALL
  SELECT uuidv7(), now() - n * interval '10 days', ($1::uuid[])[1 + n % 3], (ARRAY['createSeason', 'changeSeason'])[1 + n % 2],
    '/seasons/' || md5('season')::uuid, null::jsonb, '{"name": "a season"}'::jsonb
  FROM generate_series(1, 40) n`;

interface Filters {
  actorGuid?: string;
  action?: string;
  target?: string;
  since?: string;
  until?: string;
  cursor?: string;
}

/** Every value of one filter together with every value of the others. */
const together = (each: readonly (readonly Filters[])[]): Filters[] =>
  each.reduce<Filters[]>(
    (all, some) => all.flatMap((one) => some.map((more) => ({ ...one, ...more }))),
    [{}],
  );

export async function bench(): Promise<Claim[]> {
  const arena = await openArena({}, { seated: 0 });
  const database = new pg.Client({ connectionString: arena.databaseUrl });
  await database.connect();
  try {
    const people = Array.from({ length: ACTORS + 1 }, () => crypto.randomUUID());
    const mixed = [people, ACTIONS.map(([kind]) => kind), ACTIONS.map(([, action]) => action)];
    const token = await arena.identityProvider.accountToken('admin');
    const ask = async (filters: Filters) => {
      const query = new URLSearchParams({ ...filters });
      const startedAt = performance.now();
      const answer = await fetch(`http://127.0.0.1:${arena.service.port}/audit-log?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { items, nextCursor } = (await answer.json()) as { items: unknown[]; nextCursor: string | null };
      if (answer.status !== 200) throw new Error(`${query} answered ${answer.status}`);
      return { took: performance.now() - startedAt, items, nextCursor };
    };
    const ago = (share: number) => new Date(Date.now() - share * ENTRIES * 60_000).toISOString();
    /** @returns milliseconds of the slowest page */
    const slowestPage = async (log: string, fill: string, values: unknown[]): Promise<number> => {
      await database.query('TRUNCATE "AuditEntry"');
      await database.query(fill, values);
      await database.query('VACUUM ANALYZE "AuditEntry"');
      const { rows: things } = await database.query<{ target: string }>(
        `SELECT '/' || split_part(target, '/', 2) || '/' || split_part(target, '/', 3) AS target FROM "AuditEntry"
         GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
      );
      const combinations = together([
        [{}, { actorGuid: people[0] }, { actorGuid: people[1] }, { actorGuid: crypto.randomUUID() }],
        [{}, ...['addMap', 'changeMap', 'createSeason', 'nothing'].map((action) => ({ action }))],
        [{}, ...[things[0]?.target, '/pools', '/seasons', '/matches'].map((target) => ({ target }))],
        [
          {},
          { since: ago(0.2) },
          { until: ago(0.9) },
          { since: ago(0.5), until: ago(0.4999) },
          { since: ago(0) },
        ],
      ] as Filters[][]);
      const found: { words: string; took: number; items: number }[] = [];
      for (const filters of combinations) {
        const { items, nextCursor } = await ask(filters);
        // The first page, and one from the middle of a long list.
        for (const cursor of nextCursor === null ? [undefined] : [undefined, nextCursor]) {
          const times: number[] = [];
          for (let nth = 0; nth < REPEATS; nth++)
            times.push((await ask({ ...filters, ...(cursor && { cursor }) })).took);
          found.push({ words: JSON.stringify(filters), took: median(times), items: items.length });
        }
      }
      const slowest = found.toSorted((a, b) => b.took - a.took);
      console.log(
        `\n${found.length} pages of ${ENTRIES} entries, ${log}, processors ${processors().all}; the slowest, milliseconds`,
      );
      for (const { words, took, items } of slowest.slice(0, 8))
        console.log(`  ${took.toFixed(1).padStart(7)}  ${String(items).padStart(3)} entries  ${words}`);
      console.log(
        `  ${median(found.map(({ took }) => took))
          .toFixed(1)
          .padStart(7)}  the median of all`,
      );
      return slowest[0]?.took ?? 0;
    };
    return [
      {
        text: 'the slowest page of many kinds of things, milliseconds',
        measured: await slowestPage('of many kinds', FILL, mixed),
        atMost: MOST_MS,
      },
      {
        text: 'the slowest page where nearly all are of one kind, milliseconds',
        measured: await slowestPage('nearly all of one kind', FILL_ALIKE, [people.slice(0, 3)]),
        atMost: MOST_MS,
      },
    ];
  } finally {
    await database.end();
    await arena.close();
  }
}
