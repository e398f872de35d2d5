import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/platform/database/database.ts';
import { type Bench, type BenchOptions, type Claim, mean, percentile, processors } from './harness.ts';
import type { AttackName, FromAttackers, ToAttackers } from './hostile-attackers.ts';
import { cutOff, limitsOf, playFor, type Waits } from './hostile-honest.ts';
import { type Arena, openArena, startServer } from './matches-arena.ts';
import { insertPlayedMatch, type Played } from './played-match.ts';
import { benchPlay } from './replays-play.ts';

/**
 * The cost of attackers for everybody else: twenty honest players in matches on one node, and attackers on the last
 * processor with the lowest priority. The control is the same attackers at a bare server
 * that accepts and discards, with the same honest players at their node. Rounds are interleaved and pooled.
 */

const SECONDS = 20;
const ROUNDS = 3;
const HONEST = 20;
const MIB = 2 ** 20;
const WARM_MS = 3000;
/** Connections that are being closed are gone by then. */
const SETTLE_MS = 3000;
/** A wait is felt when it is longer than this and than three times the control's. */
const FELT_MS = 25;

interface Attack {
  name: AttackName;
  title: string;
  accounts: number;
  uploads?: number;
}

const ATTACKS: readonly Attack[] = [
  { name: 'senders', title: 'ten accounts send as fast as they can', accounts: 10 },
  { name: 'dearest', title: 'ten within their rate, with the dearest payloads', accounts: 10 },
  { name: 'unauthenticated', title: 'eight sockets without credentials', accounts: 0 },
  { name: 'silent', title: 'fifty that never read', accounts: 50 },
  { name: 'slow-uploads', title: 'four that trickle uploads', accounts: 4, uploads: 4 },
  { name: 'handshakes', title: 'a thousand handshakes a second with bad tokens', accounts: 1 },
];

/** Attackers have the last processor, and of that only what nobody else wants. */
function forkAttackers(): ChildProcess {
  const file = path.join(import.meta.dirname, 'hostile-attackers.ts');
  const pin = existsSync('/usr/bin/taskset') ? ['taskset', '-c', processors().last] : [];
  const [program = '', ...args] = [...pin, 'nice', '-n', '19', process.execPath];
  return fork(file, { execPath: program, execArgv: args });
}

async function attackFor(order: ToAttackers): Promise<FromAttackers> {
  const attackers = forkAttackers();
  const ended = new Promise((resolve) => attackers.once('exit', resolve));
  const report = await new Promise<FromAttackers>((resolve, reject) => {
    attackers.once('message', (message) => resolve(message as FromAttackers));
    attackers.once('exit', () => reject(new Error('The attackers ended.')));
    attackers.send(order);
  });
  await ended;
  return report;
}

