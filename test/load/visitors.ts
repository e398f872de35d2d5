import type { IdentityProvider } from '../../src/local/identity-provider/server.ts';
import { addressOf, httpFrom } from './http.ts';
import { type Chance, chanceOfOthers, OTHERS } from './people.ts';
import type { PoolMap } from './replays.ts';
import { count } from './tally.ts';

/** Everybody beside the players: visitors of websites, who read, and curators, who write. */

export interface OthersOptions {
  seed: string;
  pace: number;
  players: number;
  urls: readonly string[];
  poolGuid: string;
  queueGuid: string;
  maps: readonly (PoolMap & { key: string; categoryGuid: string })[];
  identityProvider: IdentityProvider;
  stopped: AbortSignal;
}

export interface OthersTally {
  reads: number;
  writes: number;
  /** Milliseconds. */
  readTimes: number[];
  writeTimes: number[];
  /** By what was asked and what came. */
  unexpected: Map<string, number>;
}

/** Addresses of players begin at 0. */
const FIRST_ADDRESS = 5_000_000;

export interface Others {
  tally: OthersTally;
  /** Resolves when all have stopped. */
  done: Promise<unknown>;
}

export function startOthers(options: OthersOptions): Others {
  const { seed, pace, players, urls, stopped } = options;
  const tally: OthersTally = { reads: 0, writes: 0, readTimes: [], writeTimes: [], unexpected: new Map() };
  const pause = (seconds: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        stopped.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, (seconds * 1000) / pace);
      stopped.addEventListener('abort', done);
      if (stopped.aborted) done();
    });

  /** Asks one node after the other until one answers, as a balancer does. */
  const askerFrom = (nth: number, chance: Chance) => {
    const http = httpFrom(addressOf(FIRST_ADDRESS + nth));
    return async (
      method: string,
      path: string,
      request: { token?: string; body?: object } = {},
    ): Promise<any> => {
      const first = Math.floor(chance.fraction() * urls.length);
      for (let tried = 0; tried < urls.length; tried++) {
        const answer = await http
          .ask(method, `${urls[(first + tried) % urls.length]}${path}`, {
            ...(request.body && { body: request.body }),
            ...(request.token && { headers: { authorization: `Bearer ${request.token}` } }),
          })
          .catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
        const isRead = method === 'GET';
        if (typeof answer !== 'string' && answer.status < 400) {
          tally[isRead ? 'reads' : 'writes']++;
          tally[isRead ? 'readTimes' : 'writeTimes'].push(answer.ms);
          return answer.body === '' ? null : JSON.parse(answer.body);
        }
        const what = typeof answer === 'string' ? answer : `${answer.status} ${answer.body.slice(0, 120)}`;
        if (stopped.aborted) return null;
        // A node that is gone refuses whatever is asked; an answer names the request.
        const asked = `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')}: `;
        count(tally.unexpected, typeof answer === 'string' ? what : asked + what);
        // Another node answers what one that stops does not.
        if (typeof answer !== 'string' && answer.status !== 503) return null;
      }
      return null;
    };
  };

  const visitors = Math.max(2, Math.round(players * OTHERS.visitorsPerPlayer));
  const done = Promise.all([
    ...Array.from({ length: visitors }, (_, nth) => {
      const chance = chanceOfOthers(seed, `visitor ${nth}`);
      return visit(options, chance, askerFrom(nth, chance), pause);
    }),
    ...Array.from({ length: OTHERS.curators }, (_, nth) => {
      const chance = chanceOfOthers(seed, `curator ${nth}`);
      return curate(options, nth, chance, askerFrom(visitors + nth, chance), pause);
    }),
  ]);
  return { tally, done };
}

type Ask = (method: string, path: string, request?: { token?: string; body?: object }) => Promise<any>;
type Pause = (seconds: number) => Promise<void>;

/** Looks at what a website shows: the ladder, matches under way, a player, a match, the maps. */
async function visit(
  { queueGuid, poolGuid, stopped }: OthersOptions,
  chance: Chance,
  ask: Ask,
  pause: Pause,
): Promise<void> {
  let matches: { matchGuid: string; players: { playerGuid: string }[] }[] = [];
  const any = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance.fraction() * list.length)];
  const pages: (() => Promise<unknown>)[] = [
    () => ask('GET', '/queues'),
    () => ask('GET', `/leaderboards/${queueGuid}`),
    async () => {
      matches = (await ask('GET', '/matches?state=running&limit=20'))?.items ?? matches;
    },
    async () => {
      const match = any(matches);
      if (match) await ask('GET', `/matches/${match.matchGuid}`);
    },
    async () => {
      const player = any(any(matches)?.players ?? []);
      if (!player) return;
      const { ratings } = (await ask('GET', `/players/${player.playerGuid}`)) ?? { ratings: [] };
      await ask('GET', `/players/${player.playerGuid}/matches`);
      if (ratings.length > 0) await ask('GET', `/leaderboards/${queueGuid}?around=${player.playerGuid}`);
    },
    () => ask('GET', `/pools/${poolGuid}/maps`),
    () => ask('GET', '/maps/playlist'),
    () => ask('GET', '/server/status'),
  ];
  await pause(chance.exponential(OTHERS.pageSeconds));
  while (!stopped.aborted) {
    await any(pages)?.();
    await pause(chance.exponential(OTHERS.pageSeconds));
  }
}

/** Makes a pool, fills it, looks at it from all sides, and throws it away. */
async function curate(
  { identityProvider, maps, poolGuid, stopped }: OthersOptions,
  nth: number,
  chance: Chance,
  ask: Ask,
  pause: Pause,
): Promise<void> {
  const admin = await identityProvider.accountToken('admin');
  const pooler = await identityProvider.accountToken(nth % 2 === 0 ? 'pooler-one' : 'pooler-two');
  const think = () => pause(chance.exponential(OTHERS.curatorSeconds));
  await think();
  while (!stopped.aborted) {
    const { season } = (await ask('GET', `/pools/${poolGuid}/maps`, { token: pooler })) ?? {};
    if (!season) {
      await think();
      continue;
    }
    const name = `Draft ${nth} ${Math.floor(chance.fraction() * 1e9)}`;
    const made = await ask('POST', '/pools', { token: admin, body: { seasonGuid: season.seasonGuid, name } });
    if (made === null) continue;
    const draft = `/pools/${made.poolGuid}`;
    const added: string[] = [];
    for (let left = 2 + Math.floor(chance.fraction() * 4); left > 0 && !stopped.aborted; left--) {
      await think();
      const map = maps[Math.floor(chance.fraction() * maps.length)];
      if (!map || added.includes(map.key)) continue;
      added.push(map.key);
      const { key, characteristic, difficulty, categoryGuid } = map;
      const body = { key, characteristic, difficulty, categoryGuid, modifiers: [] };
      await ask('POST', `${draft}/maps`, { token: pooler, body });
      await ask('GET', `${draft}/maps`, { token: pooler });
    }
    await think();
    await ask('GET', `/pools/${poolGuid}/statistics`, { token: pooler });
    await ask('GET', '/audit-log?limit=20', { token: admin });
    await ask('GET', '/replay-reviews?limit=20', { token: admin });
    await think();
    await ask('DELETE', draft, { token: admin });
  }
}
