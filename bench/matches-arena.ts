import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IdentityProvider } from '../src/local/identity-provider/server.ts';
import { seed } from '../src/local/seed.ts';
import { openSurroundings, PLUGIN_VERSION } from '../src/local/surroundings.ts';
import { addressOf } from '../test/load/http.ts';
import { untilItAnswers } from './answering.ts';
import { forAll, keepBusy, processors } from './harness.ts';
import type { LoopReport, MemoryReport } from './memory-report.ts';
import { connectThin, type ThinClient } from './thin-client.ts';

/**
 * The service as `npm start` runs it, with matches under way, in a process of its own; PostgreSQL as it
 * would be in production (what is committed is on the disk), in its own processes too.
 */
export interface Arena {
  databaseUrl: string;
  /** The queue they came from. */
  queueGuid: string;
  service: ServerProcess;
  identityProvider: IdentityProvider;
  matches: readonly ArenaMatch[];
  /** Credentials of a player; the first ones sit in a match. */
  credentials(number: number): Promise<{ platformId: string; token: string; pluginVersion: string }>;
  /** Connects a new player. */
  enter(number: number): Promise<ThinClient>;
  close(): Promise<void>;
}

/** A match in `preparing` whose limit is far away. */
export interface ArenaMatch {
  matchGuid: string;
  players: readonly [ThinClient, ThinClient];
}

export interface ServerProcess {
  port: number;
  process: ChildProcess;
  /** In bytes, once everything unreachable was collected. */
  memory(): Promise<MemoryReport>;
  /** How long its event loop stood since the last time it was asked. */
  loop(): Promise<LoopReport>;
  stop(): Promise<void>;
}

/** As many as are under way at once in every variant. */
export const IN_FLIGHT = 16;
const SEATED = 2 * IN_FLIGHT;
/** So many connect at a time. */
const ENTERING = 16;
const FAR_SECONDS = '86400';

/**
 * A server of its own on the last processor, as far from the one that measures as can be.
 * @param isPinned false: on whichever processor is free
 */
export function forkServer(module: string, env: NodeJS.ProcessEnv, isPinned = true): ChildProcess {
  const flags = ['--expose-gc', '--import', path.join(import.meta.dirname, 'memory-report.ts')];
  const pinned = isPinned && existsSync('/usr/bin/taskset');
  return fork(path.join(import.meta.dirname, module), {
    env: { PATH: process.env.PATH, ...env },
    ...(pinned
      ? {
          execPath: '/usr/bin/taskset',
          execArgv: ['-c', processors().last, process.execPath, ...flags],
        }
      : { execArgv: flags }),
  });
}

function asServer(process: ChildProcess, port: number): ServerProcess {
  const ask = <Report>(question: 'memory' | 'loop') =>
    new Promise<Report>((resolve, reject) => {
      const ended = () => reject(new Error('The server has ended.'));
      process.once('exit', ended);
      process.once('message', (report) => {
        process.off('exit', ended);
        resolve(report as Report);
      });
      process.send(question);
    });
  return {
    port,
    process,
    memory: () => ask<MemoryReport>('memory'),
    loop: () => ask<LoopReport>('loop'),
    stop: async () => {
      if (process.exitCode !== null || process.signalCode !== null) return;
      const ended = new Promise((resolve) => process.once('exit', resolve));
      process.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts a server that sends its port once it listens. @param module, env, isPinned as for {@link forkServer} */
export async function startServer(
  module: string,
  env: NodeJS.ProcessEnv = {},
  isPinned = true,
): Promise<ServerProcess> {
  const child = forkServer(module, env, isPinned);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port));
    child.once('exit', () => reject(new Error(`${module} ended before it listened.`)));
  });
  return asServer(child, port);
}

interface ArenaOptions {
  /** How many sit in matches. */
  seated?: number;
  /** See {@link forkServer}. */
  isPinned?: boolean;
  /** A database that is there already; left out: a new one, which goes with the arena. */
  databaseUrl?: string;
}

