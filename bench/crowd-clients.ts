import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '../test/load/http.ts';
import { forAll } from './harness.ts';
import { connectThin, Refused, type ThinClient } from './thin-client.ts';

/** A crowd of players in a process of its own, each with an address of its own. They do what they are ordered over IPC. */

export type ToCrowd =
  /** All connect, so many at a time. */
  | { order: 'enter'; port: number; people: readonly { number: number; auth: object }[]; saysHello: boolean }
  /** These of them, by their place in the crowd, send this message. */
  | { order: 'call'; from: number; to: number; event: string; payload: object }
  /** All connections are lost at once, and all come back as clients of Socket.IO do. */
  | { order: 'lose' };

/** How one player came back. Milliseconds since the loss. */
export interface Return {
  /** The first time the player was let in or told when to try again; null: never. */
  answeredMs: number | null;
  /** Let in, and `hello` answered; null: never. */
  backMs: number | null;
  /** Earlier errors, in order. */
  failures: string[];
  /** The times to try again that the player was told, in order. */
  waits: number[];
  /** Whether `hello` shows a place in a queue, or a match. */
  holds: 'place' | 'match' | null;
}

const AT_ONCE = 25;
/** The first attempt comes after half a second to one and a half, as with Socket.IO's clients; later ones after 7.5 s at most. */
const FIRST_MS = 1000;
const LONGEST_MS = 5000;
/** A player who is not let in within this time tries again. */
const TIMEOUT_MS = 20_000;
const GIVES_UP_MS = 120_000;

let port = 0;
let saysHello = true;
interface Person {
  number: number;
  auth: object;
  client: ThinClient | null;
}
let people: Person[] = [];

/** @param onLetIn called before `hello` */
async function enter(one: Person, onLetIn: () => void): Promise<Return['holds']> {
  const localAddress = addressOf(one.number);
  const client = await connectThin(port, one.auth, { localAddress, timeoutMs: TIMEOUT_MS });
  one.client = client;
  onLetIn();
  if (!saysHello) return null;
  const { queueEntry, match } = await client.call('hello');
  return match !== null ? 'match' : queueEntry !== null ? 'place' : null;
}

const firstLineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\r\n', 1)[0] ?? '';

const delay = (failures: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** failures) * (0.5 + Math.random());

/** Connects until that succeeds. @param firstMs how long before the first attempt */
async function comeIn(one: Person, firstMs: number): Promise<Return> {
  const told: Return = { answeredMs: null, backMs: null, failures: [], waits: [], holds: null };
  const startedAt = performance.now();
  const since = (): number => performance.now() - startedAt;
  let waitMs = firstMs;
  while (since() + waitMs < GIVES_UP_MS) {
    await sleep(waitMs);
    try {
      told.holds = await enter(one, () => {
        told.answeredMs ??= since();
      });
      told.backMs = since();
      return told;
    } catch (error) {
      told.failures.push(firstLineOf(error));
      waitMs = delay(told.failures.length);
      if (!(error instanceof Refused) || error.retryAfterMs === null) continue;
      told.answeredMs ??= since();
      told.waits.push(error.retryAfterMs);
      waitMs = error.retryAfterMs;
    }
  }
  return told;
}

async function lose(): Promise<Return[]> {
  for (const { client } of people) client?.close();
  return Promise.all(people.map((one) => comeIn(one, delay(0))));
}

async function obey(order: ToCrowd): Promise<unknown> {
  switch (order.order) {
    case 'enter':
      ({ port, saysHello } = order);
      people = order.people.map((one) => ({ ...one, client: null }));
      await forAll(people, AT_ONCE, async (one) => {
        const { backMs, failures } = await comeIn(one, 0);
        if (backMs === null) throw new Error(`One could not come in: ${failures}`);
      });
      return people.length;
    case 'call': {
      const { from, to, event, payload } = order;
      await forAll(people.slice(from, to), AT_ONCE, async ({ client }) => client?.call(event, payload));
      return to - from;
    }
    case 'lose':
      return lose();
  }
}

process.on('message', (order: ToCrowd) => {
  obey(order).then(
    (done) => process.send?.({ done }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
