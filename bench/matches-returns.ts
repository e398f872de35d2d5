import { type Claim, forAll, keepBusy, median, type Running } from './harness.ts';
import { type Arena, IN_FLIGHT } from './matches-arena.ts';
import { connectThin } from './thin-client.ts';

const PLAYERS = 600;
const AT_ONCE = 50;
const ROUNDS = 5;

/** Players who come back one after the other, so many at a time. */
export async function returning({ service, credentials }: Arena): Promise<Running> {
  const known = await Promise.all(
    Array.from({ length: IN_FLIGHT }, (_, nth) => credentials(2_000_000 + nth)),
  );
  return {
    round: (forMs) =>
      keepBusy(known, forMs, async (credentials) => {
        const client = await connectThin(service.port, credentials);
        await client.call('hello');
        client.close();
      }),
    stop: async () => undefined,
  };
}

/** Players who come back after all connections were lost: from the first bytes of each to the answer to `hello`. */
export async function benchReturns({ service, credentials }: Arena): Promise<Claim[]> {
  const known = await Promise.all(
    Array.from({ length: PLAYERS }, (_, number) => credentials(1_000_000 + number)),
  );
  const back = async (): Promise<number> => {
    const startedAt = performance.now();
    const clients: { close(): void }[] = [];
    await forAll(known, AT_ONCE, async (auth) => {
      const client = await connectThin(service.port, auth);
      await client.call('hello');
      clients.push(client);
    });
    const seconds = (performance.now() - startedAt) / 1000;
    for (const client of clients) client.close();
    return PLAYERS / seconds;
  };
  await back();
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The losses of the round before are stored by then.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    rates.push(await back());
  }
  console.log(`\nPlayers who come back in a second, ${AT_ONCE} at a time, in each of ${ROUNDS} rounds`);
  console.log(`  ${rates.map((rate) => rate.toFixed(0)).join('  ')}  median ${median(rates).toFixed(0)}`);
  return [{ text: 'players who come back, a second', measured: median(rates), atLeast: 100 }];
}
