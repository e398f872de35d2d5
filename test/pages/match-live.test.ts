import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, focused, overflows, watchPage } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { partWays, playRound, type SocketPlayer, toPlaying } from '../harness/socket-player.ts';
import { type Tab, takeTab } from '../harness/tab.ts';

/** Matches that are followed in a real browser while they are played. */

const WAIT = { timeout: 30_000 };
const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

describe.skipIf(executable === null)(`a match that is followed${needed}`, () => {
  let service: TestService;
  let queueGuid: string;
  let browser: Browser;
  let tab: Tab;
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watchPage>;

  beforeAll(async () => {
    service = await startTestService({ environment: { COUNTDOWN_SECONDS: '1' } });
    ({ queueGuid } = await service.openQueue());
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
  });
  afterEach(async () => {
    await tab.close();
    expect(seen).toEqual({ complaints: [], elsewhere: [] });
  });
  const shows = (selector: string, text: string | RegExp) =>
    expect.poll(() => page.textContent(selector), WAIT).toMatch(text);
  const paired = async (a: string, b: string): Promise<[SocketPlayer, SocketPlayer, string]> => {
    const [one, two] = [await service.connect(a), await service.connect(b)];
    for (const player of [one, two]) await player.do('joinQueue', { queueGuid });
    const [{ matchGuid }] = await Promise.all([one, two].map((player) => player.status('waiting_players')));
    return [one, two, matchGuid];
  };
  const join = (players: readonly SocketPlayer[], matchGuid: string) =>
    Promise.all(players.map((player) => player.do('joinMatch', { matchGuid })));
  const keepHands = (players: readonly SocketPlayer[], matchGuid: string) =>
    Promise.all(players.map((player) => player.do('discardMaps', { matchGuid, cardGuids: [] })));
  const nameOf = (player: SocketPlayer): string => player.match.you.player.username;

  test('is shown from pairing to proof', async () => {
    const [anna, bert, matchGuid] = await paired('Anna', 'Bert');
    await page.goto(`${service.url}/match/${matchGuid}`);
    await page.waitForSelector('[data-connection="live"]');
    await expect.poll(() => page.textContent('main')).not.toMatch(/Anna|Bert/);
    expect(await page.title()).toBe('A match that is about to begin');

    /** What a screen reader is told. */
    const said = '[data-announced][role="status"]';
    await shows(said, 'Waiting for both players to join');

    await join([anna, bert], matchGuid);
    await shows('h1', /^(Anna against Bert|Bert against Anna)$/);
    await expect.poll(() => page.title()).toBe(await page.textContent('h1'));
    await shows('.status', 'Both may exchange cards of their hand');
    await expect.poll(() => page.locator('.hand .card').count()).toBe(10);
    await anna.do('discardMaps', { matchGuid, cardGuids: [] });
    await shows('.notes', 'has chosen the hand');
    await bert.do('discardMaps', { matchGuid, cardGuids: [] });
    await Promise.all([anna, bert].map((player) => player.status('awaiting_pick')));
    const [picker, waiter] =
      anna.match.pickerGuid === anna.match.you.player.playerGuid ? [anna, bert] : [bert, anna];
    await shows('.status', `${nameOf(picker)} picks the next map`);
    expect(await page.textContent(said)).toBe(await page.textContent('.status'));
    // By the server's time, and in minutes and seconds.
    await shows('.countdown', /^Time left: 0:[34]\d$/);

    await picker.do('selectMap', { matchGuid, cardGuid: picker.match.you.hand[0].cardGuid });
    const { roundNumber, currentMap } = await waiter.status('preparing');
    await shows('.phase .map-name', currentMap.name.trim().slice(0, 10));
    expect(await page.locator('.phase .cover').boundingBox()).toMatchObject({ width: 96, height: 96 });
    await expect.poll(() => page.locator('.hand .card').count()).toBe(9);
    await picker.do('setReady', { matchGuid, roundNumber, state: 'downloading', progress: 0.5 });
    await shows('.notes', 'downloads the map');
    // The countdown is shown for a second, so the page itself looks for it.
    const countedDown = page.waitForFunction(() =>
      /^Starts in: 0:0[01]$/.test(document.querySelector('.countdown')?.textContent ?? ''),
    );
    for (const player of [picker, waiter])
      await player.do('setReady', { matchGuid, roundNumber, state: 'ready' });
    await countedDown;
    await shows('.status', 'The map is played');
    const maxScore = currentMap.maxScore;
    const score = { missCount: 1, badCutCount: 0, fullCombo: false, noFailTriggered: false, failed: false };
    const scored = (share: number) => {
      const rawScore = Math.floor(maxScore * share);
      return { matchGuid, roundNumber, rawScore, modifiedScore: rawScore, ...score };
    };
    await anna.do('submitScore', scored(0.9));
    await shows('.notes', 'has finished the map');
    expect(await page.content()).not.toContain('90.00 %');
    await bert.do('submitScore', scored(0.6));
    await shows('.rounds', /Anna wins the round: (29\.99|30\.00|30\.01) % damage/);
    await expect
      .poll(() => page.locator('.health svg').evaluateAll((bars) => bars.map((bar) => bar.ariaLabel)), WAIT)
      .toContain('Health 100.00 %');

    // A lost connection of a player.
    await Promise.all([anna, bert].map((player) => player.status('awaiting_pick')));
    bert.drop();
    await shows('.notes', 'connection lost');
    const back = await service.connect('Bert');
    await expect.poll(() => page.locator('.notes').count(), WAIT).toBe(0);
    back.updates.push({ match: (await back.do('getMatchState', { matchGuid })).match });

    for (let round = 2; round <= 3; round++) await playRound(anna, back, 0.9, 0.6);
    await page.waitForSelector('[data-proof="ok"]');
    await shows('.outcome', 'Anna wins: no health was left.');
    expect(await page.textContent(said)).toBe('Anna wins: no health was left.');
    await expect.poll(() => page.locator('.rounds > li').count()).toBe(3);
    expect(await axeFindings(context, page)).toEqual([]);
  });

  test('is reported as broken when its seed differs from the promised one', async () => {
    const [cara, dirk, matchGuid] = await paired('Cara', 'Dirk');
    await join([cara, dirk], matchGuid);
    // The seed that is shown in the end is not the one that was promised while the match ran.
    await page.route(`**/matches/${matchGuid}`, async (route) => {
      const match = await (await route.fetch()).json();
      if (match.endedAt === null) match.seedHash = '00'.repeat(32);
      await route.fulfill({ json: match });
    });
    await page.goto(`${service.url}/match/${matchGuid}`);
    await page.waitForSelector('[data-connection="live"]');
    await partWays(cara, dirk, matchGuid);
    await page.waitForSelector('[data-proof="broken"]');
    await expect
      .poll(() => page.locator('.fails').allTextContents())
      .toEqual([expect.stringContaining('The seed is the one that was promised')]);
  });

  test('is accessible while it runs, and not too wide', async () => {
    const [emil, fred, matchGuid] = await paired('Emil', 'Fred');
    await join([emil, fred], matchGuid);
    await keepHands([emil, fred], matchGuid);
    await playRound(emil, fred, 0.8, 0.7);
    await Promise.all([emil, fred].map((player) => player.status('awaiting_pick')));
    const [picker, waiter] =
      emil.match.pickerGuid === emil.match.you.player.playerGuid ? [emil, fred] : [fred, emil];
    await toPlaying(picker, waiter, matchGuid);
    await page.goto(`${service.url}/match/${matchGuid}`);
    await page.waitForSelector('[data-connection="live"]');
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [360, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect(await axeFindings(context, page)).toEqual([]);
      expect(await overflows(page)).toBe(false);
    }
    await partWays(emil, fred, matchGuid);
  });

  test('says since when it is out of date, and recovers by itself', async () => {
    const [gina, hans, matchGuid] = await paired('Gina', 'Hans');
    await join([gina, hans], matchGuid);
    await page.goto(`${service.url}/match/${matchGuid}`);
    await page.waitForSelector('[data-connection="live"]');
    await context.setOffline(true);
    await page.waitForSelector('[data-connection="old"]');
    await expect
      .poll(() => page.textContent('[data-connection]'))
      .toMatch(/^The connection is lost: this is old since \d/);
    await keepHands([gina, hans], matchGuid);
    await context.setOffline(false);
    await page.waitForSelector('[data-connection="live"]');
    await shows('.status', 'picks the next map');
    await partWays(gina, hans, matchGuid);
  });

  test('keeps the place in its story when two tabs have seen the end and one is shown again', async () => {
    const [kim, lea, matchGuid] = await paired('Kim', 'Lea');
    await join([kim, lea], matchGuid);
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await tab.goto(`${service.url}/match/${matchGuid}`);
      await tab.waitForSelector('[data-connection="live"]');
    }
    await partWays(kim, lea, matchGuid);
    for (const tab of [page, other]) await tab.waitForSelector('[data-proof="ok"]');
    await page.fill('#version', '1');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    // The other tab answers it that the match is over.
    await page.evaluate(async (name) => {
      const answered = new Promise((resolve) => {
        new BroadcastChannel(name).addEventListener('message', ({ data }) => data !== 'ask' && resolve(data));
      });
      for (const type of ['pagehide', 'pageshow']) dispatchEvent(new PageTransitionEvent(type));
      await answered;
    }, `follow match ${service.url}/matches/${matchGuid}/events`);
    await expect.poll(() => page.inputValue('#version')).toBe('1');
    expect(asked).toEqual([]);
  });

  test('changes the overlay of a broadcast', async () => {
    const [ida, jan, matchGuid] = await paired('Ida', 'Jan');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.goto(`${service.url}/overlay/${matchGuid}?layout=full`);
    await shows('.overlay-middle', 'Waiting for both players to join');
    await join([ida, jan], matchGuid);
    await shows('.overlay-bar', /Ida/);
    await keepHands([ida, jan], matchGuid);
    await shows('.overlay-clock', /^0:[34]\d$/);
    await playRound(ida, jan, 0.9, 0.6);
    await shows('.overlay-rounds', /Ida wins the round/);
    await partWays(ida, jan, matchGuid);
    await shows('.overlay-middle', 'Jan wins: the other gave up.');
  });

  test('keeps clock, warning and ends of sentences in the overlay, however long the names are', async () => {
    const { prisma } = service.database;
    const { queueGuid: ofLongNames, poolGuid } = await service.openQueue();
    await prisma.poolMap.updateMany({
      where: { poolGuid },
      data: { name: 'Where the Wild Things '.repeat(8) },
    });
    const [uma, vic] = [await service.connect('Uma'), await service.connect('Vic')];
    for (const player of [uma, vic]) await player.do('joinQueue', { queueGuid: ofLongNames });
    const [{ matchGuid }] = await Promise.all([uma, vic].map((player) => player.status('waiting_players')));
    await prisma.player.updateMany({
      where: { username: { in: ['Uma', 'Vic'] } },
      data: { username: 'W'.repeat(64) },
    });
    await join([uma, vic], matchGuid);
    await keepHands([uma, vic], matchGuid);
    await playRound(uma, vic, 0.9, 0.6);
    await Promise.all([uma, vic].map((player) => player.status('awaiting_pick')));
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.goto(`${service.url}/overlay/${matchGuid}?layout=full`);
    /** What does not fit into its box. */
    const cut = (selectors: string) =>
      page.$$eval(selectors, (boxes) =>
        boxes
          .filter((box) => box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth)
          .map(({ className, textContent }) => ({ className, textContent })),
      );
    const sentences = '.overlay-middle, .overlay-middle > p, .overlay-outcome';
    await page.waitForSelector('.overlay-clock');
    await shows('.overlay-middle', /^W+… picks the next map/);
    await shows('.overlay-outcome', /^W+… wins the round: .* damage\.$/);
    expect(await cut(sentences)).toEqual([]);

    const [picker, waiter] =
      uma.match.pickerGuid === uma.match.you.player.playerGuid ? [uma, vic] : [vic, uma];
    await picker.do('selectMap', { matchGuid, cardGuid: picker.match.you.hand[0].cardGuid });
    await waiter.status('preparing');
    await shows('.overlay-middle', 'Where the Wild Things');
    expect(await cut('.overlay-middle')).toEqual([]);
    await context.setOffline(true);
    await page.waitForSelector('.overlay-old');
    expect(await page.locator('.overlay-clock').count()).toBe(1);
    expect(await cut('.overlay-middle')).toEqual([]);

    await context.setOffline(false);
    await vic.do('forfeit', { matchGuid });
    await shows('.overlay-middle', /wins: the other gave up\.$/);
    expect(await cut(sentences)).toEqual([]);
  });

  test('is on the home page from its beginning to its end, as are queues and their waiting players', async () => {
    await page.goto(service.url);
    await page.waitForSelector('[data-connection="live"]');
    await shows('#now .panels', '0 players wait, 0 players play');
    const nina = await service.connect('Nina');
    await nina.do('joinQueue', { queueGuid });
    await shows('#now .panels', '1 player waits');
    const olaf = await service.connect('Olaf');
    await olaf.do('joinQueue', { queueGuid });
    const [{ matchGuid }] = await Promise.all([nina, olaf].map((player) => player.status('waiting_players')));
    await expect.poll(() => page.textContent('#now')).not.toMatch(/Nina|Olaf/);
    await join([nina, olaf], matchGuid);
    await shows('#now .matches', 'Nina');
    await shows('#now .panels', '2 players play');
    expect(await axeFindings(context, page)).toEqual([]);
    await service.request('admin', 'PATCH', `/queues/${queueGuid}`, { name: 'Renamed' });
    await shows('#now .panels', 'Renamed');

    await page.click(`#now a[href="match/${matchGuid}"]`);
    await page.waitForSelector('[data-connection="live"]');
    await page.goBack();
    await page.focus(`#now a[href="match/${matchGuid}"]`);
    await partWays(nina, olaf, matchGuid);
    await shows('#now', 'Nobody plays at the moment');
    expect(await focused(page)).toBe('Running matches');
    await page.waitForSelector('[data-connection="live"]');
  });
});
