import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Redis as Client, type Command, type RedisOptions } from 'ioredis';
import { reasonOf } from './reason.ts';
import { createChannels } from './redis-channels.ts';
import { watchRefusals } from './redis-refusals.ts';
import { within } from './within.ts';

/**
 * Redis or Valkey, 7 or newer. It only makes several nodes faster, because its data can be lost at any moment. While it
 * does not answer, each node counts limits itself, nodes poll the database for messages, and live plays are not relayed.
 */
export type Redis = Awaited<ReturnType<typeof openRedis>>;
export type Subscription = ReturnType<Redis['subscribe']>;

/** A Lua script with the digest by which Redis caches it. */
export const script = (lua: string) => ({ lua, sha1: createHash('sha1').update(lua).digest('hex') });

interface RedisOptionsGiven {
  /** `redis://` or `rediss://`. */
  url: string;
  /** Prefix of all names, so that several services can share a Redis. */
  namespace: string;
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** How long a start waits for the first connection. */
const START_MS = 1000;
/** How long a request waits for Redis; then the node decides alone. */
const COMMAND_MS = 250;
/** After a command that was refused or not answered, none is sent for this long. */
const PAUSE_MS = 1000;
const LONGEST_RETRY_MS = 2000;
/** A blocking read of hints returns after this long without any. */
const HINT_BLOCK_MS = 5000;
const SILENCE_MS = 2 * HINT_BLOCK_MS;
/** Hints are useless after a second. */
const HINTS_KEPT = 1000;
const HINTS_AT_ONCE = 500;
/** Messages are dropped while this much is unanswered: a late frame of a live play is of no use. */
const MOST_BYTES_UNDERWAY = 4 * 1024 * 1024;
const OLDEST_VERSION = 7;
/** Answers of a server that is not the master: a replica, or a server that is starting. */
const NOT_MASTER = /^(READONLY|MASTERDOWN|LOADING) /;

/** Waits a second for the connection and continues to connect in the background: a node starts without Redis as well. */
export async function openRedis({ url, namespace, logger }: RedisOptionsGiven) {
  const common: RedisOptions = {
    lazyConnect: true,
    retryStrategy: (times) => Math.min(times * 100, LONGEST_RETRY_MS),
    connectTimeout: 5000,
    // A connection without an answer for this long is dead, even if TCP does not notice.
    socketTimeout: SILENCE_MS,
    reconnectOnError: ({ message }) => {
      if (NOT_MASTER.test(message)) connectAgain();
      return false;
    },
  };
  const commands = new Client(url, { ...common, commandTimeout: COMMAND_MS, enableOfflineQueue: false });
  // `createChannels` subscribes itself: the client would not catch a refusal, which would end the process.
  const subscriber = new Client(url, {
    ...common,
    lazyConnect: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
  });
  // The client repeats a read that the lost connection left without an answer: it names its position.
  const reader = new Client(url, { ...common, maxRetriesPerRequest: null });
  // Channels are shared by all database numbers, so every name contains the number.
  const named = (name: string): string => `matches:${namespace}:${commands.options.db ?? 0}:${name}`;
  let closed = false;
  let pausedUntil = 0;
  let isMoving = false;
  /** After a fail-over the address leads to another server, but the old one may keep its connections open. */
  const connectAgain = (): void => {
    pausedUntil = performance.now() + PAUSE_MS;
    isMoving = commands.status === 'ready';
    for (const client of [commands, subscriber, reader])
      if (client.status === 'ready') client.disconnect(true);
  };

  let isLost = true;
  let lastError = 'no answer yet';
  commands.on('error', (error) => {
    lastError = reasonOf(error);
  });
  for (const other of [subscriber, reader]) other.on('error', () => undefined);
  commands.on('ready', () => {
    if (!isLost) return;
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
    // Closed by `connectAgain`: it is lost only when the next attempt fails.
    if (isMoving) {
      isMoving = false;
      return;
    }
    isLost = true;
    logger.warn({ reason: lastError }, 'Redis is lost: this node works without it until it is back');
  });

  const first = commands.connect().catch(() => undefined);
  await within(START_MS, first);
  if (isLost) logger.warn({ reason: lastError }, 'Redis does not answer: this node starts without it');

  /** Whether a command that timed out still waits for its answer. Answers come in the order of the commands. */
  const isBehind = () => {
    const oldest = commands.commandQueue.peekFront()?.command as Command | undefined;
    return oldest?.isSettled === true;
  };
  const isConnected = () => commands.status === 'ready' && performance.now() >= pausedUntil && !isBehind();

  const refusals = watchRefusals(logger);
  const hintStream = named('hints');
  /** Reads from the last hint on, so that a broken connection loses none. */
  const readHints = async (handler: (topics: readonly string[]) => void): Promise<void> => {
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
        refusals.executed('xread');
        const entries = answer?.[0]?.[1] ?? [];
        position = entries.at(-1)?.[0] ?? position;
        // The fields are `topic`, name, `topic`, name, …
        if (entries.length > 0)
          handler(entries.flatMap(([, fields]) => fields.filter((_, at) => at % 2 === 1)));
      } catch (error) {
        if (closed) return;
        refusals.failed('xread', error);
        await sleep(PAUSE_MS);
      }
    }
  };

  let bytesUnderway = 0;
  const channels = createChannels(subscriber, refusals);

  return {
    /** Whether it answers at the moment. */
    isConnected,

    /** What is wrong with Redis, for readiness and metrics; null: nothing. */
    problem: (): string | null =>
      (isLost ? null : refusals.first()) ?? (isConnected() ? null : 'does not answer'),

    /** Runs a script atomically. @throws Error when Redis refuses it or does not answer in time, at once after that */
    run: async (
      { lua, sha1 }: ReturnType<typeof script>,
      keys: readonly string[],
      values: readonly (string | number)[],
    ): Promise<unknown> => {
      if (!isConnected()) throw new Error('Redis does not answer');
      const rest = [keys.length, ...keys.map(named), ...values] as const;
      try {
        const answer = await commands.evalsha(sha1, ...rest).catch((error: Error) => {
          if (!error.message.startsWith('NOSCRIPT')) throw error;
          return commands.eval(lua, ...rest);
        });
        refusals.executed('evalsha');
        return answer;
      } catch (error) {
        refusals.failed('evalsha', error);
        pausedUntil = performance.now() + PAUSE_MS;
        throw error;
      }
    },

    /** Tells the other nodes that there is news about these topics. May be lost. */
    hint: (topics: readonly string[]) => {
      if (topics.length === 0 || !isConnected()) return;
      const fields = topics.flatMap((topic) => ['topic', topic]);
      commands.xadd(hintStream, 'MAXLEN', '~', HINTS_KEPT, '*', ...fields).then(
        () => refusals.executed('xadd'),
        (error: unknown) => refusals.failed('xadd', error),
      );
    },

    /** Subscribes to the hints of other nodes. To be called once. */
    onHint: (handler: (topics: readonly string[]) => void) => void readHints(handler),

    /**
     * Publishes to every subscribed node.
     * @returns false when the message was dropped at once, also because channels were refused lately: nodes have the same user
     */
    publish: (channel: string, message: Uint8Array) => {
      if (!isConnected() || refusals.isRecent('subscribe', 'publish')) return false;
      if (bytesUnderway + message.byteLength > MOST_BYTES_UNDERWAY) return false;
      bytesUnderway += message.byteLength;
      commands
        .publish(named(channel), Buffer.from(message.buffer, message.byteOffset, message.byteLength))
        .then(
          () => refusals.executed('publish'),
          (error: unknown) => refusals.failed('publish', error),
        )
        .finally(() => {
          bytesUnderway -= message.byteLength;
        });
      return true;
    },

    /** Subscribes to a channel. */
    subscribe: (channel: string, handler: (message: Buffer) => void) =>
      channels.subscribe(named(channel), handler),

    close: () => {
      closed = true;
      for (const client of [commands, subscriber, reader]) client.disconnect();
    },
  };
}
