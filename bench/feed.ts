import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Expect, FromReaders, Open } from './event-readers.ts';
import {
  type BenchOptions,
  type Claim,
  measure,
  median,
  processors,
  slopeOf,
  speedRatio,
  type Variant,
} from './harness.ts';
import { type Arena, type ArenaMatch, openArena, type ServerProcess, startServer } from './matches-arena.ts';

/**
 * One match that five thousand follow, against a bare Node server that writes the same bytes to as many streams: how fast
 * they are told, what an idle reader costs, and what a player of the match notices of them.
 */

const READERS = 5000;
/** How many read when the memory is looked at. */
const LEVELS = [1000, 2000, 3000, 4000, 5000];
const REPEATS = 3;
const COMMANDS = 60;

const FULL = 'the service';
const BARE = 'bare Node streams, the same bytes';

/** Readers in a process of their own, on the first processor. */
interface Readers {
  /** Opens so many streams more. */
  open(wanted: Open['open']): Promise<void>;
  /** Resolves once every reader has had so many events. */
  arrived(events: number): Promise<void>;
  close(): void;
}

function startReaders(): Readers {
  const isPinned = existsSync('/usr/bin/taskset');
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'event-readers.ts'), [], {
    ...(isPinned && {
      execPath: '/usr/bin/taskset',
      execArgv: ['-c', processors().first, process.execPath],
    }),
  });
  const ask = (message: Open | Expect) =>
    new Promise<void>((resolve, reject) => {
      child.once('message', (answer: FromReaders) => {
        if ('failed' in answer) reject(new Error(answer.failed));
        else resolve();
      });
      child.send(message);
    });
  return {
    open: (open) => ask({ open }),
    arrived: (expect) => ask({ expect }),
    close: () => void child.kill('SIGKILL'),
  };
}

/** The path of the stream of a match. */
const pathOf = ({ matchGuid }: ArenaMatch): string => `/matches/${matchGuid}/events`;

/** Changes a match by a player's command: the download goes on or has failed, by turns. */
function changing({ matchGuid, players: [player] }: ArenaMatch): () => Promise<void> {
  let times = 0;
  return async () => {
    const state = times % 2 === 0 ? 'downloading' : 'failed';
    times += 1;
    await player.call('setReady', { matchGuid, roundNumber: 1, state });
  };
}

