import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../../src/local/postgres.ts';
import { startObservedService } from '../harness/observed-writes.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';

/** Public answers that are kept: sent without a query, and never after they stopped being true. */

let service: TestService;
let guids: { poolGuid: string; queueGuid: string; seasonGuid: string };
let categoryGuid: string;
let playerGuid: string;
let matchGuid: string;

beforeAll(async () => {
  // Pairing asks about once a second, as in production: at a test's pace it would ask during every read.
  service = await startTestService({ environment: { MATCHMAKING_INTERVAL_MS: '1000' } });
  guids = await service.openQueue({ maps: 12 });
  categoryGuid = (await service.request(null, 'GET', '/map-categories')).body.items[0].categoryGuid;
  const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
  matchGuid = await meet(anna, bert, guids.queueGuid);
  await anna.do('forfeit', { matchGuid });
  await anna.status('aborted');
  await bert.do('leaveQueue', {});
  playerGuid = anna.match.you.player.playerGuid;
});
afterAll(() => service.stop());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${service.url}${path}`, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

const paths = () => [
  '/maps/hashes',
  '/maps/playlist',
  '/maps/playlist.bplist',
  '/pools',
  `/pools/${guids.poolGuid}`,
  `/pools/${guids.poolGuid}/maps`,
  `/pools/${guids.poolGuid}/playlist.bplist`,
  '/seasons',
  `/seasons/${guids.seasonGuid}`,
  '/map-categories',
  `/map-categories/${categoryGuid}`,
  '/queues',
  `/queues/${guids.queueGuid}`,
  '/leaderboards',
  `/leaderboards/${guids.queueGuid}`,
  `/leaderboards/${guids.queueGuid}?seasonGuid=${guids.seasonGuid}`,
  '/players',
  '/players?query=ann',
  `/players/${playerGuid}`,
  `/players/${playerGuid}/matches`,
  `/players/${playerGuid}/ratings`,
  `/pools/${guids.poolGuid}/statistics`,
  '/matches',
  '/matches?status=aborted',
  `/matches/${matchGuid}`,
  `/matches/${matchGuid}/log`,
  '/plugin-releases',
];

/** The statements that were sent to the database meanwhile, by any client. */
async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    for (const [asked] of spy.mock.calls as unknown[][])
      seen.push(typeof asked === 'string' ? asked : ((asked as { text?: string } | undefined)?.text ?? ''));
  } finally {
    spy.mockRestore();
  }
  return seen;
}
const tablesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:FROM|JOIN)\s+(?:"public"\.)?"(\w+)"/gi)].map(([, table = '']) => table);

describe('a public read', () => {
  test('has the same answer and headers from memory as it had from the database', async () => {
    for (const address of paths()) {
      // Another spelling of the same address is another entry: this one is not kept yet.
      const [made, kept] = [
        await get(`/%${address.charCodeAt(1).toString(16)}${address.slice(2)}`),
        await get(address),
      ];
      const again = await get(address);
      expect([address, again.status, again.text]).toEqual([address, 200, made.text]);
      const own = ({ headers }: typeof made) =>
        [...headers].filter(([name]) => !['x-request-id', 'date', 'keep-alive'].includes(name)).sort();
      expect(own(again), address).toEqual(own(made));
      expect(own(kept), address).toEqual(own(made));
      expect(again.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(again.headers.get('x-request-id')).not.toBe(kept.headers.get('x-request-id'));
      const etag = again.headers.get('etag') ?? '';
      const unchanged = await get(address, { 'if-none-match': `"other", W/${etag}` });
      expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
      const head = await fetch(`${service.url}${address}`, { method: 'HEAD' });
      expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag]);
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(again.text)));
    }
  });

  test('names every table it is read from', async () => {
    const encode = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
    /** Spellings of one path: each is asked for the first time. */
    const spellings = (address: string) =>
      [...(address.split('?')[0] ?? '').matchAll(/[a-z]/g)].map(
        ({ index, 0: letter }) => `${address.slice(0, index)}${encode(letter)}${address.slice(index + 1)}`,
      );
    const tablesOf = async (spelling: string) =>
      new Set((await statementsDuring(async () => get(spelling))).flatMap((text) => tablesIn(text)));
    const named: Record<string, readonly string[]> = {};
    for (const address of paths()) {
      // Statements that are not in every sample belong to background work. On a slow machine it is in many samples.
      const [first = '', ...others] = spellings(address);
      let tables = [...(await tablesOf(first))];
      for (const [nth, spelling] of others.entries()) {
        if (nth >= 3 && tables.every((table) => declared(routeOf(address)).includes(table))) break;
        const sample = await tablesOf(spelling);
        tables = tables.filter((table) => sample.has(table));
      }
      named[address] = tables.sort();
    }
    expect(named['/maps/hashes']).toEqual(['Pool', 'PoolMap']);
    for (const [address, tables] of Object.entries(named)) {
      const undeclared = tables.filter((table) => !declared(routeOf(address)).includes(table));
      expect([address, undeclared]).toEqual([address, []]);
    }
  });

  test('is sent from memory, and shows a change as soon as the writer is answered', async () => {
    const token = await service.identityProvider.accountToken('admin');
    /** The paths that are not answered while the database is cut off, after each was asked for once. */
    const unanswered = async (cut: number): Promise<string[]> => {
      // Spellings that were not asked for before, so that no response is about to expire.
      const encoded = (letter = '') => `%${letter.charCodeAt(0).toString(16)}`;
      const spelling = (address: string) =>
        `/${address.slice(1, cut)}${encoded(address[cut])}${encoded(address[cut + 1])}${address.slice(cut + 2)}`;
      for (const address of paths()) await get(spelling(address));
      const restore = await service.database.cutOff();
      try {
        const missing = [];
        for (const address of paths())
          if ((await get(spelling(address))).status !== 200) missing.push(address);
        // A request with credentials is answered from the database, not from the cache.
        expect((await get('/pools', { authorization: `Bearer ${token}` })).status).toBe(503);
        return missing;
      } finally {
        await restore();
        await expect.poll(async () => (await service.request('admin', 'GET', '/pools')).status).toBe(200);
      }
    };
    // A background write that the cut interrupts may have been committed: its tables are read again. So it is cut three times.
    const missing = [await unanswered(1), await unanswered(2), await unanswered(3)];
    expect(Math.min(...missing.map(({ length }) => length)), JSON.stringify(missing)).toBe(0);

    for (let round = 1; round <= 10; round++) {
      const name = `Category ${round}`;
      expect(
        (await service.request('admin', 'PATCH', `/map-categories/${categoryGuid}`, { name })).status,
      ).toBe(200);
      for (const address of ['/map-categories', `/pools/${guids.poolGuid}/maps`])
        expect((await get(address)).text, address).toContain(name);
    }
    const waiting = async () => JSON.parse((await get(`/queues/${guids.queueGuid}`)).text).waiting;
    const carla = await service.connect('Carla');
    for (let round = 1; round <= 5; round++) {
      await carla.do('joinQueue', { queueGuid: guids.queueGuid });
      expect(await waiting()).toBe(1);
      await carla.do('leaveQueue', {});
      expect(await waiting()).toBe(0);
    }
  });

  test('is read once for many requests at the same moment', async () => {
    const name = 'Wanted';
    await service.request('admin', 'PATCH', `/map-categories/${categoryGuid}`, { name });
    const asked = (
      await statementsDuring(async () => {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => get(`/pools/${guids.poolGuid}/maps`)),
        );
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      })
    ).filter((text) => tablesIn(text).includes('MapCategory'));
    expect(asked).toHaveLength(1);
  });

  test('counts against the limit of its address like every other', async () => {
    const limited = await startTestService({ environment: { RATE_LIMIT_FACTOR: '0.1' } });
    try {
      const statuses: number[] = [];
      for (let at = 0; at < 32; at++) statuses.push((await fetch(`${limited.url}/seasons`)).status);
      expect(statuses).toEqual([...Array(30).fill(200), 429, 429]);
      const refused = await fetch(`${limited.url}/seasons`);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await limited.stop();
    }
  });
});

test('a node shows what another one wrote within a second', async () => {
  const port = await freePort();
  const config = loadConfig({ ...service.environment, PORT: String(port) });
  const second = await startObservedService(config, { logger: pino({ level: 'silent' }) });
  try {
    const there = async () => (await fetch(`http://127.0.0.1:${port}/seasons`)).text();
    for (const name of ['Spring', 'Summer', 'Autumn']) {
      await there();
      await service.request('admin', 'PATCH', `/seasons/${guids.seasonGuid}`, { name });
      await expect.poll(there, { timeout: 20_000 }).toContain(name);
      // And the other way round: nobody keeps what was true before.
      await expect.poll(async () => (await get('/seasons')).text, { timeout: 20_000 }).toContain(name);
    }
  } finally {
    await second.stop();
  }
});

