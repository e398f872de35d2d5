import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim } from './harness.ts';
import type { Arena, ServerProcess } from './matches-arena.ts';
import { startBare } from './matches-messages.ts';
import { connectThin, type ThinClient } from './thin-client.ts';

const FEW = 1000;
const MANY = 5000;
/** As many connect at a time: an avalanche would measure buffers that an idle connection does not have. */
const AT_ONCE = 25;
/** Every end of a connection is written to the database. */
const LEAVING_MS = 5000;

/** What one idle connection takes: the slope, so that what a server takes anyhow does not count. */
async function bytesPerConnection(
  server: ServerProcess,
  connect: (number: number) => Promise<ThinClient>,
): Promise<number> {
  const clients: ThinClient[] = [];
  const fill = async (size: number): Promise<void> => {
    while (clients.length < size) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, size - clients.length) }, (_, at) => at);
      clients.push(...(await Promise.all(numbers.map((at) => connect(clients.length + at)))));
    }
  };
  const leave = () => {
    for (const client of clients.splice(0)) client.close();
  };
  // Once for nothing: what admitting somebody needs in passing is taken from the system only once.
  await fill(FEW);
  leave();
  await sleep(LEAVING_MS);
  await fill(FEW);
  const few = await server.memory();
  await fill(MANY);
  const many = await server.memory();
  leave();
  return (many - few) / (MANY - FEW);
}

/** Memory of connections that are admitted and do nothing. */
export async function benchConnections({ service, enter }: Arena): Promise<Claim[]> {
  console.log(`\nResident memory per idle connection, from ${FEW} to ${MANY}`);
  const print = (name: string, bytes: number) =>
    console.log(`  ${name.padEnd(14)}  ${(bytes / 1024).toFixed(1).padStart(6)} KiB`);
  const bareServer = await startBare();
  const bare = await bytesPerConnection(bareServer, () => connectThin(bareServer.port, {}));
  await bareServer.stop();
  print('bare Socket.IO', bare);
  const full = await bytesPerConnection(service, (number) => enter(1000 + number));
  print('the service', full);
  return [{ text: 'memory per idle connection, of bare Socket.IO', measured: full / bare, atMost: 1.1 }];
}