/** The first event that the service sends of a match, as text. */
async function eventOf({ service, matches: [match] }: Arena): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${service.port}${pathOf(match as ArenaMatch)}`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const event = /id: .*\n\n/s.exec(text)?.[0];
    // Leaves the stream, too.
    if (event !== undefined) return event;
  }
  throw new Error('The stream has ended.');
}

async function startBare(payload: string): Promise<ServerProcess> {
  const server = await startServer('bare-event-server.ts');
  server.process.send({ payload });
  return server;
}

/** Sends all readers one change after the other. */
function telling(name: string, port: number, way: string, change: () => Promise<void>): Variant {
  return {
    name,
    start: async () => {
      const readers = startReaders();
      await readers.open({ port, path: way, count: READERS });
      let events = 1;
      return {
        round: async (forMs) => {
          const startedAt = performance.now();
          const before = events;
          while (performance.now() - startedAt < forMs) {
            events += 1;
            const all = readers.arrived(events);
            await change();
            await all;
          }
          return ((events - before) * READERS * 1000) / (performance.now() - startedAt);
        },
        stop: async () => readers.close(),
      };
    },
  };
}

/** Changes to five thousand readers, as fast as they come. */
async function benchChanges(): Promise<Claim[]> {
  const arena = await openArena({}, { seated: 2 });
  const bare = await startBare(await eventOf(arena));
  try {
    const match = arena.matches[0] as ArenaMatch;
    const tell = async (): Promise<void> => void bare.process.send({ tell: true });
    const rates = await measure(`Events to ${READERS} readers of one match, one change after the other`, [
      telling(BARE, bare.port, '/', tell),
      telling(FULL, arena.service.port, pathOf(match), changing(match)),
    ]);
    return [
      {
        text: `events a second to ${READERS} readers, of a bare Node server`,
        measured: speedRatio(rates, FULL, BARE),
        atLeast: 0.8,
      },
    ];
  } finally {
    await bare.stop();
    await arena.close();
  }
}

/** Both servers fresh, filled and looked at by turns. @returns bytes for each reader */
async function memoryOnce(): Promise<{ bare: number; full: number }> {
  const arena = await openArena({}, { seated: 2 });
  const bare = await startBare(await eventOf(arena));
  const fillings = [
    { server: bare, path: '/', readers: startReaders(), points: [] as [number, number][] },
    {
      server: arena.service,
      path: pathOf(arena.matches[0] as ArenaMatch),
      readers: startReaders(),
      points: [] as [number, number][],
    },
  ] as const;
  try {
    for (const [at, level] of LEVELS.entries())
      for (const { server, path: way, readers, points } of fillings) {
        await readers.open({ port: server.port, path: way, count: level - (LEVELS[at - 1] ?? 0) });
        points.push([level, (await server.memory()).rss]);
      }
    const [ofBare, ofFull] = fillings;
    return { bare: slopeOf(ofBare.points), full: slopeOf(ofFull.points) };
  } finally {
    for (const { readers } of fillings) readers.close();
    bare.process.kill('SIGKILL');
    await arena.close();
  }
}

/** Memory of idle readers. */
async function benchMemory({ rounds = REPEATS }: BenchOptions = {}): Promise<Claim[]> {
  console.log(`\nResident memory per idle reader: the slope from ${LEVELS[0]} to ${LEVELS.at(-1)}, in KiB`);
  const slopes: { bare: number; full: number }[] = [];
  while (slopes.length < rounds) slopes.push(await memoryOnce());
  for (const name of ['bare', 'full'] as const)
    console.log(`  ${name}  ${slopes.map((one) => (one[name] / 1024).toFixed(1).padStart(6)).join('  ')}`);
  return [
    {
      text: 'memory per idle reader, of a bare Node server',
      measured: median(slopes.map(({ full }) => full)) / median(slopes.map(({ bare }) => bare)),
      atMost: 1.25,
    },
  ];
}

/** Commands in a match that five thousand follow, and in one that nobody does, by turns. */
async function benchCommands({ rounds = COMMANDS }: BenchOptions = {}): Promise<Claim[]> {
  const arena = await openArena({}, { seated: 4 });
  const readers = startReaders();
  try {
    const [followed, alone] = arena.matches as [ArenaMatch, ArenaMatch];
    const { port } = arena.service;
    await readers.open({ port, path: pathOf(followed), count: READERS });
    const changes = new Map([followed, alone].map((match) => [match, changing(match)]));
    /** Until the change was delivered to both players. */
    const timeOf = async (match: ArenaMatch): Promise<number> => {
      const told = Promise.all(match.players.map((player) => player.next('matchUpdated')));
      const startedAt = performance.now();
      await Promise.all([changes.get(match)?.(), told]);
      return performance.now() - startedAt;
    };
    const times = { followed: [] as number[], alone: [] as number[] };
    for (let events = 2; times.alone.length < rounds; events += 1) {
      const all = readers.arrived(events);
      times.followed.push(await timeOf(followed));
      await all;
      times.alone.push(await timeOf(alone));
    }
    console.log('\nA command up to the update of both players, milliseconds at the median');
    console.log(`  nobody follows       ${median(times.alone).toFixed(2)}`);
    console.log(`  ${READERS} follow the match  ${median(times.followed).toFixed(2)}`);
    return [
      {
        text: `time of a command to both players with ${READERS} readers, of that without`,
        measured: median(times.followed) / median(times.alone),
        atMost: 1.3,
      },
    ];
  } finally {
    readers.close();
    await arena.close();
  }
}

export const parts = { changes: benchChanges, memory: benchMemory, commands: benchCommands };

export async function bench(options: BenchOptions = {}): Promise<Claim[]> {
  return [...(await benchChanges()), ...(await benchMemory(options)), ...(await benchCommands(options))];
}
