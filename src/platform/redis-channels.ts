import type { Redis as Client } from 'ioredis';
import type { Refusals } from './redis-refusals.ts';

/** How long after a refused subscription all are tried again. */
const RETRY_MS = 1000;

type Handler = (message: Buffer) => void;

/**
 * The channels that this node is subscribed to. A subscription is made again after a lost connection, and after a refusal
 * until the user has the right.
 * @param subscriber repeats nothing by itself
 */
export function createChannels(subscriber: Client, refusals: Refusals) {
  const subscriptions = new Map<string, { confirmed: PromiseWithResolvers<void>; handlers: Set<Handler> }>();
  let retry: NodeJS.Timeout | undefined;

  const subscribeTo = (names: readonly string[]): void => {
    // All are sent when the connection is ready.
    if (subscriber.status !== 'ready' || names.length === 0) return;
    subscriber.subscribe(...names).then(
      () => {
        refusals.executed('subscribe');
        for (const name of names) subscriptions.get(name)?.confirmed.resolve();
      },
      (error: unknown) => {
        refusals.failed('subscribe', error);
        retry ??= setTimeout(subscribeToAll, RETRY_MS).unref();
      },
    );
  };
  const subscribeToAll = (): void => {
    clearTimeout(retry);
    retry = undefined;
    subscribeTo([...subscriptions.keys()]);
  };
  subscriber.on('ready', subscribeToAll);
  subscriber.on('messageBuffer', (channel: Buffer, message: Buffer) => {
    for (const handler of subscriptions.get(channel.toString())?.handlers ?? []) handler(message);
  });

  return {
    /** Subscribes to a channel. Messages come in order; those published before and during a lost connection are missing. */
    subscribe: (name: string, handler: Handler) => {
      let subscription = subscriptions.get(name);
      if (subscription === undefined) {
        subscription = { confirmed: Promise.withResolvers(), handlers: new Set() };
        subscriptions.set(name, subscription);
        subscribeTo([name]);
      }
      const { confirmed, handlers } = subscription;
      handlers.add(handler);
      return {
        /** Resolves when Redis has confirmed the subscription. */
        ready: confirmed.promise,
        end: () => {
          if (!handlers.delete(handler) || handlers.size > 0) return;
          subscriptions.delete(name);
          if (subscriber.status === 'ready') subscriber.unsubscribe(name).catch(() => undefined);
        },
      };
    },
  };
}
