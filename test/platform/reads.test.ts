import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import http from 'node:http';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Table } from '../../src/platform/database/changes.ts';
import { startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';
import { textOf } from '../harness/statement-text.ts';

/** Public answers that are kept: sent without a query, and never after they stopped being true. */

let service: TestService;
let guids: { poolGuid: string; queueGuid: string; seasonGuid: string };
let categoryGuid: string;
let playerGuid: string;
let matchGuid: string;

/** The tables of each route whose answers are kept. */
const declared = new Map<string, readonly Table[]>();

beforeAll(async () => {
  diagnostics.subscribe('fastify.initialization', (message) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ url, config }) => {
      if (config?.reads) declared.set(url, config.reads);
    });
  });
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
  const result = { outcome: 'win', winnerGuid: playerGuid, reason: 'Everybody on the ladder has a result.' };
  const { status } = await service.request('admin', 'POST', `/matches/${matchGuid}/result`, result);
  expect(status).toBe(200);
});
afterAll(() => service.stop());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${service.url}${path}`, { headers });
  // One character for each byte.
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  return { status: answer.status, headers: answer.headers, text };
};

const paths = () => [
  '/maps/hashes',
  '/maps/playlist',
  '/maps/playlist.bplist',
  '/pools',
  `/pools/${guids.poolGuid}`,
  `/pools/${guids.poolGuid}/maps`,
  `/pools/${guids.poolGuid}/playlist.bplist`,
  `/pools/${guids.poolGuid}/categories/${categoryGuid}/playlist.bplist`,
  `/pools/${guids.poolGuid}/cover.png`,
  '/seasons',
  `/seasons/${guids.seasonGuid}`,
  '/map-categories',
  `/map-categories/${categoryGuid}`,
  '/queues',
  `/queues/${guids.queueGuid}`,
  '/leaderboards',
  `/leaderboards/${guids.queueGuid}`,
  `/leaderboards/${guids.queueGuid}?seasonGuid=${guids.seasonGuid}`,
  `/leaderboards/${guids.queueGuid}?around=${playerGuid}`,
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
const pages = () => [
  '/',
  `/ladder/${guids.queueGuid}`,
  `/player/${playerGuid}`,
  `/pool/${guids.poolGuid}`,
  `/match/${matchGuid}`,
  `/overlay/${matchGuid}`,
];

/** The statements that requests cause meanwhile. Those of tasks are not among them. */
async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const requests = new AsyncLocalStorage<true>();
  const { emit } = http.Server.prototype;
  const emitting = vi.spyOn(http.Server.prototype, 'emit');
  emitting.mockImplementation(function (this: http.Server, ...args) {
    return (args[0] as string) === 'request'
      ? requests.run(true, () => emit.apply(this, args))
      : emit.apply(this, args);
  });
  const { query } = pg.Client.prototype;
  const querying = vi.spyOn(pg.Client.prototype, 'query');
  querying.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    if (requests.getStore()) seen.push(textOf(args[0]) ?? '');
    return Reflect.apply(query, this, args);
  });
  try {
    await work();
  } finally {
    querying.mockRestore();
    emitting.mockRestore();
  }
  return seen;
}
const tablesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:FROM|JOIN)\s+(?:"public"\.)?"(\w+)"/gi)].map(([, table = '']) => table);

describe('a public read', () => {
  let attempts = 0;

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
      expect(head.headers.get('content-length')).toBe(String(again.text.length));
      // A cookie keeps the answer from being sent as it lies in memory.
      for (const credentials of [[], [['cookie', 'theme=dark']]]) {
        const known = await fetch(`${service.url}${address}`, {
          method: 'HEAD',
          headers: Object.fromEntries([['if-none-match', etag], ...credentials]),
        });
        expect([address, known.status, known.headers.get('etag')]).toEqual([address, 304, etag]);
        expect(known.headers.get('content-length'), address).toBe(null);
      }
    }
  });

  test('names every table it is read from, and locks no row', async () => {
    attempts += 1;
    /** A spelling that was not asked for before: it is answered from the database. */
    const spelling = (address: string) => {
      const at = [...(address.split('?')[0] ?? '').matchAll(/[a-z]/g)][attempts]?.index;
      if (at === undefined) return address;
      return `${address.slice(0, at)}%${address.charCodeAt(at).toString(16)}${address.slice(at + 1)}`;
    };
    const change = { name: `Season ${attempts}` };
    await service.request('admin', 'PATCH', `/seasons/${guids.seasonGuid}`, change);
    const named: Record<string, string[]> = {};
    for (const address of [...paths(), ...pages()]) {
      const texts = await statementsDuring(async () => {
        const { status } = await get(spelling(address), { accept: 'text/html, */*' });
        expect([address, status]).toEqual([address, 200]);
      });
      expect([address, texts.filter((text) => /\bFOR (NO KEY |KEY )?(UPDATE|SHARE)\b/.test(text))]).toEqual([
        address,
        [],
      ]);
      named[address] = [...new Set(texts.flatMap((text) => tablesIn(text)))].sort();
    }
    expect(named['/maps/hashes']).toEqual(['Pool', 'PoolMap']);
    const asked = new Set(Object.keys(named).map(routeOf));
    const notAsked = [...declared].filter(([route, tables]) => tables.length > 0 && !asked.has(route));
    expect(notAsked).toEqual([]);
    const isDeclared = (address: string, table: string) =>
      declared.get(routeOf(address))?.includes(table as Table);
    const undeclared = Object.entries(named).map(([address, tables]) => [
      address,
      tables.length === 0 ? 'none is read' : tables.filter((table) => !isDeclared(address, table)),
    ]);
    expect(undeclared).toEqual(Object.keys(named).map((address) => [address, []]));
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

test('a node soon shows what another node wrote', async () => {
  const second = await startSecondNode(service);
  try {
    const there = async () => (await fetch(`${second.url}/seasons`)).text();
    for (const name of ['Spring', 'Summer', 'Autumn']) {
      await there();
      await service.request('admin', 'PATCH', `/seasons/${guids.seasonGuid}`, { name });
      await expect.poll(there, { timeout: 20_000 }).toContain(name);
      // And the other way round: nobody keeps what was true before.
      await expect.poll(async () => (await get('/seasons')).text, { timeout: 20_000 }).toContain(name);
    }
  } finally {
    await second.service.stop();
  }
});

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
