import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const GUID = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';

test('the matches of an unknown player are not found', async () => {
  const answer = await service.request(null, 'GET', `/players/${GUID}/matches`);
  expect([answer.status, answer.body.error.code]).toEqual([404, 'PLAYER_NOT_FOUND']);
});

test('a player without matches has an empty list', async () => {
  const anna = await service.connect('Anna');
  const { player } = await anna.do('hello');
  const answer = await service.request(null, 'GET', `/players/${player.playerGuid}/matches`);
  expect(answer.body).toEqual({ items: [], nextCursor: null });
  anna.leave();
});

describe('the list of matches', () => {
  const DAY = 24 * 3_600_000;
  const FIRST = Date.parse('2026-03-01T12:00:00.000Z');
  const timeOf = (day: number) => new Date(FIRST + day * DAY).toISOString();
  let queueGuid: string;
  let seasonGuid: string;
  let red: string;
  const OTHER_QUEUE = newGuid();
  const OTHER_SEASON = newGuid();
  const OTHER_PLAYER = newGuid();

  interface Row {
    day: number;
    isRunning?: boolean;
    isWaiting?: boolean;
    isElsewhere?: boolean;
    isLater?: boolean;
    /** The players sit in each other's seats. */
    isSwapped?: boolean;
    /** It starts with the match of the day before. */
    isTied?: boolean;
  }
  /** Copies of a match that was really played, one for each day. */
  const rows: Row[] = [
    { day: 0 },
    { day: 1, isElsewhere: true },
    { day: 2, isLater: true, isSwapped: true },
    { day: 3, isRunning: true },
    { day: 4, isRunning: true, isElsewhere: true, isLater: true },
    { day: 5, isRunning: true, isWaiting: true },
    { day: 6 },
    { day: 7, isSwapped: true, isTied: true },
  ];
  const guids: string[] = rows.map(() => newGuid());

  beforeAll(async () => {
    ({ queueGuid, seasonGuid } = await service.openQueue());
    const [anna, bert] = [await service.connect('Clara'), await service.connect('Dora')];
    const matchGuid = await meet(anna, bert, queueGuid);
    await anna.do('forfeit', { matchGuid });
    for (const one of [anna, bert]) one.leave();
    const { prisma } = service.database;
    red = (await prisma.match.findUniqueOrThrow({ where: { matchGuid } })).redGuid;
    for (const [
      index,
      { day, isRunning, isWaiting, isElsewhere, isLater, isSwapped, isTied },
    ] of rows.entries()) {
      const { replaysCheckedAt: _, ...row } = await prisma.match.findUniqueOrThrow({ where: { matchGuid } });
      const guid = guids[index] as string;
      await prisma.match.create({
        data: {
          ...(row as typeof row & { versions: object; ratings: object }),
          state: { ...(row.state as object), matchGuid: guid },
          matchGuid: guid,
          queueGuid: isElsewhere ? OTHER_QUEUE : queueGuid,
          seasonGuid: isLater ? OTHER_SEASON : seasonGuid,
          redGuid: isElsewhere ? OTHER_PLAYER : isSwapped ? row.blueGuid : red,
          blueGuid: isSwapped ? red : row.blueGuid,
          status: isWaiting ? 'waiting_players' : isRunning ? 'playing' : 'completed',
          startedAt: new Date(timeOf(isTied ? day - 1 : day)),
          endedAt: isRunning ? null : new Date(FIRST + (day + 0.5) * DAY),
        },
      });
    }
  });

  /** The days of the matches found, in order, over pages of two. */
  const daysOf = async (query: string): Promise<number[]> => {
    const days: number[] = [];
    let cursor: string | null = null;
    do {
      const page: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { status, body } = await service.request(null, 'GET', `/matches?limit=2&${query}${page}`);
      expect([query, status]).toEqual([query, 200]);
      for (const { matchGuid } of body.items)
        if (guids.includes(matchGuid)) days.push(guids.indexOf(matchGuid));
      cursor = body.nextCursor;
    } while (cursor !== null);
    return days;
  };

  test('is newest first, and has filters for status, queue, time and player', async () => {
    const expected: [string, (row: Row) => boolean][] = [
      ['', () => true],
      ['state=running', ({ isRunning }) => isRunning === true],
      ['state=ended', ({ isRunning }) => !isRunning],
      ['status=playing', ({ isRunning, isWaiting }) => isRunning === true && !isWaiting],
      [`queueGuid=${queueGuid}`, ({ isElsewhere }) => !isElsewhere],
      [`queueGuid=${OTHER_QUEUE}`, ({ isElsewhere }) => isElsewhere === true],
      [`seasonGuid=${OTHER_SEASON}`, ({ isLater }) => isLater === true],
      // A search for a player does not show a match that waits for its players.
      [`playerGuid=${red}`, ({ isElsewhere, isWaiting }) => !isElsewhere && !isWaiting],
      [`playerGuid=${red}&state=running`, ({ day }) => day === 3],
      [`since=${timeOf(2)}`, ({ day }) => day >= 2],
      [`until=${timeOf(2)}`, ({ day }) => day < 2],
      [`since=${timeOf(1)}&until=${timeOf(4)}`, ({ day }) => day >= 1 && day < 4],
      [`since=${timeOf(3)}&until=${timeOf(3)}`, () => false],
      ['since=2026-03-03T14:00:00%2B02:00&until=2026-03-03T13:00:00Z', ({ day }) => day === 2],
      [
        `state=ended&queueGuid=${queueGuid}&seasonGuid=${seasonGuid}&since=${timeOf(1)}`,
        ({ day }) => day >= 6,
      ],
      ...['queueGuid', 'seasonGuid', 'playerGuid'].map((name): [string, () => boolean] => [
        `${name}=${newGuid()}`,
        () => false,
      ]),
    ];
    for (const [query, isFound] of expected) {
      const days = rows.filter(isFound).map(({ day }) => day);
      expect([query, ...(await daysOf(query))]).toEqual([query, ...days.reverse()]);
    }
  });

  test.each([
    'state=paused',
    'state=',
    'state=running&state=ended',
    'state=running&status=playing',
    'queueGuid=x',
    'seasonGuid=',
    'playerGuid=1',
    'since=yesterday',
    'since=2026-03-01',
    'until=2026-02-30T00:00:00Z',
    'until=',
    'before=2026-03-01T00:00:00Z',
  ])('refuses %s', async (query) => {
    const { status, body } = await service.request(null, 'GET', `/matches?${query}`);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});

test('a text filter is trimmed, and an empty one is ignored', async () => {
  const find = async (query: string) => (await service.request(null, 'GET', `/players?${query}`)).body.items;
  const all = await find('');
  expect(all.length).toBeGreaterThan(1);
  for (const query of ['query=', 'query=%20%20', 'query=%09']) expect(await find(query)).toEqual(all);
  expect(await find('query=%20Clara%20')).toEqual(await find('query=clara'));
  expect(await find('query=clara')).toHaveLength(1);
  const log = (query: string) => service.request('admin', 'GET', `/audit-log?${query}`);
  expect((await log('target=%20&action=')).body).toEqual((await log('')).body);
});

test('every filter of a list by a guid finds nothing for an unknown one, and refuses a malformed one', async () => {
  const { queueGuid, poolGuid, seasonGuid } = await service.openQueue({ maps: 10 });
  const [{ playerGuid }] = (await service.request(null, 'GET', '/players')).body.items;
  const known: Record<string, string> = { queueGuid, poolGuid, seasonGuid, playerGuid };
  const { paths } = (await service.request(null, 'GET', '/openapi.json')).body;
  const filters: string[] = [];
  for (const [path, { get }] of Object.entries<any>(paths)) {
    const names = (get?.parameters ?? []).filter((one: any) => one.in === 'query');
    const isList = names.some(({ name }: any) => name === 'cursor');
    // A ladder is named by its queue and season.
    if (!isList || path === '/leaderboards/{queueGuid}') continue;
    const address = path.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => known[name] ?? '');
    for (const { name, schema } of names.filter(({ schema }: any) => schema.format === 'uuid')) {
      filters.push(`${path} ${name} ${schema.format}`);
      const found = await service.request('admin', 'GET', `${address}?${name}=${newGuid()}`);
      expect([path, name, found.status, found.body]).toEqual([
        path,
        name,
        200,
        { items: [], nextCursor: null },
      ]);
      const refused = await service.request('admin', 'GET', `${address}?${name}=x`);
      expect([path, name, refused.status]).toEqual([path, name, 400]);
    }
  }
  expect(filters.length).toBeGreaterThan(10);
});