/** @param replaced variables of the service */
export async function openArena(
  replaced: Record<string, string> = {},
  { seated = SEATED, isPinned, databaseUrl: given }: ArenaOptions = {},
): Promise<Arena> {
  const opened: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).reverse()) await one();
  };
  try {
    const around = await openSurroundings({ database: given ?? { durable: true } });
    opened.push(() => around.stop());
    const { databaseUrl, identityProvider } = around;
    const [{ port, url, environment }] = around.nodes;
    const child = forkServer(
      '../src/main.ts',
      {
        ...environment,
        METRICS_TOKEN: randomBytes(24).toString('hex'),
        MATCHMAKING_INTERVAL_MS: '50',
        DRAIN_DELAY_SECONDS: '0.01',
        JOIN_SECONDS: FAR_SECONDS,
        DISCARD_SECONDS: FAR_SECONDS,
        PICK_SECONDS: FAR_SECONDS,
        PREPARE_SECONDS: FAR_SECONDS,
        // The buckets do their work, and are larger than what one client can empty.
        RATE_LIMIT_FACTOR: '1000',
        ...replaced,
      },
      isPinned,
    );
    const service = asServer(child, port);
    opened.push(() => service.stop());
    await untilItAnswers(`${url}/health/ready`, () => child.exitCode !== null);
    const { queueGuid } = await seed({ url, identityProvider });

    const credentials: Arena['credentials'] = async (number) => {
      const platformId = String(770_000_000 + number);
      const token = await identityProvider.gameToken({ platformId, username: `Player ${number}` });
      return { platformId, token, pluginVersion: PLUGIN_VERSION };
    };
    const enter: Arena['enter'] = async (number) => {
      const { token, pluginVersion } = await credentials(number);
      const player = await connectThin(port, { token, pluginVersion }, { localAddress: addressOf(number) });
      opened.push(() => player.close());
      // Answered once the connection has its place in the database.
      await player.call('hello');
      return player;
    };
    const players: ThinClient[] = [];
    await forAll([...Array(seated).keys()], ENTERING, async (number) => {
      players[number] = await enter(number);
    });
    return {
      databaseUrl,
      queueGuid,
      service,
      identityProvider,
      matches: await matchesOf(players, queueGuid),
      credentials,
      enter,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Brings all into matches whose first map is being prepared. */
async function matchesOf(players: readonly ThinClient[], queueGuid: string): Promise<ArenaMatch[]> {
  const seated = new Map<string, ThinClient[]>();
  for (const player of players) await player.call('joinQueue', { queueGuid });
  for (const player of players) {
    let match = null;
    while (match === null) {
      ({ match } = await player.call('hello'));
      if (match === null) await sleep(50);
    }
    seated.set(match.matchGuid, [...(seated.get(match.matchGuid) ?? []), player]);
  }
  const matches: ArenaMatch[] = [];
  await forAll([...seated], ENTERING, async ([matchGuid, [one, two]]) => {
    if (one === undefined || two === undefined) throw new Error(`${matchGuid} has not two players.`);
    for (const player of [one, two]) await player.call('joinMatch', { matchGuid });
    for (const player of [one, two]) await player.call('discardMaps', { matchGuid, cardGuids: [] });
    for (const player of [one, two]) {
      const { match } = await player.call('getMatchState', { matchGuid });
      if (match.pickerGuid !== match.you.player.playerGuid) continue;
      if (match.status !== 'awaiting_pick') continue;
      await player.call('selectMap', { matchGuid, cardGuid: match.you.hand[0].cardGuid });
    }
    matches.push({ matchGuid, players: [one, two] });
  });
  return matches;
}

/**
 * Keeps one message of each client under way for this long.
 * @param next what a client sends next
 * @param check throws when an acknowledgement is wrong
 * @returns acknowledgements per second, and how many came
 */
export async function askInParallel(
  clients: readonly ThinClient[],
  forMs: number,
  next: (client: number, round: number) => Buffer,
  check: (answer: Buffer) => void,
): Promise<{ rate: number; answered: number }> {
  let answered = 0;
  const rate = await keepBusy(clients, forMs, async (client, nth, turn) => {
    check(await client.ask(next(nth, turn)));
    answered += 1;
  });
  return { answered, rate };
}

const ACCEPTED = Buffer.from('[{"ok":true,"data":{"match":{');
/** @throws Error unless the acknowledgement carries a match */
export function mustBeMatch(answer: Buffer): void {
  const from = answer.indexOf(0x5b);
  if (!answer.subarray(from, from + ACCEPTED.length).equals(ACCEPTED))
    throw new Error(`It was answered ${answer.toString()}`);
}
