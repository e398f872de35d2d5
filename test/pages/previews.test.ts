import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PublicMatch } from '../../src/domains/matches/index.ts';
import { createDrawing } from '../../src/pages/previews/drawing.ts';
import { matchPreview } from '../../src/pages/previews/match.ts';
import { poolPreview } from '../../src/pages/previews/pool.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays } from '../harness/socket-player.ts';

/** Pictures for link previews. */

/** Width and height of a PNG (W3C PNG, 11.2.1). */
const sizeOf = (png: Buffer): [number, number] => [png.readUInt32BE(16), png.readUInt32BE(20)];
const svg = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><text y="40" font-size="40">${text}</text></svg>`;

describe('drawing', () => {
  test('draws each picture once, and starts two a second', async () => {
    const pauses: { milliseconds: number; end: () => void }[] = [];
    const draw = createDrawing(
      (milliseconds) => new Promise((end) => void pauses.push({ milliseconds, end })),
    );
    const first = draw(svg('a'));
    expect(draw(svg('a'))).toBe(first);
    expect(sizeOf((await first) as Buffer)).toEqual([200, 50]);
    let isDrawn = false;
    const second = draw(svg('b'))?.then(() => {
      isDrawn = true;
    });
    // Without a pause the second picture would be there before this one, which begins later.
    await createDrawing(async () => {})(svg('b'));
    expect(isDrawn).toBe(false);
    expect(pauses.map(({ milliseconds }) => milliseconds)).toEqual([500]);
    pauses[0]?.end();
    await second;
    expect(isDrawn).toBe(true);
  });

  test('refuses a picture while eight others wait', async () => {
    const draw = createDrawing(() => new Promise(() => {}));
    const drawn = Array.from({ length: 12 }, (_, index) => draw(svg(`${index}`)));
    expect(drawn.map((one) => one !== null)).toEqual([...Array(8).fill(true), ...Array(4).fill(false)]);
  });

  test('uses the font that comes with it', async () => {
    const hash = async (text: string) => {
      const png = await createDrawing(async () => {})(svg(text));
      return createHash('sha256')
        .update((png as Buffer).subarray(33))
        .digest('hex');
    };
    const [nothing, latin, other] = await Promise.all([hash(' '), hash('Aa'), hash('Bb')]);
    expect(new Set([nothing, latin, other]).size).toBe(3);
  });
});

/** A preview of a match between players of these names. */
const previewOf = (...names: [string, string]): string => {
  const players = names.map((username, index) => ({
    playerGuid: `00000000-0000-7000-8000-00000000000${index}`,
    platformId: '1',
    username,
    avatarUrl: null,
  }));
  const result = {
    outcome: 'decided',
    reason: 'health',
    winnerGuid: players[0]?.playerGuid,
    ratings: [],
  } as const;
  return matchPreview({ players, result, queueName: 'Q & A' } as unknown as PublicMatch);
};

test('names are text of limited length', () => {
  const drawn = previewOf('</text><script>alert(1)</script>', `\u202e${'Long'.repeat(1000)}`);
  expect(drawn).not.toMatch(/<script|\u202e|LongLongLongLongLong/);
  expect(drawn).toContain('Q &amp; A');
  const pool = poolPreview({
    name: '</text><script>alert(1)</script>',
    seasonName: `\u202e${'Long'.repeat(1000)}`,
    categories: [{ categoryGuid: 'a', name: 'A', color: '"/><script>' }],
    maps: [{ categoryGuid: 'a' }, { categoryGuid: 'a' }],
  });
  expect(pool).not.toMatch(/<script|\u202e|(Long){15}/);
  expect(pool).toContain('2 maps');
});

test('characters that the font does not have are dots', () => {
  const drawn = previewOf('山田 Zoë ★ Ωμέγα', '😀 Жанна x̂');
  expect(drawn).toContain('·· Zoë ★ Ωμέγα');
  expect(drawn).toContain('· Жанна x̂');
});

// XML 1.0, 2.2: no other characters are refused.
test.each(['\u0001', '\u001f', '\ud800', '\udfff', '\ufffe', '\uffff'])(
  'names with what is no character of XML are drawn: %j',
  async (character) => {
    const png = await createDrawing(async () => {})(previewOf(`A${character}b`, `${character}`));
    expect(sizeOf(png as Buffer)).toEqual([1200, 630]);
  },
);

describe('the picture of a match and of a pool', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service?.stop());

  test('is drawn once the match has ended, and named by the page of the match', async () => {
    const { queueGuid } = await service.openQueue();
    const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    const address = `${service.url}/match/${matchGuid}/preview.png`;
    const read = async () => {
      const answer = await fetch(address);
      const { status, headers } = answer;
      return {
        status,
        type: headers.get('content-type'),
        caching: headers.get('cache-control'),
        png: Buffer.from(await answer.arrayBuffer()),
      };
    };
    const plain = Buffer.from(await (await fetch(`${service.url}/preview.png`)).arrayBuffer());
    expect(await read()).toEqual({
      status: 200,
      type: 'image/png',
      caching: 'public, max-age=60',
      png: plain,
    });
    await partWays(anna, bert, matchGuid);
    const ended = await read();
    expect([ended.status, ended.caching, sizeOf(ended.png)]).toEqual([
      200,
      'public, max-age=3600',
      [1200, 630],
    ]);
    expect(ended.png.equals(plain)).toBe(false);
    const page = await (
      await fetch(`${service.url}/match/${matchGuid}`, { headers: { accept: 'text/html' } })
    ).text();
    expect(page).toContain(`<meta property="og:image" content="${address}"`);
    expect((await fetch(`${service.url}/match/nonsense/preview.png`)).status).toBe(404);
  });

  test('is drawn of a published pool, and named by the page of the pool', async () => {
    const { poolGuid, seasonGuid } = await service.openQueue();
    const address = `${service.url}/pool/${poolGuid}/preview.png`;
    const answer = await fetch(address);
    const png = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get('content-type'), sizeOf(png)]).toEqual([
      200,
      'image/png',
      [1200, 630],
    ]);
    expect(png.equals(Buffer.from(await (await fetch(`${service.url}/preview.png`)).arrayBuffer()))).toBe(
      false,
    );
    const unchanged = await fetch(address, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(unchanged.status).toBe(304);
    const page = await fetch(`${service.url}/pool/${poolGuid}`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain(`<meta property="og:image" content="${address}"`);
    const draft = await service.request('admin', 'POST', '/pools', { name: 'A draft', seasonGuid });
    expect(draft.status).toBe(201);
    for (const guid of ['nonsense', draft.body.poolGuid])
      expect((await fetch(`${service.url}/pool/${guid}/preview.png`)).status).toBe(404);
  });
});
