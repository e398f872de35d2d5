import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, overflows } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { openDesk, takeDesk } from './staff-browser.ts';

/** The console for each role, and the answers of its addresses. */

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

describe.skipIf(executable === null)(`the staff console${needed}`, () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), openChromium(executable ?? '')]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('leads somebody who is not signed in to a login, and back to the address', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const address = `${service.url}/staff/matches?state=ended&since=2026-01-01T00:00:00.000Z`;
    await page.goto(address);
    const [above, below, ...others] = await page.$$eval('#sign-in, [data-role-missing] a', (links) =>
      links.map((link) => (link as HTMLAnchorElement).href),
    );
    expect([above, others]).toEqual([below, []]);
    await page.click('[data-role-missing] a');
    await page.click('button[value="admin"]');
    await page.waitForURL(address);
    await page.waitForSelector('#sign-out');
    await expect.poll(() => page.locator('.console h1').textContent()).toBe('Matches');
    await context.close();
  });

  // `test/console/reports` looks at that of admins.
  test.each(['pooler-one', 'developer'])(
    'has an accessible first view for %s, which fits on a phone',
    async (account) => {
      const desk = await takeDesk(browser, { service, account, path: '/staff' });
      await desk.page.waitForSelector('.console h1');
      expect(await desk.page.locator('[data-role-missing]').count()).toBe(0);
      expect(await axeFindings(desk.context, desk.page)).toEqual([]);
      await desk.page.setViewportSize({ width: 360, height: 740 });
      expect(await overflows(desk.page)).toBe(false);
      expect(desk.problems).toEqual([]);
      await desk.close();
    },
  );

  test.each([
    ['too many requests', { status: 429, code: 'RATE_LIMITED', seconds: 600 }],
    ['an outage', { status: 503, code: 'SERVICE_UNAVAILABLE', seconds: 2 }],
    ['a lost connection', null],
  ])(
    'says why it does not know who is signed in, and continues by itself or by its button: %s',
    async (_, refusal) => {
      const path = '/staff/queues';
      const { page, problems, close } = await takeDesk(browser, { service, account: 'pooler-one', path });
      await page.waitForSelector('.console h1');
      const message = 'Come back in a moment.';
      await page.route('**/auth/me', (route) =>
        refusal === null
          ? route.abort()
          : route.fulfill({
              status: refusal.status,
              headers: { 'retry-after': String(refusal.seconds) },
              json: { error: { code: refusal.code, message } },
            }),
      );
      await page.reload();
      const note = page.locator(`[data-unknown] [data-problem="${refusal?.code ?? ''}"]`);
      await expect
        .poll(() => note.textContent())
        .toContain(refusal === null ? 'The service cannot be reached.' : message);
      expect(await page.locator('[data-role-missing]').count()).toBe(0);
      await page.unroute('**/auth/me');
      // After ten minutes it would continue by itself as well.
      if (refusal?.seconds === 600) await note.locator('button').click();
      await expect.poll(() => page.locator('.console h1').textContent()).toBe('Queues');
      expect(await page.locator('[data-unknown]').count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe(path);
      expect(problems).toEqual([]);
      await close();
    },
  );

  test('says within half a minute that the service does not answer who is signed in', async () => {
    const { page, close } = await openDesk(browser, { service, account: 'pooler-one' });
    let asked = 0;
    await page.clock.install();
    await page.route('**/auth/me', () => {
      asked += 1;
    });
    await page.reload();
    for (const times of [1, 2]) {
      await expect.poll(() => asked).toBe(times);
      expect(await page.locator('[data-unknown]').count()).toBe(0);
      await page.clock.fastForward(15_000);
    }
    // The clock of the page goes on.
    await page.waitForSelector('[data-unknown] [data-problem]', { timeout: 20_000 });
    await close();
  });

  test('asks again and again while the connection is lost', async () => {
    const { page, close } = await openDesk(browser, { service, account: 'pooler-one' });
    let asked = 0;
    await page.route('**/auth/me', (route) => {
      asked += 1;
      return route.abort();
    });
    await page.clock.install();
    await page.reload();
    await page.waitForSelector('[data-unknown]');
    for (const _ of [1, 2, 3]) {
      const before = asked;
      await expect
        .poll(async () => {
          await page.clock.fastForward(3_000);
          return asked;
        })
        .toBeGreaterThan(before);
    }
    await close();
  });

  test('has no page at addresses that are not its own', async () => {
    const ask = async (path: string) => {
      const answer = await fetch(`${service.url}${path}`, { headers: { accept: 'text/html' } });
      return [answer.status, (await answer.text()).includes('data-role-missing')];
    };
    const guid = '01a204a0-408b-77c5-91e6-abf7d318e101';
    for (const path of ['/staff', '/staff/pools', `/staff/pools/${guid}`])
      expect(await ask(path)).toEqual([200, true]);
    for (const path of ['/staff/nowhere', '/staff/pools/nonsense', `/staff/pools/${guid}/more`])
      expect(await ask(path)).toEqual([404, false]);
  });

  test('says what cannot be read, claims nothing about it, and reads it when asked again', async () => {
    const { queueGuid, poolGuid, seasonGuid } = await service.openQueue();
    const must = async (account: string, path: string, body?: object) => {
      const answer = await service.request(account, 'POST', path, body);
      expect([path, answer.status]).toEqual([path, body ? 201 : 200]);
      return answer.body;
    };
    const copy = await must('admin', `/pools/${poolGuid}/copy`, { name: 'Copied', seasonGuid });
    await must('pooler-one', `/pools/${copy.poolGuid}/submit`);
    const { playerGuid } = (await service.request('pooler-one', 'GET', '/auth/me')).body;
    const desk = await takeDesk(browser, { service, account: 'admin', path: '/staff' });
    const { page } = desk;
    // A player who has a rating.
    await page.route(`**/players/${playerGuid}`, async (route) => {
      if (route.request().resourceType() === 'document') return route.fallback();
      const response = await route.fetch();
      const rating = { queueGuid, seasonGuid, rating: 1000, rank: 1, wins: 1, losses: 0, draws: 0 };
      await route.fulfill({ response, json: { ...(await response.json()), ratings: [rating] } });
    });
    const [ofPool, ofQueue] = [`/staff/pools/${copy.poolGuid}`, `/staff/queues/${queueGuid}`];
    const [seasons, queues, pools] = [/^\/seasons$/, /^\/queues$/, /^\/pools$/];
    const told = page.locator(
      '.console [data-problem="UNAVAILABLE"] button, .console button:has-text("Read the name again")',
    );
    for (const [path, failing, claim, fact] of [
      [ofPool, /^\/players\//, 'not here any more', '[data-facts] a:has-text("Local Pooler One")'],
      [ofPool, new RegExp(`${poolGuid}/maps$`), 'not copied', '[data-difference="none"]'],
      [ofPool, /statistics$/, undefined, '.with-statistics'],
      [ofPool, pools, undefined, `[name="base"] option[value="${poolGuid}"]`],
      [ofPool, /^\/map-categories$/, undefined, '.pool-grid'],
      ['/staff/pools', seasons, undefined, '[data-pool] td:has-text("Season")'],
      [ofQueue, new RegExp(`^/pools/${poolGuid}$`), undefined, 'section a:has-text("Pool")'],
      [ofQueue, seasons, undefined, 'section p:has-text("Season: Season")'],
      ['/staff/queues', pools, poolGuid, '[data-queue] td a:has-text("Pool")'],
      ['/staff/queues', seasons, undefined, '[data-queue] td:has-text("Season")'],
      ['/staff/matches', queues, undefined, `.filters option[value="${queueGuid}"]`],
      ['/staff/matches', seasons, undefined, `.filters option[value="${seasonGuid}"]`],
      [`/staff/players/${playerGuid}`, /^\/leaderboards$/, undefined, 'th:has-text("Queue, Season")'],
      ['/staff/audit?action=openQueue', /^\/audit-log\/actions$/, undefined, 'option[value="copyPool"]'],
    ] as const) {
      const isAsked = ({ pathname }: URL): boolean => failing.test(pathname);
      await page.route(isAsked, (route) =>
        route.fulfill({ status: 503, json: { error: { code: 'UNAVAILABLE', message: 'Later.' } } }),
      );
      await desk.goto('/staff/audit');
      await desk.goto(path);
      await told.first().waitFor();
      if (claim !== undefined) expect(await page.textContent('.console')).not.toContain(claim);
      await page.unroute(isAsked);
      await told.evaluateAll((buttons) => {
        for (const button of buttons) (button as HTMLElement).click();
      });
      await page.waitForSelector(`.console ${fact}`, { state: 'attached' });
      await expect.poll(() => told.count()).toBe(0);
    }
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('says that the login has ended, and continues after a sign-in in another tab', async () => {
    const { page, context, problems, close } = await openDesk(browser, { service, account: 'admin' });
    await page.waitForSelector('.console h1');
    await page.evaluate("fetch('auth/logout', { method: 'POST' })");
    await page.click('.sections a[href$="/staff/audit"]');
    const again = page.locator('[role=alert] a[target=_blank]');
    await again.waitFor();
    const signInAs = async (account: string) => {
      const [other] = await Promise.all([context.waitForEvent('page'), again.click()]);
      await other.click(`button[value="${account}"]`);
      await other.waitForSelector('.console h1');
    };
    await signInAs('pooler-one');
    // With the login of somebody else the page would act as that person.
    await page.locator('[role=alert]', { hasText: 'Local Pooler One is signed in now' }).waitFor();
    await signInAs('admin');
    await again.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('h1').textContent()).toBe('Audit log');
    expect(problems).toEqual([]);
    await close();
  });

  test('saves nothing for another person who has signed in in another tab', async () => {
    const { page, context, close } = await openDesk(browser, { service, account: 'admin' });
    await page.click('.sections a[href$="/staff/seasons"]');
    const asOther = await context.newPage();
    await asOther.goto(`${service.url}/staff`);
    await asOther.evaluate("fetch('auth/logout', { method: 'POST' })");
    await asOther.goto(`${service.url}/auth/login?returnTo=${encodeURIComponent(`${service.url}/staff`)}`);
    await asOther.click('button[value="pooler-one"]');
    await asOther.waitForSelector('.console h1');
    const before = await service.database.prisma.auditEntry.count();
    await page.click('[data-action="new-category"]');
    await page.fill('.dialog input[name="name"]', 'Jumps');
    const [answer] = await Promise.all([
      page.waitForResponse((one) => one.request().method() === 'POST'),
      page.click('.dialog button[type="submit"]'),
    ]);
    expect(answer.status()).toBe(401);
    await page.locator('[role=alert]', { hasText: 'Local Pooler One is signed in now' }).waitFor();
    expect(await service.database.prisma.auditEntry.count()).toBe(before);
    // The link above the page is behind the dialog. With the one in it nothing that was entered is lost.
    const note = page.locator('.dialog [data-problem="UNAUTHENTICATED"]');
    expect(await note.textContent()).not.toContain('Bearer');
    const [again] = await Promise.all([context.waitForEvent('page'), note.locator('a').click()]);
    await again.click('button[value="admin"]');
    await again.waitForSelector('.console h1');
    await page.click('.dialog button[type="submit"]');
    await page.waitForSelector('tr:has-text("Jumps")');
    await close();
  });

  test('is hidden when the browser shows a kept page again after its person has signed out', async () => {
    const { page, problems, close } = await openDesk(browser, { service, account: 'admin' });
    await page.waitForSelector('.console h1');
    await page.evaluate(async () => {
      await fetch('auth/logout', { method: 'POST' });
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await page.waitForSelector('[data-role-missing]');
    expect(await page.locator('.console').count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });
});
