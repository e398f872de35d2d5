import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, overflows, RULES_OF_COLOURS, watchPage } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, playRound } from '../harness/socket-player.ts';
import { type Tab, takeTab } from '../harness/tab.ts';

/** The page of a match in a real browser. */

const WAIT = { timeout: 30_000 };
const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

describe.skipIf(executable === null)(`the page of a match${needed}`, () => {
  let service: TestService;
  let queueGuid: string;
  let browser: Browser;
  let tab: Tab;
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watchPage>;
  /** A match played to its end. */
  let ended: string;

  beforeAll(async () => {
    service = await startTestService();
    ({ queueGuid } = await service.openQueue());
    browser = await openChromium(executable ?? '');
    const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    ended = await meet(anna, bert, queueGuid);
    const cards = anna.match.you.hand.slice(0, 2).map(({ cardGuid }: { cardGuid: string }) => cardGuid);
    await anna.do('discardMaps', { matchGuid: ended, cardGuids: cards });
    await bert.do('discardMaps', { matchGuid: ended, cardGuids: [] });
    for (let round = 1; round <= 3; round++) await playRound(anna, bert, 0.9, 0.6);
    await anna.status('completed');
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
  });
  afterEach(async () => {
    await tab.close();
    expect(seen).toEqual({ complaints: [], elsewhere: [] });
  });
  const visit = (matchGuid: string) => page.goto(`${service.url}/match/${matchGuid}`);

  const proofOf = (state: string) => page.waitForSelector(`[data-proof="${state}"]`);
  /** Answers the log of the match with another one. */
  const tamper = (change: (log: any) => void) =>
    page.route(`**/matches/${ended}/log`, async (route) => {
      const log = await (await route.fetch()).json();
      change(log);
      await route.fulfill({ json: log });
    });

  test('proves a match that has ended, and shows it version by version', async () => {
    const document = await visit(ended);
    expect(document?.status()).toBe(200);
    await proofOf('ok');
    await expect.poll(() => page.locator('.checks .holds').count()).toBe(8);
    await expect.poll(() => page.textContent('.outcome')).toBe('Anna wins: no health was left.');
    const slider = page.locator('#version');
    const versions = Number(await slider.getAttribute('max'));
    await expect.poll(() => page.locator('.lines li').count()).toBe(versions);
    await expect.poll(() => slider.inputValue()).toBe(String(versions));
    await expect.poll(() => page.textContent('.board')).toContain('0 %');

    // By keyboard alone.
    await slider.focus();
    await page.keyboard.press('Home');
    await expect
      .poll(() => slider.getAttribute('aria-valuetext'))
      .toBe(`Version 1 of ${versions}. The match is made and the cards are dealt.`);
    await expect.poll(() => page.locator('.hand-open li').count()).toBe(10);
    await expect.poll(() => page.textContent('.status')).toBe('Waiting for both players to join');
    for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.textContent('.shown-line')).toBe('Anna exchanges 2 cards.');
    await expect
      .poll(() => page.locator('.lines [aria-current="step"]').textContent())
      .toContain('Anna exchanges 2 cards.');
    await page.keyboard.press('End');
    await expect.poll(() => page.textContent('.shown-line')).toBe('Anna wins: no health was left.');
  });

  test('passes axe at two widths and in both themes, and nothing is too wide', async () => {
    await visit(ended);
    await proofOf('ok');
    for (const [colorScheme, rules] of [
      ['light', undefined],
      ['dark', RULES_OF_COLOURS],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await axeFindings(context, page, rules)).toEqual([]);
        expect(await overflows(page)).toBe(false);
      }
    }
    const hidden = () => page.$eval('.lines', (list) => list.scrollHeight - list.clientHeight);
    expect(await hidden()).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    expect(await hidden()).toBe(0);
  });

  test('shows everything without a script', async () => {
    const scriptless = await browser.newContext({ javaScriptEnabled: false });
    const page = await scriptless.newPage();
    const { complaints, elsewhere } = watchPage(page, service.url);
    await page.goto(`${service.url}/match/${ended}`);
    const text = (await page.textContent('main')) ?? '';
    for (const part of [
      'Anna wins: no health was left.',
      'Anna exchanges 2 cards.',
      '90.00 %',
      'Round 3 is over',
    ])
      expect(text).toContain(part);
    await expect.poll(() => page.textContent('noscript')).toContain('needs a browser with scripts');
    expect(await page.isVisible('[data-proof]')).toBe(false);
    const described = page.locator('meta[property="og:description"]');
    expect(await described.getAttribute('content')).toMatch(
      /^A match of .*: every step .* in the browser\.$/,
    );
    expect(await page.title()).toMatch(/^(Anna against Bert|Bert against Anna)/);
    await scriptless.close();
    expect([complaints, elsewhere]).toEqual([[], []]);
  });

  test('names the line of a log that the rules refuse', async () => {
    let line = 0;
    await tamper(({ events }) => {
      line = events.findIndex(({ event }: any) => event.type === 'submitScore') + 1;
      events[line - 1].event.score.rawScore = 10 ** 9;
    });
    await visit(ended);
    await proofOf('broken');
    await expect
      .poll(() => page.textContent('.fails >> nth=0'))
      .toContain(`The rules accept every line. Line ${line} (submitScore): SCORE_IMPOSSIBLE`);
    // The story ends before that line.
    await expect.poll(() => page.locator('.lines li').count()).toBe(line - 1);
    expect(await axeFindings(context, page)).toEqual([]);
  });

  test('reports a log that leads to another end than the one that is stored and shown', async () => {
    await tamper(({ events }) => {
      const { score } = events.findLast(({ event }: any) => event.type === 'submitScore').event;
      score.rawScore -= 1;
      score.modifiedScore -= 1;
    });
    await visit(ended);
    await proofOf('broken');
    const fails = await page.locator('.fails').allTextContents();
    expect(fails.map((text) => /^Does not hold: (.*?)\. /.exec(text)?.[1])).toEqual([
      'The log leads to the state that is stored',
      'The log leads to what the match shows',
    ]);
  });

  test('reports an answer that is no JSON as no log', async () => {
    await page.route(`**/matches/${ended}/log`, (route) => route.fulfill({ body: '<html>' }));
    await visit(ended);
    await proofOf('broken');
    await expect.poll(() => page.textContent('.fails')).toMatch(/It is a log\. It has no lines\./);
  });

  test('names a line of a log that is null', async () => {
    await tamper(({ events }) => (events[4] = null));
    await visit(ended);
    await proofOf('broken');
    await expect
      .poll(() => page.textContent('.proof'))
      .toContain('Line 5 (no event): It is no line of a log.');
    await expect.poll(() => page.textContent('.proof')).not.toContain('undefined');
  });

  test('reports a log whose states cannot be drawn', async () => {
    await tamper(({ events }) => {
      for (const map of events[0].event.setup.pool) map.name = 7;
    });
    await visit(ended);
    await proofOf('broken');
    expect(await page.textContent('.proof')).toContain('The match shows something else as rounds.');
  });

  test('proves nothing while the log cannot be loaded, and tries again', async () => {
    await page.route(`**/matches/${ended}/log`, (route) => route.abort());
    await visit(ended);
    await page.waitForSelector('button:text("Try again")');
    await expect.poll(() => page.getAttribute('[data-proof]', 'data-proof')).toBe('running');
    await page.unroute(`**/matches/${ended}/log`);
    await page.click('button:text("Try again")');
    await proofOf('ok');
    expect(await page.locator('.proof h2:focus').count()).toBe(1);
  });

  test('says of a log that cannot be read that it is damaged', async () => {
    await page.route(`**/matches/${ended}/log`, (route) =>
      route.fulfill({ status: 410, json: { error: { code: 'LOG_UNREADABLE' } } }),
    );
    await visit(ended);
    await proofOf('broken');
    await expect.poll(() => page.textContent('.fails')).toContain('The log can be read. It is damaged.');
    expect(await axeFindings(context, page)).toEqual([]);
  });

  test('loads at most 60 KiB of scripts and 20 KiB of styles', async () => {
    const sizes: Record<string, number> = { script: 0, stylesheet: 0 };
    const session = await context.newCDPSession(page);
    const kinds = new Map<string, string>();
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type.toLowerCase()));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId) ?? '';
      if (kind in sizes) sizes[kind] = (sizes[kind] ?? 0) + encodedDataLength;
    });
    await visit(ended);
    await proofOf('ok');
    await session.detach();
    expect(sizes.script).toBeGreaterThan(1000);
    expect(sizes.script).toBeLessThan(60 * 1024);
    expect(sizes.stylesheet).toBeLessThan(20 * 1024);
  });
});
