import { gzipSync } from 'node:zlib';
import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, overflows, RULES_OF_COLOURS } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays } from '../harness/socket-player.ts';
import { type Tab, takeTab } from '../harness/tab.ts';
import { playRound, publish } from '../replays/round.ts';
import { playScene, type Scene } from './scene.ts';

/** Every page in a real browser: with data, empty, on a phone, enlarged, in both themes, by keyboard. */

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

const PHONE = { width: 360, height: 740 };
/** A window of 1280 × 1024 at 200 %. */
const ENLARGED = { width: 640, height: 512 };
const MOST_SCRIPT = 60 * 1024;
/** The staff console is one application. */
const MOST_SCRIPT_OF_CONSOLE = 250 * 1024;
const MOST_STYLE = 20 * 1024;

describe.skipIf(executable === null)(`pages${needed}`, () => {
  let scene: Scene;
  let empty: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [scene, empty, browser] = await Promise.all([
      playScene(),
      startTestService(),
      openChromium(executable ?? ''),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.service.stop();
    await empty?.stop();
  });

  interface Opened extends Tab {
    /** Everything that went wrong, but for the question who is signed in and pictures that no host has. */
    problems: string[];
    /** Addresses that were asked for. */
    requests: string[];
    bytes: { script: number; style: number };
  }

  async function open(address: string): Promise<Opened> {
    const tab = await takeTab(browser);
    const { page } = tab;
    const problems: string[] = [];
    const requests: string[] = [];
    const bytes = { script: 0, style: 0 };
    const bodies: Promise<void>[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !/^Failed to load resource/.test(message.text()))
        problems.push(message.text());
    });
    page.on('response', (answer) => {
      requests.push(answer.url());
      const isExpected = /\/auth\/me$|\/cover$|\/nowhere$/.test(answer.url());
      if (answer.status() >= 400 && !isExpected) problems.push(`${answer.url()}: ${answer.status()}`);
      const kind = answer.request().resourceType();
      if (kind === 'script' || kind === 'stylesheet')
        bodies.push(
          answer.body().then((body) => {
            bytes[kind === 'script' ? 'script' : 'style'] += gzipSync(body).byteLength;
          }),
        );
    });
    await page.goto(address, { waitUntil: 'load' });
    await Promise.all(bodies);
    return { ...tab, problems, requests, bytes };
  }

  const PAGES = [
    'home',
    'ladder',
    'ladder around a player',
    'ladder with a search',
    'player',
    'pool',
    'me',
    'staff',
    'nothing here',
  ];
  /** Checks of every page, for any content. */
  async function examine({ page, context, problems, requests, bytes }: Opened): Promise<void> {
    const origin = new URL(page.url()).origin;
    expect(requests.filter((one) => new URL(one).origin !== origin)).toEqual([]);
    const isConsole = new URL(page.url()).pathname.startsWith('/staff');
    expect(bytes.script).toBeLessThan(isConsole ? MOST_SCRIPT_OF_CONSOLE : MOST_SCRIPT);
    expect(bytes.style).toBeGreaterThan(0);
    expect(bytes.style).toBeLessThan(MOST_STYLE);
    await expect.poll(() => page.locator('h1').count()).toBe(1);
    expect(await page.title()).not.toBe('');
    expect(await page.locator('[style]').count()).toBe(0);
    await expect.poll(() => page.locator('#sign-in').first().isVisible()).toBe(true);
    expect(await axeFindings(context, page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await axeFindings(context, page, RULES_OF_COLOURS)).toEqual([]);
    for (const viewport of [PHONE, ENLARGED]) {
      await page.setViewportSize(viewport);
      expect(await overflows(page)).toBe(false);
    }
    expect(await axeFindings(context, page, ['target-size'])).toEqual([]);
    expect(problems).toEqual([]);
  }

  test.each(PAGES)('%s: loads without errors, is small, accessible, and fits every screen', async (name) => {
    const opened = await open(`${scene.service.url}${scene.pages[name]}`);
    await examine(opened);
    await opened.close();
  });

  // The other pages that a new service has are read from nothing.
  test('home of a new service: loads without errors, is small, accessible, and fits every screen', async () => {
    const opened = await open(empty.url);
    await examine(opened);
    await opened.close();
  });

  test('link previews name the ladder that an address asks for, and nothing else of its query', async () => {
    const { service, queueGuid, seasonGuid, playerGuid } = scene;
    const ladder = `queueGuid=${queueGuid}&seasonGuid=${seasonGuid}`;
    const season = `seasonGuid=${seasonGuid}`;
    for (const [asked, named] of [
      [`/ladder/${queueGuid}?query=a`, `/ladder/${queueGuid}`],
      [`/ladder/${queueGuid}?${season}&around=${playerGuid}`, `/ladder/${queueGuid}?${season}`],
      [`/player/${playerGuid}?${ladder}&utm=1`, `/player/${playerGuid}?${ladder}`],
      [`/player/${playerGuid}?queueGuid=x`, `/player/${playerGuid}`],
    ]) {
      const answer = await fetch(`${service.url}${asked}`, { headers: { accept: 'text/html' } });
      const [, address] = /<meta property="og:url" content="([^"]*)"/.exec(await answer.text()) ?? [];
      expect(address?.replaceAll('&amp;', '&')).toBe(`${service.url}${named}`);
    }
  });

  test('the start page shows what is going on, without script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(scene.service.url);
    const text = await page.locator('main').textContent();
    for (const part of ['Season', '1 player waits', '2 players play', 'Cora', 'Dirk', 'Anna'])
      expect(text).toContain(part);
    await page.goto(empty.url);
    const nothing = await page.locator('main').textContent();
    for (const part of ['No season is running', 'No queue is open', 'Nobody plays', 'No maps are published'])
      expect(nothing).toContain(part);
    await context.close();
  });

  test('a visitor finds a match, a player and the ladder by keyboard alone', async () => {
    const { page, close } = await open(scene.service.url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.waitForURL('**#content');
    const tabTo = async (selector: string) => {
      for (let at = 0; at < 60; at++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      }
      throw new Error(`${selector} cannot be reached by keyboard on ${page.url()}`);
    };
    await tabTo('table.ladder a');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/player/*');
    await expect.poll(() => page.locator('h1').textContent()).toMatch(/Anna|Bert/);
    await tabTo('td a');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ladder/*');
    await tabTo('#query');
    await page.keyboard.type('anna');
    await page.keyboard.press('Enter');
    await page.waitForURL('**query=anna**');
    await expect.poll(() => page.locator('main').textContent()).toContain('Anna');
    await close();
  });

  test.each([
    ['with a script', true],
    ['without one', false],
  ])('the first link of a page skips to its content, %s', async (_, javaScriptEnabled) => {
    const { pages, service } = scene;
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    let asked: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) asked.push(request.url());
    });
    for (const path of [
      pages['ladder with a search'],
      `/ladder/${scene.queueGuid}?seasonGuid=${scene.seasonGuid}`,
      '/nowhere/deep?one=1',
      '//elsewhere.example/x',
    ]) {
      const address = `${service.url}${path}`;
      await page.goto(address);
      asked = [];
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${address}#content`);
      expect(asked).toEqual([]);
    }
    await context.close();
  });

  // `test/pages/negotiation` sees that the link of an address without a page names it as well.
  test('signing in leads back to the address with its query', async () => {
    const address = `${scene.service.url}/ladder/${scene.queueGuid}?seasonGuid=${scene.seasonGuid}`;
    const { page, close } = await open(address);
    await page.click('#sign-in');
    await page.click('button[value="player-one"]');
    await page.waitForSelector('#sign-out');
    expect(page.url()).toBe(address);
    await close();
  });

  test('a player signs in, sees who they are on every page, and is signed out by another tab', async () => {
    const { page, problems, close } = await open(`${scene.service.url}/pool/${scene.poolGuid}`);
    await page.click('#sign-in');
    await page.click('button[value="player-one"]');
    await page.waitForURL(`**/pool/${scene.poolGuid}`);
    await page.waitForSelector('#sign-out');
    await expect.poll(() => page.locator('#visitor a').textContent()).toBe('Local Player One');
    await page.goto(`${scene.service.url}/staff`);
    await page.waitForSelector('#sign-out');
    await expect.poll(() => page.locator('[data-role-missing]').isVisible()).toBe(true);
    await page.goto(`${scene.service.url}/ladder/${scene.queueGuid}`);
    await page.waitForSelector('#around-me:not([hidden])');
    await expect.poll(() => page.locator('#around-me').getAttribute('href')).toContain('around=');
    expect(problems).toEqual([]);
    await page.goto(`${scene.service.url}/me`);
    await page.waitForSelector('#me h2');
    // Another tab signs out, and the browser shows this page again as it was.
    await page.evaluate(async () => {
      await fetch('auth/logout', { method: 'POST' });
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await page.waitForSelector('#sign-in');
    expect(await page.locator('#me h2').count()).toBe(0);
    await close();
  });

  test('a player signs out on the page, and is told when that failed', async () => {
    const { page, problems, close } = await open(scene.service.url);
    await page.click('#sign-in');
    await page.click('button[value="player-one"]');
    // While a page is loading, requests may pass a route that is added meanwhile.
    await page.waitForSelector('#sign-out');
    await page.route('**/auth/logout', (route) => route.abort(), { times: 1 });
    await page.click('#sign-out');
    await page.locator('main .warning', { hasText: 'You are still signed in' }).waitFor();
    expect(problems).toEqual([]);
    await page.click('#sign-out');
    await page.waitForSelector('#sign-in');
    await close();
  });

  test('a player sees a time-out, bans, reports and replays under review on the page of their own', async () => {
    const { service } = scene;
    const { queueGuid } = await service.openQueue();
    const round = await playRound(service, queueGuid, { names: ['Local Player One', 'Rival'] });
    const [one, rival] = round.players;
    // Somebody else's replay.
    expect((await publish(service, round, rival, rival.play.replay)).status).toBe(201);
    expect((await publish(service, round, one, rival.play.replay)).status).toBe(201);
    await round.finish();
    const comment = '<b>Look</b> \u202e here';
    const filed = await fetch(`${service.url}/reports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        matchGuid: round.matchGuid,
        playerGuid: rival.guid,
        reason: 'stalling',
        comment,
      }),
    });
    expect(filed.status).toBe(201);
    // Leaving before the first pick costs a time-out.
    const second = await meet(one.socket, rival.socket, queueGuid);
    await partWays(one.socket, rival.socket, second);

    const { page, context, problems, close } = await open(`${service.url}/me`);
    await page.click('#me a');
    await page.click('button[value="player-one"]');
    await page.waitForURL('**/me');
    await page.waitForSelector('#me h2');
    expect(await page.textContent('#me')).not.toContain('You are banned');
    // A banned player cannot sign in, so the ban comes after the sign-in.
    for (const until of [null, new Date(Date.now() + 86_400_000).toISOString()])
      await service.request('admin', 'POST', `/players/${one.guid}/bans`, {
        reason: `Cheated & <i>lied</i>, ${until}`,
        until,
      });
    await page.reload();
    await page.waitForSelector('#me h2');
    const text = (await page.textContent('#me')) ?? '';
    for (const part of [
      'Local Player One',
      'You cannot join a queue for a while: a match was left before the first pick.',
      'You are banned: Cheated & <i>lied</i>, null.',
      'It does not end by itself.',
      'Replays under review',
      `Round ${round.roundNumber} of this match`,
      'Stalling',
      'open',
      '<b>Look</b>',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('\u202e');
    await expect.poll(() => page.locator('#me time').count()).toBe(3);
    await expect.poll(() => page.locator(`#me a[href="match/${round.matchGuid}"]`).count()).toBe(2);
    expect(await axeFindings(context, page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflows(page)).toBe(false);
    expect(problems).toEqual([]);
    await close();
  });

  test('an address tells nobody that they are erased', async () => {
    const { page, requests, close } = await open(`${scene.service.url}/me?erased=1`);
    await expect.poll(() => requests.some((address) => address.endsWith('/auth/me'))).toBe(true);
    await expect.poll(() => page.locator('#me .button').count()).toBe(1);
    expect(await page.locator('[data-erased]').count()).toBe(0);
    await close();
  });

  test.each([
    ['503', (route: Route) => route.fulfill({ status: 503 })],
    ['no answer', () => undefined],
  ])(
    'the page of one\u2019s own does not take a service that does not say who is signed in for nobody: %s',
    async (_, answer) => {
      const { page, close } = await open('about:blank');
      await page.clock.install();
      await page.route('**/auth/me', answer);
      await page.goto(`${scene.service.url}/me`);
      await expect
        .poll(async () => {
          await page.clock.fastForward(5_000);
          return page.textContent('#me');
        })
        .toBe('The service does not say who is signed in. Reload the page in a moment.');
      await page.evaluate(() => sessionStorage.setItem('erased', ''));
      await page.unroute('**/auth/me');
      await page.route('**/auth/me', (route) => route.fulfill({ status: 503 }));
      await page.reload();
      await page.waitForSelector('[data-erased]');
      await close();
    },
  );

  test('without their scripts pages say of nobody that they are not signed in, and of no match that it is being proved', async () => {
    const { page, close } = await open('about:blank');
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
    for (const path of ['/me', '/staff']) {
      await page.goto(`${scene.service.url}${path}`, { waitUntil: 'load' });
      expect(await page.textContent('main')).toContain('for those who are signed in');
    }
    await page.goto(`${scene.service.url}/match/${scene.endedGuid}`, { waitUntil: 'load' });
    expect(await page.textContent('[data-proof]')).toContain('Not proved yet');
    await close();
  });

  test.each([
    ['access_denied', 'You were not signed in: the sign-in was cancelled.'],
    ['constructor', 'You were not signed in. Please try again.'],
  ])(
    'a refused sign-in shows the reason of a known code, and a general text for others: %s',
    async (code, text) => {
      const { page, close } = await open(`${scene.service.url}/?loginError=${code}`);
      await page.waitForSelector('[role=alert]');
      await expect.poll(() => page.locator('[role=alert]').textContent()).toBe(text);
      expect(page.url()).not.toContain('loginError');
      await close();
    },
  );
});
