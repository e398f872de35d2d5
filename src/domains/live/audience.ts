import type { FastifyBaseLogger } from 'fastify';
import { networksOf } from '../../platform/address.ts';
import { partsOf } from '../../platform/batches.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { type Redis, script } from '../../platform/redis.ts';
import { liveErrors } from './errors.ts';

/** The numbers of a node expire after this; it sends them again every 10 s. */
const TTL_SECONDS = 30;
const KEYS_AT_ONCE = 500;
const RETRY_AFTER = { 'retry-after': '10' };

/**
 * KEYS: what is counted. ARGV: the node, the seconds until its numbers expire, and its number for each key. Stores the
 * numbers and answers the sums of the other nodes. Times are those of Redis: the clocks of nodes differ.
 */
const SHARE = script(`
local now = tonumber(redis.call('TIME')[1])
local node, ttl = ARGV[1], tonumber(ARGV[2])
local others = {}
for index, key in ipairs(KEYS) do
  local sum = 0
  local held = redis.call('HGETALL', key)
  for at = 1, #held, 2 do
    if held[at] ~= node then
      local count, ends = held[at + 1]:match('^(%d+) (%d+)$')
      if tonumber(ends) < now then redis.call('HDEL', key, held[at]) else sum = sum + tonumber(count) end
    end
  end
  others[index] = sum
  if tonumber(ARGV[index + 2]) > 0 then
    redis.call('HSET', key, node, ARGV[index + 2] .. ' ' .. string.format('%d', now + ttl))
    redis.call('EXPIRE', key, ttl)
  else
    redis.call('HDEL', key, node)
  end
end
return others`);

interface AudienceOptions {
  redis: Redis | null;
  nodeGuid(): string;
  logger: Pick<FastifyBaseLogger, 'debug'>;
}

const channelKey = (platformId: string): string => `live:channel:${platformId}`;

/** Counts spectators on all nodes; while Redis is away, on this one. */
export function createAudience({ redis, nodeGuid, logger }: AudienceOptions) {
  const here = new Map<string, number>();
  const countHere = (key: string) => here.get(key) ?? 0;
  const change = (keys: readonly string[], by: number) => {
    for (const key of keys) {
      const count = countHere(key) + by;
      if (count > 0) here.set(key, count);
      else here.delete(key);
    }
  };

  /** Sends our numbers to the other nodes. @returns theirs, in the order of the keys */
  const share = async (keys: readonly string[]) => {
    const none = keys.map(() => 0);
    if (redis === null || keys.length === 0) return none;
    try {
      return (await redis.run(SHARE, keys, [nodeGuid(), TTL_SECONDS, ...keys.map(countHere)])) as number[];
    } catch (error) {
      logger.debug({ err: error }, 'spectators are counted on this node alone');
      return none;
    }
  };

  return {
    /**
     * Counts one more spectator.
     * @returns a function that counts it out again
     * @throws TOO_MANY_SPECTATORS
     */
    add: async (platformId: string, address: string) => {
      const counted = [
        { key: channelKey(platformId), most: BOUNDS.spectatorsOfPlayer.value, who: 'watch one player' },
        ...networksOf(address).map(({ name, share }) => ({
          key: `live:address:${name}`,
          most: BOUNDS.spectatorsOfAddress.value * share,
          who: `watch from one ${share === 1 ? 'address' : 'network'}`,
        })),
      ];
      const keys = counted.map(({ key }) => key);
      const remove = () => {
        change(keys, -1);
        void share(keys);
      };
      change(keys, 1);
      // Counted before it is compared: two that come at once on two nodes see each other.
      const others = await share(keys);
      const full = counted.findLast(({ key, most }, at) => countHere(key) + (others[at] ?? 0) > most);
      if (full === undefined) return remove;
      remove();
      throw liveErrors.TOO_MANY_SPECTATORS({
        message: `At most ${full.most} connections ${full.who}.`,
        headers: RETRY_AFTER,
      });
    },

    /** The number of spectators of these players. */
    count: async (platformIds: readonly string[]) => {
      const keys = platformIds.map(channelKey);
      const others = await share(keys);
      return [...keys.map(countHere), ...others].reduce((sum, count) => sum + count, 0);
    },

    /** Sends all numbers of this node again, before they expire. */
    refresh: async () => {
      for (const keys of partsOf([...here.keys()], KEYS_AT_ONCE)) await share(keys);
    },
  };
}
