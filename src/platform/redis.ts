import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { Redis as Client, type RedisOptions } from 'ioredis';

/**
 * Redis or Valkey (7 or newer), which makes several nodes faster and never truer: what it holds can be lost
 * at any moment. While it does not answer, limits count per node, nodes hear of each other by asking the
 * database, and nothing is relayed.
 */
export interface Redis {
  /** Whether it can be asked at the moment. */
  isConnected(): boolean;
  /**
   * Runs a script in one step.
   * @throws Error when it does not answer in time, at once while it is known not to.
   */
  run(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>;
  /** Lets the other nodes know that there is something new about these; lost when nobody listens. */
  hint(topics: readonly string[]): void;
  /** Hears what other nodes hint at, from now on. To be called once. */
  onHint(handler: (topics: readonly string[]) => void): void;
  /** Sends to every node that subscribed. @returns false when it was dropped right away. */
  publish(channel: string, message: Uint8Array): boolean;
  /** Hears what is published on a channel, in order; after a lost connection from when it is back. */
  subscribe(channel: string, handler: (message: Buffer) => void): Subscription;
  close(): void;
}

export interface Subscription {
  /** Resolves once it stands; not before Redis answers. */
  ready: Promise<void>;
  end(): void;
}

/** A Lua script with its digest, by which Redis knows it again. */
export interface Script {
  lua: string;
  sha1: string;
}

export const script = (lua: string): Script => ({ lua, sha1: createHash('sha1').update(lua).digest('hex') });

interface RedisOptionsGiven {
  /** `redis://` or `rediss://`. */
  url: string;
  /** Whose names these are: services that share a Redis by chance have nothing to do with each other. */
  namespace: string;
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** How long a start waits for the first connection. */
const START_MS = 1000;
/** A request waits for this much; then the node decides by itself. */
const COMMAND_MS = 250;
/** After a command that was not answered nobody else waits for one, this long. */
const PAUSE_MS = 1000;
const LONGEST_RETRY_MS = 2000;
/** A question for hints is answered after this long, if only with none. */
const HINT_BLOCK_MS = 5000;
const SILENCE_MS = 2 * HINT_BLOCK_MS;
/** Hints are worth nothing after a second. */
const HINTS_KEPT = 1000;
const HINTS_AT_ONCE = 500;
/** What may be on its way to a slow Redis: beyond that messages are dropped instead of kept in memory. */
const MOST_BYTES_UNDERWAY = 16 * 1024 * 1024;
const OLDEST_VERSION = 7;

/** Connects in the background after a short wait: a Redis that is down keeps no node from starting. */
export async function openRedis({ url, namespace, logger }: RedisOptionsGiven): Promise<Redis> {
  const common: RedisOptions = {
    lazyConnect: true,
    retryStrategy: (times) => Math.min(times * 100, LONGEST_RETRY_MS),
    connectTimeout: 5000,
    // Nothing but silence after a question: the connection is dead, whatever TCP believes.
    socketTimeout: SILENCE_MS,
  };
  const commands = new Client(url, { ...common, commandTimeout: COMMAND_MS, enableOfflineQueue: false });
  const subscriber = new Client(url, { ...common, maxRetriesPerRequest: null });
  const reader = new Client(url, {
    ...common,
    maxRetriesPerRequest: null,
    // It asks again itself, from where it was.
    autoResendUnfulfilledCommands: false,
  });
  // Publishing does not know of database numbers, so every name carries it.
  const named = (name: string): string => `matches:${namespace}:${commands.options.db ?? 0}:${name}`;
  let closed = false;

  let isLost = true;
  let lastError = '';
  commands.on('error', (error) => {
    lastError = error.message;
  });
  for (const other of [subscriber, reader]) other.on('error', () => undefined);
  commands.on('ready', () => {
    isLost = false;
    logger.info('connected to Redis');
    commands
      .info('server')
      .then((about) => {
        const version = /^redis_version:(\d+)[^\r\n]*/m.exec(about);
        if (Number(version?.[1]) < OLDEST_VERSION)
          logger.warn({ version: version?.[0] }, `Redis is older than version ${OLDEST_VERSION}`);
      })
      .catch(() => undefined);
  });
  commands.on('close', () => {
    if (closed || isLost) return;
    isLost = true;
    logger.warn({ reason: lastError }, 'Redis is lost: this node goes on alone until it is back');
  });

  const first = commands.connect().catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([first, new Promise((resolve) => (timer = setTimeout(resolve, START_MS)))]);
  clearTimeout(timer);
  if (isLost) logger.warn({ reason: lastError }, 'Redis does not answer: this node starts without it');

  let pausedUntil = 0;
  const isConnected = () => commands.status === 'ready' && performance.now() >= pausedUntil;

  const hintStream = named('hints');
  /** Reads from the last hint on, so that a broken connection loses none. */
  const hear = async (handler: (topics: readonly string[]) => void): Promise<void> => {
    let position: string | undefined;
    while (!closed) {
      try {
        position ??= (await reader.xrevrange(hintStream, '+', '-', 'COUNT', 1))[0]?.[0] ?? '0-0';
        const answer = await reader.xread(
          'COUNT',
          HINTS_AT_ONCE,
          'BLOCK',
          HINT_BLOCK_MS,
          'STREAMS',
          hintStream,
          position,
        );
        const entries = answer?.[0]?.[1] ?? [];
        position = entries.at(-1)?.[0] ?? position;
        if (entries.length > 0) handler(entries.flatMap(([, fields]) => topicsIn(fields)));
      } catch (error) {
        if (closed) return;
        if (!isLost) logger.warn({ err: error }, 'hints could not be heard');
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  };

  let bytesUnderway = 0;
  const handlers = new Map<string, Set<(message: Buffer) => void>>();
  const standing = new Map<string, Promise<void>>();
  subscriber.on('messageBuffer', (channel: Buffer, message: Buffer) => {
    for (const handler of handlers.get(channel.toString()) ?? []) handler(message);
  });

  return {
    isConnected,

    run: async ({ lua, sha1 }, keys, values) => {
      if (!isConnected()) throw new Error('Redis does not answer');
      const rest = [keys.length, ...keys.map(named), ...values] as const;
      try {
        return await commands.evalsha(sha1, ...rest).catch((error: Error) => {
          if (!error.message.startsWith('NOSCRIPT')) throw error;
          return commands.eval(lua, ...rest);
        });
      } catch (error) {
        pausedUntil = performance.now() + PAUSE_MS;
        throw error;
      }
    },

    hint: (topics) => {
      if (topics.length === 0 || !isConnected()) return;
      const fields = topics.flatMap((topic) => ['topic', topic]);
      commands.xadd(hintStream, 'MAXLEN', '~', HINTS_KEPT, '*', ...fields).catch(() => undefined);
    },

    onHint: (handler) => void hear(handler),

    publish: (channel, message) => {
      if (!isConnected() || bytesUnderway + message.byteLength > MOST_BYTES_UNDERWAY) return false;
      bytesUnderway += message.byteLength;
      commands
        .publish(named(channel), Buffer.from(message.buffer, message.byteOffset, message.byteLength))
        .catch(() => undefined)
        .finally(() => {
          bytesUnderway -= message.byteLength;
        });
      return true;
    },

    subscribe: (channel, handler) => {
      const name = named(channel);
      const others = handlers.get(name);
      if (others) others.add(handler);
      else {
        handlers.set(name, new Set([handler]));
        // While it is down the wish waits; after a lost connection it is repeated by the client.
        const stands = subscriber.subscribe(name).then(() => undefined);
        stands.catch(() => undefined);
        standing.set(name, stands);
      }
      return {
        ready: standing.get(name) ?? Promise.resolve(),
        end: () => {
          const left = handlers.get(name);
          if (!left?.delete(handler) || left.size > 0) return;
          handlers.delete(name);
          standing.delete(name);
          if (!closed) subscriber.unsubscribe(name).catch(() => undefined);
        },
      };
    },

    close: () => {
      closed = true;
      // What waits in a client that is just not connected is never answered, so nothing is waited for.
      for (const client of [commands, subscriber, reader]) client.disconnect();
    },
  };
}

/** The values of `topic`, name, `topic`, name, … */
const topicsIn = (fields: readonly string[]): string[] => fields.filter((_, at) => at % 2 === 1);
