import { fork } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/platform/database/database.ts';
import type { Return, ToCrowd } from './crowd-clients.ts';
import { type BenchOptions, type Claim, median, percentile } from './harness.ts';
import { connectHttp, requestOf } from './http-client.ts';
import { type Arena, openArena, type ServerProcess } from './matches-arena.ts';
import { startBare } from './matches-messages.ts';

const PLAYERS = 10_000;
/** The players of them who sit in matches, and those who wait in a queue. */
const SEATED = 1000;
const QUEUED = 1000;
const ROUNDS = 5;
/** Milliseconds within which everybody has an answer, and is back. */
const ANSWERED_MS = 10_000;
const BACK_MS = 60_000;
const HEALTH_EVERY_MS = 20;

/** A crowd in a process of its own. */
function openCrowd() {
  const child = fork(path.join(import.meta.dirname, 'crowd-clients.ts'));
  const order = <Done>(what: ToCrowd): Promise<Done> =>
    new Promise((resolve, reject) => {
      const ended = () => reject(new Error('The crowd has ended.'));
      child.once('exit', ended);
      child.once('message', (message: { done: Done } | { error: string }) => {
        child.off('exit', ended);
        if ('error' in message) reject(new Error(message.error));
        else resolve(message.done);
      });
      child.send(what);
    });
  return { order, stop: () => child.kill() };
}

/** Asks for the health again and again. @returns how long each answer took */
async function watchHealth(port: number, stopped: AbortSignal): Promise<number[]> {
  const connection = await connectHttp(port);
  const question = requestOf('/health');
  const waits: number[] = [];
  while (!stopped.aborted) {
    await sleep(HEALTH_EVERY_MS);
    const askedAt = performance.now();
    const { status } = await connection.ask(question);
    if (status !== 200) throw new Error(`/health was answered ${status}.`);
    waits.push(performance.now() - askedAt);
  }
  connection.close();
  return waits;
}

interface Round {
  returns: Return[];
  stoodMs: number;
  processorMs: number;
  health: number[];
}

async function loseAll(
  server: ServerProcess,
  crowd: ReturnType<typeof openCrowd>,
  hasHealth: boolean,
): Promise<Round> {
  const stop = new AbortController();
  const { processorMs: before } = await server.loop();
  const watching = hasHealth ? watchHealth(server.port, stop.signal) : Promise.resolve([]);
  const returns = await crowd.order<Return[]>({ order: 'lose' });
  stop.abort();
  const health = await watching;
  const { stoodMs, processorMs } = await server.loop();
  return { returns, stoodMs, processorMs: processorMs - before, health };
}

const most = (values: readonly (number | null)[]): number =>
  values.reduce<number>((worst, value) => Math.max(worst, value ?? Number.POSITIVE_INFINITY), 0);

function print(name: string, { returns, stoodMs, processorMs, health }: Round): void {
  const backs = returns.map(({ backMs }) => backMs ?? Number.POSITIVE_INFINITY);
  const failures = Map.groupBy(
    returns.flatMap((one) => one.failures),
    (failure) => failure,
  );
  const waits = returns.flatMap((one) => one.waits);
  const lost = returns.filter(({ backMs }) => backMs === null).length;
  const told = [...failures].map(([failure, times]) => `${failure} × ${times.length}`).join(', ');
  console.log(
    [
      `  ${name.padEnd(14)} stood ${stoodMs.toFixed(0).padStart(5)} ms, processor ${(processorMs / 1000).toFixed(1)} s`,
      `answered by ${(most(returns.map((one) => one.answeredMs)) / 1000).toFixed(1)} s`,
      `back ${(percentile(backs, 0.5) / 1000).toFixed(1)}, ${(most(backs) / 1000).toFixed(1)} s`,
      ...(health.length > 0
        ? [`/health ${percentile(health, 0.99).toFixed(0)} (99 %), ${most(health).toFixed(0)} ms (worst)`]
        : []),
      ...(lost > 0 ? [`never back: ${lost}`] : []),
      ...(waits.length > 0 ? [`told to wait ${Math.max(...waits)} ms at most`] : []),
      told,
    ].join('; '),
  );
}

