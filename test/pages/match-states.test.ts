import { inflateSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { moveToArchive } from '../../src/domains/matches/archive-store.ts';
import { ACCOUNTS } from '../../src/local/identity-provider/accounts.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, overflows, watchPage } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, playRound, type SocketPlayer } from '../harness/socket-player.ts';
import { type Tab, takeTab } from '../harness/tab.ts';

/** Pages and overlays of matches in all their states, with names that somebody has chosen to do harm. */

const WAIT = { timeout: 30_000 };
const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

const HOSTILE = [
  '<script>document.title="broken"</script>',
  '"><img src=x onerror=alert(1)>',
  '\u202etxet desrever\u2066',
  `${'Long'.repeat(1000)}`,
  '\u200b\u200d\u200b',
  'two\nlines',
  '👩‍👩‍👧‍👦🎮',
  '</title></bdi>{{7*7}}',
];

/** Whether the uppermost line of a PNG with four bytes a pixel is transparent: zeros, whatever the filter of the line. */
function isClear(png: Buffer): boolean {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  expect(png[25], 'the colour type').toBe(6);
  const line = inflateSync(Buffer.concat(parts)).subarray(1, 1 + 4 * png.readUInt32BE(16));
  return line.every((byte) => byte === 0);
}

describe.skipIf(executable === null)(`a match in a browser${needed}`, () => {
  let service: TestService;
  let queueGuid: string;
  let browser: Browser;
  let tab: Tab;
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watchPage>;

  beforeAll(async () => {
    service = await startTestService();
    let poolGuid: string;
    ({ queueGuid, poolGuid } = await service.openQueue());
    const { prisma } = service.database;
    const maps = await prisma.poolMap.findMany({ where: { poolGuid }, select: { mapGuid: true } });
    for (const [index, { mapGuid }] of maps.entries())
      await prisma.poolMap.update({
        where: { mapGuid },
        data: { name: HOSTILE[index % HOSTILE.length] ?? '' },
      });
    await prisma.queue.update({ where: { queueGuid }, data: { name: HOSTILE[0] ?? '' } });
    await prisma.pool.update({ where: { poolGuid }, data: { name: HOSTILE[2] ?? '' } });
    browser = await openChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  beforeEach(async () => {
    tab = await takeTab(browser);
    ({ context, page } = tab);
    page.setDefaultTimeout(WAIT.timeout);
    seen = watchPage(page, service.url);
    page.on('dialog', (dialog) => {
      seen.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  afterEach(async () => {
    await tab.close();
    expect(seen).toEqual({ complaints: [], elsewhere: [] });
  });
  const visit = (matchGuid: string) => page.goto(`${service.url}/match/${matchGuid}`);
  const overlay = (matchGuid: string, query = '') => page.goto(`${service.url}/overlay/${matchGuid}${query}`);
  const proofOf = (state: string) => page.waitForSelector(`[data-proof="${state}"]`);
  const pair = async (a: string, b: string): Promise<[SocketPlayer, SocketPlayer, string]> => {
    const [one, two] = [await service.connect(a), await service.connect(b)];
    return [one, two, await meet(one, two, queueGuid)];
  };

  test('names no player before both have joined', async () => {
    const [ida, jan] = [await service.connect('Ida'), await service.connect('Jan')];
    await ida.do('joinQueue', { queueGuid });
    await jan.do('joinQueue', { queueGuid });
    const [{ matchGuid }] = await Promise.all([ida.status('waiting_players'), jan.status('waiting_players')]);
    await visit(matchGuid);
    await expect.poll(() => page.textContent('h1')).toBe('A match that is about to begin');
    await expect.poll(() => page.textContent('.status')).toBe('Waiting for both players to join');
    expect(await page.content()).not.toMatch(/Ida|Jan/);
    await overlay(matchGuid);
    expect(await page.content()).not.toMatch(/Ida|Jan/);
    await Promise.all([ida, jan].map((one) => one.do('joinMatch', { matchGuid })));
    await partWays(ida, jan, matchGuid);
  });

  test('without a contest is shown and proved', async () => {
    const [kim, leo, matchGuid] = await pair('Kim', 'Leo');
    await partWays(kim, leo, matchGuid);
    await visit(matchGuid);
    await proofOf('ok');
    await expect
      .poll(() => page.textContent('.outcome'))
      .toBe('No contest: a player left before the first pick.');
    await expect.poll(() => page.textContent('main')).toContain('No round has been played.');
  });

  test('shows what staff decided, also when it is in the archive, and is proved', async () => {
    const [mia, nils, matchGuid] = await pair('Mia', 'Nils');
    for (const player of [mia, nils]) await player.do('discardMaps', { matchGuid, cardGuids: [] });
    await playRound(mia, nils, 0.9, 0.5);
    const { playerGuid } = nils.match.you.player;
    const decided = { outcome: 'win', winnerGuid: playerGuid, reason: 'A test.' };
    await service.request('admin', 'POST', `/matches/${matchGuid}/result`, decided);
    await visit(matchGuid);
    await proofOf('ok');
    await expect.poll(() => page.textContent('.outcome')).toBe('Nils wins: decided by staff.');

    await service.request('admin', 'POST', `/matches/${matchGuid}/undo`, { reason: 'A test.' });
    await moveToArchive(service.database, { endedBefore: Date.now() + 1000, most: 50 });
    await visit(matchGuid);
    await proofOf('ok');
    await expect.poll(() => page.textContent('.outcome')).toMatch(/^No contest: decided by staff/);
    await expect.poll(() => page.textContent('.lines')).toContain('Staff undo the result.');
  });

  test('shows hostile names as text of limited length', async () => {
    for (let at = 0; at < HOSTILE.length; at += 2) {
      const [one, two, matchGuid] = await pair(`H${at}`, `H${at + 1}`);
      // The sign-in takes most of this away. Stored names may be older than that.
      for (const [index, player] of [one, two].entries())
        await service.database.prisma.player.update({
          where: { playerGuid: player.match.you.player.playerGuid },
          data: { username: HOSTILE[at + index] ?? '' },
        });
      for (const player of [one, two]) await player.do('discardMaps', { matchGuid, cardGuids: [] });
      await playRound(one, two, 0.9, 0.5);
      await one.status('awaiting_pick');
      await partWays(one, two, matchGuid);

      await page.setViewportSize({ width: 360, height: 740 });
      const answer = await visit(matchGuid);
      await proofOf('ok');
      expect(await overflows(page)).toBe(false);
      if (at === 0) expect(await axeFindings(context, page)).toEqual([]);
      const title = await page.title();
      expect(title.length).toBeLessThan(100);
      expect(title).not.toMatch(/broken|[\n\u202e\u2066\u200b]/);
      const html = (await answer?.text()) ?? '';
      expect(html).not.toMatch(/<script>|<img src=x|[\u202e\u2066]/);
      expect(await page.textContent('main')).not.toMatch(/[\u202e\u2066]/);
      expect(await page.locator('img:not(.cover), main script').count()).toBe(0);

      await page.setViewportSize({ width: 1920, height: 1080 });
      await overlay(matchGuid, '?layout=full');
      expect(await overflows(page)).toBe(false);
      expect(await page.title()).toBe(title);
    }
  });

  test('is a transparent overlay of one size in two layouts', async () => {
    const [olga, per, matchGuid] = await pair('Olga', 'Per');
    for (const player of [olga, per]) await player.do('discardMaps', { matchGuid, cardGuids: [] });
    await playRound(olga, per, 0.9, 0.5);
    await olga.status('awaiting_pick');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const [query, rounds] of [
      ['', 0],
      ['?layout=nonsense', 0],
      ['?layout=bar', 0],
      ['?layout=full', 1],
    ] as const) {
      await overlay(matchGuid, query);
      await expect.poll(() => page.locator('.overlay-rounds li').count()).toBe(rounds);
      expect(await page.getAttribute('#overlay', 'data-layout')).toBe(rounds === 0 ? 'bar' : 'full');
      // The first two are the bar.
      if (!/bar|full/.test(query)) continue;
      expect(await page.locator('header, footer').count()).toBe(0);
      expect(await page.locator('.overlay').boundingBox()).toEqual({ x: 0, y: 0, width: 1920, height: 1080 });
      const grounds = await page.evaluate(() =>
        ['html', 'body', 'main', '.overlay'].map((name) => {
          const element = document.querySelector(name);
          return element && getComputedStyle(element).backgroundColor;
        }),
      );
      expect(grounds).toEqual(Array(4).fill('rgba(0, 0, 0, 0)'));
      // Also where the browser's own ground would be dark.
      expect(isClear(await page.screenshot({ omitBackground: true }))).toBe(true);
      await expect.poll(() => page.textContent('.overlay-bar')).toMatch(/Olga|Per/);
      expect(await axeFindings(context, page)).toEqual([]);
    }
    await partWays(olga, per, matchGuid);
  });

  test('can still be proved when one of its players was erased', async () => {
    const [rita, sven, matchGuid] = await pair('Rita', 'Sven');
    await partWays(rita, sven, matchGuid);
    const { playerGuid } = rita.match.you.player;
    const erased = await service.request('admin', 'POST', `/players/${playerGuid}/erase`, {
      confirm: playerGuid,
    });
    expect(erased.status).toBe(200);
    await visit(matchGuid);
    await proofOf('ok');
    await expect.poll(() => page.textContent('h1')).toMatch(/Erased player/);
    expect(await page.content()).not.toContain('Rita');
  });

  test('offers its players to report each other', async () => {
    const { platformId, username } = ACCOUNTS['player-one'];
    const token = await service.identityProvider.gameToken({ platformId, username });
    const [uma, own] = [await service.connect('Uma'), await service.connect('player-one', { token })];
    const matchGuid = await meet(uma, own, queueGuid);
    await partWays(uma, own, matchGuid);
    await visit(matchGuid);
    await proofOf('ok');
    expect(await page.locator('#report form').count()).toBe(0);

    const here = `${service.url}/match/${matchGuid}`;
    await page.goto(`${service.url}/auth/login?returnTo=${encodeURIComponent(here)}`);
    await page.click('button[value="player-one"]');
    await page.waitForURL(here);
    seen.elsewhere.length = 0;
    await page.waitForSelector('#report h2:text("Report Uma")');
    expect(await axeFindings(context, page)).toEqual([]);
    await page.selectOption('#report select', 'stalling');
    await page.fill('#report input', 'Waited for every limit.');
    await page.route('**/reports', (route) => route.abort());
    await page.click('#report button');
    await page.waitForSelector('#report .warning');
    await page.unroute('**/reports');
    await page.press('#report button:focus', 'Enter');
    await page.waitForSelector('#report [role="status"]:text("Your report was filed")');
    await page.waitForSelector('#report h2:focus');
    const { body } = await service.request('admin', 'GET', '/reports');
    expect(body.items[0]).toMatchObject({
      matchGuid,
      playerGuid: uma.match.you.player.playerGuid,
      reason: 'stalling',
      comment: 'Waited for every limit.',
    });

    await page.reload();
    await page.click('#report button');
    await page.waitForSelector('#report [role="status"]:text("the report is open")');
  });

  test('that does not exist has a page with status 404', async () => {
    for (const path of [`match/${newGuid()}`, 'match/nonsense', `overlay/${newGuid()}`, 'overlay/nonsense']) {
      const answer = await page.goto(`${service.url}/${path}`);
      expect([path, answer?.status(), await page.textContent('h1')]).toEqual([path, 404, 'Nothing here']);
    }
  });
});
