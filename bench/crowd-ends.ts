import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { setApart } from './crowd-returns.ts';
import { type Claim, forAll, keepBusy, percentile } from './harness.ts';
import { openArena } from './matches-arena.ts';
import type { ThinClient } from './thin-client.ts';

/** Matches end while players join the queue and leave it. How long do the ends wait for locks? */

const MATCHES = 200;
const CLIENTS = 40;
/** The share of the rate that the database bears. */
const SHARE = 0.5;
const BEARS_MS = 5000;
const END_EVERY_MS = 75;
const LOOK_EVERY_MS = 1;
/** Milliseconds that an end may wait for locks (99 %). */
const LONGEST_WAIT = 10;

/**
 * Looks at the sessions of the database again and again.
 * @returns how long each transaction waited for locks, in milliseconds, by its id; and how often and after what time at most it looked
 */
async function watchLocks(url: string, stopped: AbortSignal) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  /** By session and beginning of its transaction: an id is assigned with the first write only. */
  const waits = new Map<string, { id: string | null; ms: number }>();
  let looks = 0;
  let longestLookMs = 0;
  for (let lookedAt = performance.now(); !stopped.aborted; ) {
    const { rows } = await client.query({
      name: 'look',
      text: `SELECT pid || ' ' || xact_start AS name, backend_xid::text AS id, wait_event_type = 'Lock' AS waits
        FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`,
    });
    looks += 1;
    const now = performance.now();
    const passedMs = now - lookedAt;
    longestLookMs = Math.max(longestLookMs, passedMs);
    lookedAt = now;
    for (const { name, id, waits: isWaiting } of rows) {
      const known = waits.get(name) ?? { id: null, ms: 0 };
      known.id ??= id;
      if (isWaiting) known.ms += passedMs;
      waits.set(name, known);
    }
    await sleep(LOOK_EVERY_MS);
  }
  await client.end();
  const byId = new Map([...waits.values()].flatMap(({ id, ms }) => (id === null ? [] : [[id, ms] as const])));
  return { byId, looks, longestLookMs };
}

/** The ids of the transactions in which matches ended. */
async function endsIn(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'SELECT DISTINCT xmin::text AS id FROM "Match" WHERE "endedAt" IS NOT NULL',
  );
  await client.end();
  return rows.map(({ id }) => id);
}

export async function benchCrowdEnds(): Promise<Claim[]> {
  const arena = await openArena(
    { MATCHMAKING_INTERVAL_MS: '1000' },
    { seated: 2 * MATCHES, isPinned: false },
  );
  try {
    const { databaseUrl, queueGuid } = arena;
    const numbers = Array.from({ length: CLIENTS }, (_, nth) => 10_000 + nth);
    const clients: ThinClient[] = [];
    await forAll(numbers, CLIENTS, async (number) => void clients.push(await arena.enter(number)));
    const known = await Promise.all(numbers.map(arena.credentials));
    await setApart(
      arena,
      known.map(({ platformId }) => platformId),
    );
    const joinOrLeave = (client: ThinClient, turn: number) =>
      turn % 2 === 0 ? client.call('joinQueue', { queueGuid }) : client.call('leaveQueue');
    const bears = await keepBusy(clients, BEARS_MS, (client, _nth, turn) => joinOrLeave(client, turn));

    const [stop, stopLooking] = [new AbortController(), new AbortController()];
    const looking = watchLocks(databaseUrl, stopLooking.signal);
    const everyMs = (CLIENTS * 1000) / (SHARE * bears);
    let commands = 0;
    const busy = Promise.all(
      clients.map(async (client, nth) => {
        let due = performance.now() + (nth * everyMs) / CLIENTS;
        for (let turn = 0; !stop.signal.aborted; turn += 1, due += everyMs) {
          await sleep(Math.max(0, due - performance.now()));
          await joinOrLeave(client, turn);
          commands += 1;
        }
      }),
    );
    const startedAt = performance.now();
    await Promise.all(
      arena.matches.map(async ({ matchGuid, players: [one] }, nth) => {
        await sleep(nth * END_EVERY_MS);
        await one.call('forfeit', { matchGuid });
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    stop.abort();
    await busy;
    stopLooking.abort();
    const { byId, looks, longestLookMs } = await looking;
    const waits = (await endsIn(databaseUrl)).map((id) => byId.get(id) ?? 0).sort((a, b) => a - b);
    const p99 = percentile(waits, 0.99);
    console.log(`\n${CLIENTS} clients join and leave, ${waits.length} matches end`);
    console.log(
      [
        `  the database bears ${bears.toFixed(0)} joins and leaves a second, ${(commands / seconds).toFixed(0)} were made`,
        `${seconds.toFixed(0)} s, looked every ${((seconds * 1000) / looks).toFixed(1)} ms, at worst after ${longestLookMs.toFixed(0)} ms`,
        `ends that waited: ${waits.filter((ms) => ms > 0).length}, the longest ${waits.at(-1)?.toFixed(1)} ms`,
      ].join('; '),
    );
    if (waits.length < MATCHES) throw new Error(`Only ${waits.length} of ${MATCHES} ends were found.`);
    return [
      { text: 'time that the end of a match waits for locks, 99 %, ms', measured: p99, atMost: LONGEST_WAIT },
    ];
  } finally {
    await arena.close();
  }
}