/**
 * Gives these players ratings so far apart that nobody is paired: the accepted gap grows by ten a second and reaches the next
 * player after 50 minutes.
 */
export async function setApart(
  { databaseUrl, queueGuid }: Arena,
  platformIds: readonly string[],
): Promise<void> {
  const database = openDatabase({ url: databaseUrl });
  await database.pool.query(
    `INSERT INTO "Rating" ("queueGuid", "seasonGuid", "playerGuid", mu, sigma, rating, wins, losses, draws, "winStreak")
     SELECT $1, p."seasonGuid", one."playerGuid", 25 + 100 * row_number() OVER (), 1, 1000 + 30000 * row_number() OVER (), 0, 0, 0, 0
     FROM "Queue" q JOIN "Pool" p USING ("poolGuid"), "Player" one
     WHERE q."queueGuid" = $1 AND one."platformId" = ANY($2)`,
    [queueGuid, platformIds],
  );
  await database.close();
}

/** All connections of a node are lost at once, and all players come back. */
export async function benchCrowdReturns({ rounds = ROUNDS }: BenchOptions = {}): Promise<Claim[]> {
  const arena = await openArena(
    { RATE_LIMIT_FACTOR: '1', MATCHMAKING_INTERVAL_MS: '1000' },
    { seated: SEATED, isPinned: false },
  );
  const bare = await startBare(false);
  const [crowd, bareCrowd] = [openCrowd(), openCrowd()];
  try {
    const known = await Promise.all(
      Array.from({ length: PLAYERS }, (_, number) => arena.credentials(number)),
    );
    const people = known.map((auth, number) => ({ number, auth }));
    console.log(`${PLAYERS} credentials`);
    for (const { players } of arena.matches) for (const player of players) player.close();
    await crowd.order({ order: 'enter', port: arena.service.port, people, saysHello: true });
    console.log('entered');
    await setApart(
      arena,
      known.slice(SEATED, SEATED + QUEUED).map(({ platformId }) => platformId),
    );
    await crowd.order({
      order: 'call',
      from: SEATED,
      to: SEATED + QUEUED,
      event: 'joinQueue',
      payload: { queueGuid: arena.queueGuid },
    });
    await bareCrowd.order({ order: 'enter', port: bare.port, people, saysHello: false });
    console.log(`\n${PLAYERS} connections are lost at once, and all come back`);
    const [control, service]: [Round[], Round[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      control.push(await loseAll(bare, bareCrowd, false));
      print('bare Socket.IO', control.at(-1) as Round);
      service.push(await loseAll(arena.service, crowd, true));
      print('the service', service.at(-1) as Round);
      await sleep(10_000);
    }
    const all = service.flatMap(({ returns }) => returns);
    const holding = (kind: 'place' | 'match'): number =>
      Math.min(...service.map(({ returns }) => returns.filter(({ holds }) => holds === kind).length));
    return [
      {
        text: `${PLAYERS} lost at once: longest time until a player is let in or told when to try again, s`,
        measured: most(all.map(({ answeredMs }) => answeredMs)) / 1000,
        atMost: ANSWERED_MS / 1000,
      },
      {
        text: `${PLAYERS} lost at once: longest time until a player is back, s`,
        measured: most(all.map(({ backMs }) => backMs)) / 1000,
        atMost: BACK_MS / 1000,
      },
      { text: `of ${QUEUED} players in a queue with a place`, measured: holding('place'), atLeast: QUEUED },
      { text: `of ${SEATED} players in matches with a match`, measured: holding('match'), atLeast: SEATED },
      {
        text: 'longest time the event loop stands, of bare Socket.IO (median)',
        measured: median(service.map(({ stoodMs }, at) => stoodMs / (control[at]?.stoodMs ?? 0))),
        atMost: 1.5,
      },
    ];
  } finally {
    crowd.stop();
    bareCrowd.stop();
    await bare.stop();
    await arena.close();
  }
}