/** Accounts of the attackers, and played rounds whose replays they may upload. */
async function arm(
  arena: Arena,
  { name, accounts, uploads = 0 }: Attack,
): Promise<Omit<ToAttackers, 'port' | 'forMs'>> {
  const credentials = await Promise.all(
    Array.from({ length: accounts }, (_, nth) => arena.credentials(1000 + nth)),
  );
  const database = openDatabase({ url: arena.databaseUrl });
  const played: Played[] = [];
  for (const { platformId, token } of credentials.slice(0, uploads)) {
    const me = await fetch(`http://127.0.0.1:${arena.service.port}/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { playerGuid } = (await me.json()) as { playerGuid: string };
    const play = benchPlay(1, { player: { platformId, name: platformId }, startedAt: Date.now() });
    played.push({ playerGuid, platformId, play });
  }
  const armed: ToAttackers['uploads'][number][] = [];
  for (let nth = 0; nth + 1 < played.length; nth += 2) {
    const pair = [played[nth], played[nth + 1]] as [Played, Played];
    const matchGuid = await insertPlayedMatch(database, pair);
    for (const [at, { play }] of pair.entries()) {
      const { token = '', pluginVersion = '' } = credentials[nth + at] ?? {};
      const head = play.replay.subarray(0, MIB).toString('base64');
      armed.push({ path: `/matches/${matchGuid}/rounds/1/replay`, token, pluginVersion, head });
    }
  }
  await database.close();
  return { attack: name, accounts: credentials, uploads: armed, queueGuid: arena.queueGuid };
}

interface Side {
  waits: Waits[];
  rates: number[];
  closed: number;
}

const newSide = (): Side => ({ waits: [], rates: [], closed: 0 });
type Waited = 'health' | 'acknowledgements';
const p99 = ({ waits }: Side, of: Waited): number =>
  percentile(
    waits.flatMap((one) => one[of]),
    0.99,
  );

async function attacked(side: Side, arena: Arena, order: ToAttackers): Promise<void> {
  const [waits, { rate, closed }] = await Promise.all([playFor(arena, order.forMs), attackFor(order)]);
  side.waits.push(waits);
  side.rates.push(rate);
  side.closed += closed;
}

function print(title: string, control: Side, service: Side, memory: { held: number[]; rss: number[] }): void {
  const ms = (wait: number): string => `${wait.toFixed(1)} ms`.padStart(11);
  const line = (name: string, side: Side): string =>
    [
      `  ${name.padEnd(12)}`,
      `${mean(side.rates).toFixed(1)} /s`.padStart(13),
      `${side.closed}`.padStart(8),
      ...(['health', 'acknowledgements'] as const).flatMap((of) => [
        ms(p99(side, of)),
        ms(Math.max(...side.waits.flatMap((one) => one[of]))),
      ]),
    ].join('');
  const mib = (values: readonly number[]): string =>
    values.map((value) => (value / MIB).toFixed(1)).join(', ');
  console.log(`\n${title}`);
  console.log('                 attackers   closed     /health: p99, worst  acknowledged: p99, worst');
  console.log(line('bare server', control));
  console.log(line('the service', service));
  const failures = [control, service].flatMap(({ waits }) => waits.flatMap((one) => one.failures));
  for (const failure of new Set(failures)) console.log(`  failed: ${failure}`);
  console.log(
    `  held beyond what was held before, MiB: ${mib(memory.held)}; resident, MiB: ${mib(memory.rss)}`,
  );
}

async function benchAttack(
  attack: Attack,
  { seconds = SECONDS, rounds = ROUNDS }: BenchOptions,
): Promise<Claim[]> {
  const bare = await startServer('bare-discard-server.ts', {}, false);
  const arena = await openArena({ RATE_LIMIT_FACTOR: '1' }, { seated: HONEST, isPinned: false });
  try {
    const armed = await arm(arena, attack);
    const forMs = seconds * 1000;
    const [control, service] = [newSide(), newSide()];
    const memory = { held: [] as number[], rss: [] as number[] };
    // Warm up: code is compiled and caches are filled before anything is measured, refusals included. Memory is compared
    // with what was held before any attack.
    await playFor(arena, WARM_MS);
    const before = await arena.service.memory();
    await attackFor({ ...armed, port: arena.service.port, forMs: WARM_MS });
    await sleep(SETTLE_MS);
    const limits = await limitsOf(arena);
    for (let round = 0; round < rounds; round += 1) {
      await attacked(control, arena, { ...armed, port: bare.port, forMs });
      await attacked(service, arena, { ...armed, port: arena.service.port, forMs });
      await sleep(SETTLE_MS);
      const { held, rss } = await arena.service.memory();
      memory.held.push(held - before.held);
      memory.rss.push(rss);
    }
    const now = await limitsOf(arena);
    print(attack.title, control, service, memory);
    const waited = (text: string, of: Waited): Claim => ({
      text: `${attack.title}: ${text}, 99th percentile in ms`,
      measured: p99(service, of),
      atMost: Math.max(FELT_MS, 3 * p99(control, of)),
    });
    const [first = 0] = memory.rss;
    const claims: Claim[] = [
      waited('/health', 'health'),
      waited('acknowledgements of honest players', 'acknowledgements'),
      {
        text: `${attack.title}: MiB still held after an attack and a collection`,
        measured: Math.max(...memory.held) / MIB,
        atMost: 16,
      },
      {
        text: `${attack.title}: resident MiB that the last round added to the first`,
        measured: ((memory.rss.at(-1) ?? first) - first) / MIB,
        atMost: 16,
      },
      {
        text: `${attack.title}: matches of which a limit moved`,
        measured: now.filter((limit, nth) => limit !== limits[nth]).length,
        atMost: 0,
      },
      {
        text: `${attack.title}: honest players who lost their connection`,
        measured: cutOff(arena),
        atMost: 0,
      },
    ];
    if (attack.name === 'handshakes')
      claims.push({
        text: `${attack.title}: answered, of what the bare server answers`,
        measured: mean(service.rates) / mean(control.rates),
        atLeast: 0.5,
      });
    return claims;
  } finally {
    await arena.close();
    await bare.stop();
  }
}

/** Each attack meets a fresh service. */
export const parts: Record<string, Bench> = Object.fromEntries(
  ATTACKS.map((attack) => [attack.name, (options: BenchOptions = {}) => benchAttack(attack, options)]),
);

export async function bench(options: BenchOptions = {}): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const part of Object.values(parts)) claims.push(...(await part(options)));
  return claims;
}