/** The tables a route says it is read from. */
function declared(route: string): string[] {
  for (const file of globSync(path.resolve(import.meta.dirname, '../../src/domains/*/*routes.ts'))) {
    const text = readFileSync(file, 'utf8');
    const shared = /const PUBLIC = \{[^}]*\}/.exec(text)?.[0] ?? '';
    for (const written of text.split(/(?=\bapp\.get\(\s*'|for \(const .* of)/)) {
      const part = written.replace('...PUBLIC', shared);
      const [head = ''] = part.split('config:');
      if (!head.includes(`'${route}'`)) continue;
      const tables = /reads: \[([^\]]*)\]/.exec(part)?.[1];
      if (tables !== undefined) return [...tables.matchAll(/'(\w+)'/g)].map(([, table = '']) => table);
    }
  }
  return [];
}

const nameOf = (guid: string): string =>
  ({
    [guids.poolGuid]: ':poolGuid',
    [guids.queueGuid]: ':queueGuid',
    [guids.seasonGuid]: ':seasonGuid',
    [categoryGuid]: ':categoryGuid',
    [playerGuid]: ':playerGuid',
    [matchGuid]: ':matchGuid',
  })[guid] ?? guid;
const routeOf = (address: string): string => (address.split('?')[0] ?? '').replace(/[0-9a-f-]{36}/g, nameOf);
