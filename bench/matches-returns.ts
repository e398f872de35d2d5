import { type Claim, forAll, median } from './harness.ts';
import type { Arena } from './matches-arena.ts';
import { connectThin } from './thin-client.ts';

const PLAYERS = 600;
const AT_ONCE = 50;
const ROUNDS = 5;

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
