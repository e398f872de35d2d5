import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Difference, differencesOf, type Json } from '../../src/console/audit/difference.ts';
import { placeOf, referenceOf } from '../../src/console/audit/places.ts';

import { PATHS } from '../../src/console/paths.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, focused, overflows } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { HOSTILE } from '../pages/scene.ts';
import { takeDesk } from './staff-browser.ts';

/** The audit log in the console, and the differences that it shows. */

const GUID = '01a204a0-408b-77c5-91e6-abf7d318e101';
const lines = (before: Json, after: Json): string[] =>
  differencesOf(before, after).map(({ kind, path, before: old, after: young }: Difference) => {
    const text = (value: Json | undefined) => (value === undefined ? '' : JSON.stringify(value));
    return `${kind} ${path.join('.')}: ${text(old)} → ${text(young)}`;
  });

describe('a difference', () => {
  test('of objects names the members that were added, removed and changed, also nested ones', () => {
    expect(
      lines(
        { name: 'a', rules: { most: 2, pairing: { gap: 1 } }, old: true, same: [1] },
        { name: 'b', rules: { most: 2, pairing: { gap: null } }, same: [1], young: {} },
      ),
    ).toEqual([
      'changed name: "a" → "b"',
      'changed rules.pairing.gap: 1 → null',
      'removed old: true → ',
      'added young:  → {}',
    ]);
  });

  test('of equal objects is empty, whatever the order of their members', () => {
    expect(lines({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toEqual([]);
    expect(lines(null, null)).toEqual([]);
  });

  test('to null or from null is every member', () => {
    expect(lines(null, { name: 'a', until: null })).toEqual(['added name:  → "a"', 'added until:  → null']);
    expect(lines({ name: 'a' }, null)).toEqual(['removed name: "a" → ']);
    expect(lines(null, [1])).toEqual(['changed : null → [1]']);
    expect(lines('a', 'b')).toEqual(['changed : "a" → "b"']);
  });

  test('of lists has the removed and the added elements, each as often as it occurs', () => {
    expect(lines({ m: ['NF', 'SS', 'SS'] }, { m: ['SS', 'GN'] })).toEqual([
      'removed m: "NF" → ',
      'added m:  → "GN"',
      'removed m: "SS" → ',
    ]);
    expect(lines([1, 2], [2, 1])).toEqual(['moved : [1,2] → [2,1]']);
    expect(lines([], [null])).toEqual(['added :  → null']);
  });

  test('of lists of objects matches them by the member that identifies them', () => {
    const map = (mapGuid: string, difficulty: string) => ({ difficulty, mapGuid });
    expect(lines([map('x', 'Hard'), map('y', 'Easy')], [map('y', 'Expert'), map('z', 'Hard')])).toEqual([
      'removed x.difficulty: "Hard" → ',
      'removed x.mapGuid: "x" → ',
      'changed y.difficulty: "Easy" → "Expert"',
      'added z.difficulty:  → "Hard"',
      'added z.mapGuid:  → "z"',
    ]);
    expect(lines([{ score: 1 }], [{ score: 2 }])).toEqual(['changed 1.score: 1 → 2']);
    expect(lines([], [{ score: 1 }, { score: 2 }])).toEqual(['added 1.score:  → 1', 'added 2.score:  → 2']);
  });

  test('of an object that was added or removed names all its members', () => {
    const rules = { most: 2, list: [1, 2], by: [{ role: 'a', until: null }], none: {} };
    expect(lines(null, { rules })).toEqual([
      'added rules.most:  → 2',
      'added rules.list:  → [1,2]',
      'added rules.by.a.role:  → "a"',
      'added rules.by.a.until:  → null',
      'added rules.none:  → {}',
    ]);
    expect(lines({ rules, name: 1 }, { name: 1 }).every((line) => line.startsWith('removed rules.'))).toBe(
      true,
    );
  });

  test('ignores inherited members', () => {
    expect(lines({}, JSON.parse('{"__proto__": 1, "constructor": 2}'))).toEqual([
      'added __proto__:  → 1',
      'added constructor:  → 2',
    ]);
  });
});

test('a target links to the view that shows it', () => {
  expect(placeOf(`/pools/${GUID}/maps/x`).place).toEqual({
    path: PATHS.pool,
    parameters: { poolGuid: GUID },
    query: {},
  });
  expect(placeOf(`/replay-reviews/${GUID}`).place).toMatchObject({
    path: PATHS.reviews,
    query: { at: GUID },
  });
  for (const target of ['/pools/nonsense', '/plugin-releases/1.40.0', '/constructor/x', '', '/'])
    expect([target, placeOf(target).place]).toEqual([target, null]);
});

test('ids of people and of things that have a view are recognised by the name of their member', () => {
  for (const member of ['playerGuid', 'createdBy', 'grantedBy', 'submittedBy', 'winnerGuid'])
    expect(referenceOf(member, GUID)).toEqual({ person: GUID });
  expect(referenceOf('queueGuid', GUID)).toMatchObject({ place: { path: PATHS.queue } });
  for (const member of ['name', 'banGuid', 'constructor', undefined])
    expect([member, referenceOf(member, GUID)]).toEqual([member, null]);
  expect(referenceOf('playerGuid', 'somebody')).toBe(null);
});

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

describe.skipIf(executable === null)(`the audit log in the console${needed}`, () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), openChromium(executable ?? '')]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Waits until so many entries are shown. */
  const counting = (page: Page) => (isEnough: (count: number) => boolean) =>
    expect
      .poll(async () => isEnough(await page.locator('[data-entries] > li').count()), { timeout: 60_000 })
      .toBe(true);

  test('is filtered by person, action, thing and time, and shows what each entry changed', async () => {
    const { queueGuid, poolGuid } = await service.openQueue();
    const change = { name: HOSTILE.script, rules: { maxDiscards: 5 } };
    const changed = await service.request('admin', 'PATCH', `/queues/${queueGuid}`, change);
    expect(changed.status).toBe(200);
    const desk = await takeDesk(browser, { service, account: 'admin', path: '/staff/audit' });
    const { page } = desk;
    const counted = counting(page);
    const entries = page.locator('[data-entries] > li');
    const actions = () =>
      entries.evaluateAll((found) => found.map((entry) => entry.getAttribute('data-action')));
    await entries.first().waitFor();
    expect((await actions()).slice(0, 3)).toEqual(['changeQueue', 'openQueue', 'createQueue']);

    // What was changed, in words and not as markup.
    const rows = entries.first().locator('[data-difference]');
    const texts = async () => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    const [name = '', rules] = await texts();
    expect(name).toContain('name changed Queue <script>window.stolen');
    expect(rules).toBe('rules › maxDiscards changed 2 5');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await page.evaluate('window.stolen')).toBeUndefined();
    await entries.first().locator('a:has-text("Local Admin")').waitFor();

    // By a thing, from the entry itself.
    await entries.first().locator('a:has-text("Only this thing")').click();
    await page.waitForURL(`**/staff/audit?target=${encodeURIComponent(`/queues/${queueGuid}`)}`);
    await counted((count) => count === 3);
    expect(await actions()).toEqual(['changeQueue', 'openQueue', 'createQueue']);
    // Here, because axe takes seconds for all entries, which are made of the same parts.
    expect(await axeFindings(desk.context, page)).toEqual([]);

    // And by what was done, of the values that occur.
    await page.waitForSelector('datalist option[value="openQueue"]', { state: 'attached' });
    await page.fill('input[name="action"]', 'openQueue');
    await page.keyboard.press('Enter');
    await counted((count) => count === 1);
    expect(await actions()).toEqual(['openQueue']);
    expect([await focused(page), await page.textContent('[data-said]')]).toEqual(['action', '1 entry.']);

    // By a person.
    await page.fill('input[name="player"]', 'nobody');
    await page.fill('input[name="since"]', '2020-01-01T00:00');
    await page.click('button:has-text("Clear all filters")');
    await counted((count) => count > 3);
    for (const name of ['player', 'action', 'target', 'since'])
      expect([name, await page.inputValue(`input[name="${name}"]`)]).toEqual([name, '']);
    await page.fill('input[name="player"]', 'pooler');
    await page.keyboard.press('Enter');
    await page.click('[data-found] button:has-text("Local Pooler Two")');
    await page.waitForSelector('[data-actor]');
    await counted((count) => count === 1);
    expect(await actions()).toEqual(['reviewPool']);
    await expect
      .poll(() => entries.first().locator('a').nth(1).getAttribute('href'))
      .toBe(`/staff/pools/${poolGuid}`);

    // By time: nothing is from the year before, and everything from then on.
    await page.fill('input[name="until"]', '2020-01-01T00:00');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=No entry fits these filters.');
    await desk.goto(
      `/staff/audit?since=2020-01-01T00:00:00Z&target=${encodeURIComponent(`/pools/${poolGuid}`)}`,
    );
    await entries.first().waitFor();
    expect((await actions()).at(-1)).toBe('createPool');
    expect(new URL(await page.inputValue('input[name="target"]'), service.url).pathname).toBe(
      `/pools/${poolGuid}`,
    );

    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflows(page)).toBe(false);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('is read page by page, and ignores filters of the address that are invalid', async () => {
    for (let nth = 0; nth < 51; nth++)
      await service.request('admin', 'POST', '/map-categories', { name: `category ${nth}` });
    const desk = await takeDesk(browser, { service, account: 'admin', path: '/staff/audit' });
    const { page } = desk;
    const counted = counting(page);
    await counted((count) => count === 50);
    await desk.goto('/staff/audit?action=createMapCategory&actorGuid=nonsense&since=nonsense');
    await counted((count) => count === 50);
    const said = () => page.textContent('[data-said]');
    await expect.poll(said).toBe('50 entries, and there are more.');
    // A page that cannot be read is told beside the button, which reads it again.
    await page.route('**/audit-log?*cursor=*', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'UNAVAILABLE', message: 'Later.' } } }),
    );
    await page.click('button:has-text("Show more")');
    await page.waitForSelector(
      'button:has-text("Show more") + [data-problem="UNAVAILABLE"]:has-text("Later.")',
    );
    expect(await page.locator('[data-problem]').count()).toBe(1);
    await page.unrouteAll();
    let answer: (() => void) | null = null;
    await page.route('**/audit-log?*cursor=*', (route) => {
      answer = () => void route.continue();
    });
    await page.press('button:has-text("Show more")', 'Enter');
    await page.waitForSelector('button[aria-disabled]:has-text("Show more"):focus');
    await expect.poll(() => answer).not.toBe(null);
    (answer as (() => void) | null)?.();
    await counted((count) => count > 50);
    // The button is gone with the last page.
    await expect.poll(said).toMatch(/^\d more, so now there are 5\d: all of them[.]$/);
    expect(await page.locator('[data-entries] > li:nth-child(51):focus').count()).toBe(1);
    await page.unroute('**/audit-log?*cursor=*');

    // Back and forward lead to the rows that were there, and to the place on the page.
    const entries = page.locator('[data-entries] > li');
    const all = await entries.count();
    const last = entries.nth(all - 3).locator('a:has-text("Only this thing")');
    const target = await last.getAttribute('href');
    await last.scrollIntoViewIfNeeded();
    const place = () => page.evaluate(() => Math.round(scrollY));
    const top = await place();
    expect(top).toBeGreaterThan(1000);
    const namesAsked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/players/')) namesAsked.push(pathname);
    });
    const isBack = async () => {
      await counted((count) => count === all);
      await expect.poll(place).toBe(top);
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(target);
    };
    await last.click();
    await counted((count) => count === 1);
    await page.goBack();
    await isBack();
    await page.goForward();
    await counted((count) => count === 1);
    await page.goBack();
    await isBack();
    // Names that were read a moment ago are not read again.
    expect(namesAsked).toEqual([]);
    // Also from another view, without a moment in which there are fewer.
    await desk.goto('/staff/seasons');
    await page.waitForSelector('[data-action="new-category"]');
    expect(await place()).toBe(0);
    await service.request('admin', 'POST', '/map-categories', { name: 'another category' });
    const { promise: isAsked, resolve: letAsk } = Promise.withResolvers<void>();
    await page.route('**/audit-log?*', async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.goBack();
    await isBack();
    letAsk();
    // They are read again, as many pages as there were.
    await counted((count) => count === all + 1);

    // A link leads to the newest ones, at the top.
    await desk.goto('/staff/seasons');
    await desk.goto('/staff/audit?action=createMapCategory');
    await counted((count) => count === 50);
    expect(await place()).toBe(0);

    // Kept rows are removed when the login has ended: at first when the service refuses the request, then at once.
    await desk.goto('/staff/seasons');
    await page.unrouteAll();
    await page.evaluate("fetch('auth/logout', { method: 'POST' })");
    await page.goBack();
    await page.waitForSelector('h1:has-text("Audit log") ~ [data-problem="UNAUTHENTICATED"]');
    expect(await entries.count()).toBe(0);
    await page.locator('[role=alert] a[target=_blank]').waitFor();
    await page.goBack();
    await page.waitForSelector('h1:has-text("Seasons")');
    const isHeld = Promise.withResolvers<void>();
    await page.route('**/audit-log?*', async (route) => {
      await isHeld.promise;
      await route.continue();
    });
    await page.goBack();
    await page.waitForSelector('h1:has-text("Audit log") ~ [role=status]');
    expect(await entries.count()).toBe(0);
    isHeld.resolve();
    expect(desk.problems).toEqual([]);
    await desk.page.context().close();
  });
});
