import { type Claim, median, slopeOf } from './harness.ts';
import { type Arena, openArena, type ServerProcess } from './matches-arena.ts';
import { startBare } from './matches-messages.ts';
import { connectThin, type ThinClient } from './thin-client.ts';

/** How many are connected when the memory is looked at. */
const LEVELS = [1000, 2000, 3000, 4000, 5000];
/** Each with servers of its own: how a heap has grown once is no measure of another one. */
const REPEATS = 3;
/** As many connect at a time: an avalanche would measure buffers that an idle connection does not have. */
const AT_ONCE = 25;

/** A server that fills up with idle connections. */
class Filling {
  readonly #server: ServerProcess;
  readonly #connect: (number: number) => Promise<ThinClient>;
  readonly #clients: ThinClient[] = [];
  readonly #points: [connections: number, bytes: number][] = [];

  constructor(server: ServerProcess, connect: (number: number) => Promise<ThinClient>) {
    this.#server = server;
    this.#connect = connect;
  }

  /** Fills up to a level and looks at the memory. */
  async reach(level: number): Promise<void> {
    while (this.#clients.length < level) {
      const from = this.#clients.length;
      const numbers = Array.from({ length: Math.min(AT_ONCE, level - from) }, (_, at) => from + at);
      this.#clients.push(...(await Promise.all(numbers.map(this.#connect))));
    }
    this.#points.push([level, (await this.#server.memory()).rss]);
  }

  /** The memory of one more connection. */
  get bytesPerConnection(): number {
    return slopeOf(this.#points);
  }
}

/** Both servers fresh, both started alike, filled and looked at by turns. */
async function measureOnce({ service, enter }: Arena): Promise<{ bare: number; full: number }> {
  const bareServer = await startBare();
  const bare = new Filling(bareServer, () => connectThin(bareServer.port, {}));
  const full = new Filling(service, (number) => enter(1000 + number));
  for (const level of LEVELS) for (const filling of [bare, full]) await filling.reach(level);
  // At once: thousands of players who are lost one by one are not what is measured here.
  for (const { process } of [bareServer, service]) process.kill('SIGKILL');
  return { bare: bare.bytesPerConnection, full: full.bytesPerConnection };
}

/** Memory of connections that are admitted and do nothing. */
export async function benchConnections(): Promise<Claim[]> {
  console.log(
    `\nResident memory per idle connection: the slope from ${LEVELS[0]} to ${LEVELS.at(-1)}, in KiB`,
  );
  const slopes: { bare: number; full: number }[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const arena = await openArena();
    try {
      slopes.push(await measureOnce(arena));
    } finally {
      await arena.close();
    }
  }
  const print = (name: string, bytes: readonly number[]) =>
    console.log(
      `  ${name.padEnd(14)}  ${bytes.map((one) => (one / 1024).toFixed(1).padStart(6)).join('  ')}`,
    );
  const [bare, full] = [slopes.map((one) => one.bare), slopes.map((one) => one.full)];
  print('bare Socket.IO', bare);
  print('the service', full);
  return [
    {
      text: 'memory per idle connection, of bare Socket.IO',
      measured: median(full) / median(bare),
      atMost: 1.1,
    },
  ];
}
