import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { someMaps } from '../harness/curation.ts';
import { axeFindings, overflows } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { HOSTILE } from '../pages/scene.ts';
import { paste } from './pool-table-scene.ts';
import { type Desk, loseAnswer, openDesk, scrolledAway } from './staff-browser.ts';

/** What staff do with pools in the console, from a new draft to its publication. */

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

/** Enough for a queue, also when one of them is taken away. */
const MAPS = 11;

describe.skipIf(executable === null)(`pools in the staff console${needed}`, () => {
  let service: TestService;
  let browser: Browser;
  let desks: Record<'developer' | 'one' | 'two', Desk>;
  let categoryGuid: string;
  /** A published pool with an open queue. */
  let published: Awaited<ReturnType<TestService['openQueue']>>;
  let count = 0;

  const api = async (account: string, method: string, path: string, body?: unknown) => {
    const answer = await service.request(account, method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const mapsOf = async (poolGuid: string) => api('admin', 'GET', `/pools/${poolGuid}/maps`);
  /** A draft of another name in each test. */
  const draft = async (maps: number, name = `Draft ${++count}`) => {
    const { seasonGuid } = published;
    const { poolGuid } = await api('admin', 'POST', '/pools', { seasonGuid, name });
    if (maps > 0)
      await api('pooler-one', 'POST', `/pools/${poolGuid}/maps/batch`, {
        maps: someMaps(maps, categoryGuid),
      });
    return { poolGuid: poolGuid as string, name };
  };
  const openPool = async ({ goto, page }: Desk, poolGuid: string): Promise<Page> => {
    await goto(`/staff/pools/${poolGuid}`);
    await page.waitForSelector('[data-facts]');
    return page;
  };
  const press = (page: Page, action: string) => page.click(`[data-action="${action}"]`);
  const dialog = (page: Page): Locator => page.locator('.dialog');
  /** Opens the dialog of an action and confirms it. @returns what the dialog said */
  const confirm = async (page: Page, action: string): Promise<string | null> => {
    await press(page, action);
    const said = await dialog(page).textContent();
    await dialog(page).locator('button[type="submit"]').click();
    await dialog(page).waitFor({ state: 'detached' });
    return said;
  };
  const status = (page: Page, wanted: string) =>
    page.waitForSelector(`[data-facts] [data-status="${wanted}"]`);
  const offered = (page: Page): Promise<(string | null)[]> =>
    page
      .locator('[data-action]')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('data-action')));

  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), openChromium(executable ?? '')]);
    published = await service.openQueue({ maps: MAPS });
    [{ categoryGuid }] = (await api('admin', 'GET', '/map-categories')).items;
    const [developer, one, two] = await Promise.all(
      ['developer', 'pooler-one', 'pooler-two'].map((account) => openDesk(browser, { service, account })),
    );
    desks = { developer, one, two } as typeof desks;
    for (const { page } of Object.values(desks)) page.setDefaultTimeout(30_000);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  beforeEach(() => {
    for (const { problems } of Object.values(desks)) problems.length = 0;
  });
  const noProblems = () => expect(Object.values(desks).flatMap(({ problems }) => problems)).toEqual([]);

  test('the list is filtered by status and season, and offers a new pool only to those who may create one', async () => {
    const { developer, one } = desks;
    const { poolGuid, name } = await draft(0);
    await one.goto('/staff/pools');
    await one.page.waitForSelector(`[data-pool="${poolGuid}"] [data-status="draft"]`);
    await one.page.waitForSelector(`[data-pool="${published.poolGuid}"] [data-status="published"]`);
    expect(await one.page.getByRole('button', { name: 'New pool' }).count()).toBe(0);
    await one.page.selectOption('[name="status"]', 'published');
    await one.page.waitForSelector(`[data-pool="${poolGuid}"]`, { state: 'detached' });
    await one.page.waitForSelector(`[data-pool="${published.poolGuid}"]`);
    await one.page.selectOption('[name="season"]', published.seasonGuid);
    await one.page.waitForURL(`**?status=published&season=${published.seasonGuid}`);
    await one.page.selectOption('[name="status"]', 'draft');
    await one.page.click(`[data-pool="${poolGuid}"] a`);
    await one.page.waitForSelector(`h1:has-text("${name}")`);

    await developer.goto('/staff/pools');
    await developer.page.getByRole('button', { name: 'New pool' }).click();
    await developer.page.fill('.dialog [name="name"]', 'Made in a browser');
    await developer.page.selectOption('.dialog [name="season"]', published.seasonGuid);
    await developer.page.click('.dialog button[type="submit"]');
    await developer.page.waitForSelector('h1:has-text("Made in a browser")');
    await status(developer.page, 'draft');

    // Without a season there can be no pool, and the dialog says so.
    await developer.page.route('**/seasons?*', (route) =>
      route.fulfill({ json: { items: [], nextCursor: null } }),
    );
    await developer.goto('/staff/pools');
    await developer.page.getByRole('button', { name: 'New pool' }).click();
    await developer.page.click('.dialog [data-no-season] a[href$="/staff/seasons"]');
    await developer.page.waitForSelector('.console [data-action="new-category"]');
    await developer.page.unrouteAll();

    // Back leads to the same place of a page that is read first.
    const page = await openPool(developer, published.poolGuid);
    await page.waitForSelector('[data-difference], [data-files] a');
    const place = () => page.evaluate(() => Math.round(scrollY));
    await page.evaluate(() => scrollTo(0, 300));
    await expect.poll(place).toBe(300);
    await developer.goto('/staff/seasons');
    await page.waitForSelector('[data-action="new-category"]');
    expect(await place()).toBe(0);
    const isHeld = Promise.withResolvers<void>();
    await page.route('**/pools/*/maps', async (route) => {
      await isHeld.promise;
      await route.continue();
    });
    await page.goBack();
    await page.waitForSelector('h1:text-is("Pool") ~ [role=status]');
    isHeld.resolve();
    await expect.poll(place).toBe(300);
    await page.unrouteAll();
    noProblems();
  });

  test('actions that a role may not do are not shown', async () => {
    const { poolGuid } = await draft(1);
    const asked = async (desk: Desk) => offered(await openPool(desk, poolGuid));
    expect(await asked(desks.developer)).toEqual(['copy', 'rename', 'remove']);
    expect(await asked(desks.one)).toEqual(['submit']);
    await expect.poll(() => desks.one.page.locator('[data-files] details').count()).toBe(1);
    expect(await desks.developer.page.locator('[data-files] details').count()).toBe(0);
    noProblems();
  });

  test('a copy is changed, sent back with comments on rows, approved, published, and its queue switched', async () => {
    const { developer, one, two } = desks;
    const copying = await openPool(developer, published.poolGuid);
    await press(copying, 'copy');
    await copying.fill('.dialog [name="name"]', 'Rotation');
    await copying.click('.dialog button[type="submit"]');
    await copying.waitForSelector('h1:has-text("Rotation")');
    const poolGuid = new URL(copying.url()).pathname.split('/').at(-1) ?? '';

    const { maps } = await mapsOf(poolGuid);
    const fresh = someMaps(60, categoryGuid).find(
      ({ key }) => !maps.some((map: { key: string }) => map.key === key),
    );
    await api('pooler-one', 'POST', `/pools/${poolGuid}/maps/batch`, {
      removals: [maps[0].mapGuid],
      changes: [{ mapGuid: maps[1].mapGuid, modifiers: ['GN'] }],
    });
    const own = await openPool(one, poolGuid);
    await own.waitForSelector('[data-differences] tr[data-difference="changed"]');
    await own.fill(
      '.pool-add textarea',
      `key,characteristic,difficulty,category\n${fresh?.key},Standard,${fresh?.difficulty},Accuracy`,
    );
    await own.locator('.pool-add button').click();
    await own.waitForSelector('[data-save]:not([aria-disabled])');
    await press(own, 'submit');
    expect(await dialog(own).textContent()).toContain('1 row of this tab is not saved');
    // The dialog has an edge where no shade is drawn, and is in front of the table: no key reaches that.
    await own.emulateMedia({ forcedColors: 'active' });
    const [edge, ground] = await dialog(own).evaluate((box) => {
      const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(box);
      return [`${borderTopWidth} ${borderTopStyle} ${borderTopColor}`, backgroundColor];
    });
    expect(edge).toMatch(/^1px solid /);
    expect(edge).not.toContain(ground);
    await own.emulateMedia({ forcedColors: 'none' });
    const unsaved = await own.textContent('.unsaved');
    await paste(own, maps[0].key);
    for (const key of ['Control+z', 'Control+s']) await own.keyboard.press(key);
    expect([await own.textContent('.unsaved'), await own.locator('.pool-bar progress').count()]).toEqual([
      unsaved,
      0,
    ]);
    await own.keyboard.press('Escape');
    await own.locator('[data-save]:not([aria-disabled])').click();
    await own.waitForSelector('[data-differences] tr[data-difference="added"]');
    const said = await confirm(own, 'submit');
    expect(said).toContain(`${maps.length} maps`);
    expect(said).not.toContain('not saved');
    await status(own, 'in_review');
    await own.waitForSelector('[data-not-you]');
    expect(await own.locator('form[aria-label="Review"]').count()).toBe(0);
    expect(await offered(own)).toEqual([]);

    const reviewing = await openPool(two, poolGuid);
    await reviewing.waitForSelector('[data-differences] tr[data-difference="added"]');
    expect(
      await reviewing
        .locator('[data-differences] tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-difference'))),
    ).toEqual(['added', 'removed', 'changed']);
    await reviewing.locator('tr[data-difference="added"] button').click();
    await reviewing.keyboard.insertText('Too long for a final.');
    await reviewing.selectOption('[name="map"]', maps[2].mapGuid);
    await reviewing.getByRole('button', { name: 'Comment on this map' }).click();
    await reviewing.keyboard.insertText('Keep it.');
    await reviewing.fill('[name="comment"]', 'Nearly there.\nSee the rows.');
    await reviewing.check('[value="request_changes"]');
    await reviewing.click('form[aria-label="Review"] button[type="submit"]');
    await status(reviewing, 'draft');
    await reviewing.waitForSelector('[data-review="request_changes"]');
    expect(await reviewing.locator('[data-kept-review]').count()).toBe(0);

    await openPool(one, poolGuid);
    const review = own.locator('[data-review="request_changes"]');
    await review.waitFor();
    const read = await review.textContent();
    for (const text of ['Nearly there.\nSee the rows.', 'Too long for a final.', 'Keep it.'])
      expect(read).toContain(text);
    const added = (await mapsOf(poolGuid)).maps.find((map: { key: string }) => map.key === fresh?.key);
    await api('pooler-one', 'DELETE', `/pools/${poolGuid}/maps/${added.mapGuid}`);
    await openPool(one, poolGuid);
    await confirm(own, 'submit');
    await own.locator('[data-review] dt:has-text("not in the pool any more")').waitFor();

    await openPool(two, poolGuid);
    await reviewing.check('[value="approve"]');
    await reviewing.click('form[aria-label="Review"] button[type="submit"]');
    await reviewing.waitForSelector('[data-review="approve"]');

    await openPool(developer, poolGuid);
    expect(await offered(copying)).toEqual(['publish', 'copy']);
    expect(await confirm(copying, 'publish')).toMatch(/Approved · this revision/);
    await status(copying, 'published');
    await copying.locator('[data-offer] button').click();
    await dialog(copying).locator('p:has-text("are dealt from “Rotation”")').waitFor();
    await dialog(copying).locator('button[type="submit"]').click();
    await dialog(copying).waitFor({ state: 'detached' });
    await copying.waitForSelector(`[data-queues] > ul [data-queue="${published.queueGuid}"]`);
    const queue = await api('admin', 'GET', `/queues/${published.queueGuid}`);
    expect(queue).toMatchObject({ poolGuid, status: 'open' });

    await press(copying, 'retire');
    await dialog(copying).locator(`[data-queue="${published.queueGuid}"]`).waitFor();
    await dialog(copying).getByRole('button', { name: 'Cancel' }).click();
    noProblems();
  });

  test('a new pool and a copy are there once when the answer was lost and the dialog is sent again', async () => {
    const { page, goto } = desks.developer;
    const named = async (name: string) =>
      (await api('admin', 'GET', '/pools?status=draft')).items.filter(
        (pool: { name: string }) => pool.name === name,
      );
    const sendTwice = async () => {
      await dialog(page).locator('button[type="submit"]').click();
      await dialog(page).locator('[data-problem=""]').waitFor();
      await dialog(page).locator('button[type="submit"]').click();
    };
    const [made, copied] = [`Made once ${++count}`, `Copied once ${count}`];
    await goto('/staff/pools');
    await page.getByRole('button', { name: 'New pool' }).click();
    await page.fill('.dialog [name="name"]', made);
    await page.selectOption('.dialog [name="season"]', published.seasonGuid);
    await loseAnswer(page, '**/pools');
    await sendTwice();
    await page.waitForSelector(`h1:has-text("${made}")`);
    expect(await named(made)).toHaveLength(1);

    await openPool(desks.developer, published.poolGuid);
    await press(page, 'copy');
    await page.fill('.dialog [name="name"]', copied);
    await loseAnswer(page, '**/copy');
    await sendTwice();
    await page.waitForSelector(`h1:has-text("${copied}")`);
    expect(await named(copied)).toHaveLength(1);
    await page.unrouteAll();
    noProblems();
  });

  test('a new pool and a review are there once when the answer was lost and they are entered again', async () => {
    const { page, goto } = desks.developer;
    const name = `Entered again ${++count}`;
    await goto('/staff/pools');
    const create = async () => {
      await page.getByRole('button', { name: 'New pool' }).click();
      await page.fill('.dialog [name="name"]', name);
      await page.selectOption('.dialog [name="season"]', published.seasonGuid);
      await dialog(page).locator('button[type="submit"]').click();
    };
    await loseAnswer(page, '**/pools');
    await create();
    await dialog(page).locator('[data-problem=""]').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await goto('/staff/seasons');
    await goto('/staff/pools');
    await create();
    await page.waitForSelector(`h1:has-text("${name}")`);
    const { items } = await api('admin', 'GET', '/pools?status=draft');
    expect(items.filter((pool: { name: string }) => pool.name === name)).toHaveLength(1);
    await page.unrouteAll();

    const { poolGuid } = await draft(2);
    await api('pooler-one', 'POST', `/pools/${poolGuid}/submit`);
    const reviewing = await openPool(desks.two, poolGuid);
    await reviewing.check('[value="approve"]');
    await loseAnswer(reviewing, `**/pools/${poolGuid}/reviews`);
    const form = reviewing.locator('form[aria-label="Review"]');
    await form.locator('button[type="submit"]').click();
    await form.locator('[data-problem=""]').waitFor();
    await desks.two.goto('/staff/seasons');
    await openPool(desks.two, poolGuid);
    await Promise.all([
      reviewing.waitForResponse(`**/pools/${poolGuid}/reviews`),
      form.locator('button[type="submit"]').click(),
    ]);
    expect((await api('admin', 'GET', `/pools/${poolGuid}/reviews`)).items).toHaveLength(1);
    await reviewing.unrouteAll();
    noProblems();
  });

  test('changes of a pool count as done when the answers were lost, and the next ones are not refused', async () => {
    const { one, developer } = desks;
    const { page } = developer;
    const confirmed = async () => {
      await dialog(page).locator('button[type="submit"]').click();
      await dialog(page).waitFor({ state: 'detached' });
    };
    const { poolGuid: drafted } = await draft(0);
    await openPool(developer, drafted);
    await press(page, 'rename');
    await page.fill('.dialog [name="name"]', ' Found again ');
    await loseAnswer(page, `**/pools/${drafted}`, 'PATCH');
    await confirmed();
    await page.waitForSelector('h1:has-text("Found again")');
    await loseAnswer(page, `**/pools/${drafted}`, 'DELETE');
    await confirm(page, 'remove');
    await page.waitForURL('**/staff/pools');

    const { poolGuid: from, queueGuid } = await service.openQueue({ maps: MAPS });
    const { poolGuid } = await api('admin', 'POST', `/pools/${from}/copy`, { name: 'From draft to retired' });
    const own = await openPool(one, poolGuid);
    await loseAnswer(own, '**/submit');
    await confirm(own, 'submit');
    await status(own, 'in_review');
    await api('pooler-two', 'POST', `/pools/${poolGuid}/reviews`, { verdict: 'approve' });
    await openPool(developer, poolGuid);
    await loseAnswer(page, '**/publish');
    await confirm(page, 'publish');
    await page.locator('[data-offer] button').click();
    await loseAnswer(page, `**/queues/${queueGuid}`, 'PATCH');
    await confirmed();
    await page.waitForSelector(`[data-queues] > ul [data-queue="${queueGuid}"]`);
    await loseAnswer(page, '**/retire');
    await confirm(page, 'retire');
    await status(page, 'retired');
    await Promise.all([page.unrouteAll(), own.unrouteAll()]);
    noProblems();
  });

  test('the map of a row that differs stays in sight on a phone', async () => {
    const { poolGuid } = await draft(2);
    const page = await openPool(desks.one, poolGuid);
    await page.selectOption('[name="base"]', published.poolGuid);
    await page.waitForSelector('.difference [data-difference]');
    await page.setViewportSize({ width: 390, height: 740 });
    expect(await scrolledAway(page, '.difference')).toBe(false);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: null });
    noProblems();
  });

  /** A second pooler reviews a submitted pool, and has typed a comment on its first map. */
  const reviewWith = async (comment: string) => {
    const { poolGuid } = await draft(2);
    await api('pooler-one', 'POST', `/pools/${poolGuid}/submit`);
    const page = await openPool(desks.two, poolGuid);
    const { maps } = await mapsOf(poolGuid);
    await page.selectOption('[name="map"]', maps[0].mapGuid);
    await page.getByRole('button', { name: 'Comment on this map' }).click();
    await page.keyboard.insertText(comment);
    return { page, poolGuid };
  };

  test.each(['approve', 'request_changes'])(
    'a review is there once when the answer was lost and it is sent again: %s',
    async (verdict) => {
      const { page, poolGuid } = await reviewWith('A good one.');
      await page.fill('[name="comment"]', 'Seen.\nAll of it. ');
      await page.check(`[value="${verdict}"]`);
      await loseAnswer(page, `**/pools/${poolGuid}/reviews`);
      const form = page.locator('form[aria-label="Review"]');
      await form.locator('button[type="submit"]').click();
      await form.locator('[data-problem=""]').waitFor();
      await form.locator('button[type="submit"]').click();
      await page.waitForSelector(`[data-review="${verdict}"]:has-text("A good one.")`);
      await status(page, verdict === 'approve' ? 'in_review' : 'draft');
      expect(await page.locator('[data-kept-review]').count()).toBe(0);
      expect((await api('admin', 'GET', `/pools/${poolGuid}/reviews`)).items).toHaveLength(1);
      await page.unrouteAll();
      noProblems();
    },
  );

  test('a person who acts on an old state sees what changed meanwhile, and continues', async () => {
    const { developer, one } = desks;
    const { poolGuid, name } = await draft(2);
    const page = await openPool(developer, poolGuid);
    await press(page, 'rename');
    await page.fill('.dialog [name="name"]', `${name}, renamed`);
    const [, , third] = someMaps(3, categoryGuid);
    await api('pooler-one', 'POST', `/pools/${poolGuid}/maps`, third);
    await dialog(page).locator('button[type="submit"]').click();
    await dialog(page).locator('[data-problem="STALE"]').waitFor();
    await dialog(page).locator('[data-changed-meanwhile] tr[data-difference="added"]').waitFor();
    await expect.poll(() => page.inputValue('.dialog [name="name"]')).toBe(`${name}, renamed`);
    await dialog(page).locator('button[type="submit"]').click();
    await page.waitForSelector(`h1:has-text("${name}, renamed")`);
    expect((await mapsOf(poolGuid)).maps).toHaveLength(3);

    const submitting = await openPool(one, poolGuid);
    await press(submitting, 'submit');
    await api('pooler-two', 'POST', `/pools/${poolGuid}/submit`);
    await dialog(submitting).locator('button[type="submit"]').click();
    await dialog(submitting).locator('[data-problem="POOL_NOT_EDITABLE"]').waitFor();
    await dialog(submitting).locator('[data-changed-meanwhile]:has-text("It is now: In review.")').waitFor();
    noProblems();
  });

  test('a review keeps its text when the pool was decided meanwhile', async () => {
    const { page, poolGuid } = await reviewWith('Half an hour of thought.');
    await page.fill('[name="comment"]', 'All of it is good.');
    await page.check('[value="approve"]');
    await api('admin', 'POST', `/pools/${poolGuid}/reviews`, { verdict: 'request_changes', comment: 'No.' });
    await page.click('form[aria-label="Review"] button[type="submit"]');
    await status(page, 'draft');
    const kept = await page.locator('[data-kept-review]').textContent();
    expect(kept).toContain('Half an hour of thought.');
    expect(kept).toContain('All of it is good.');
    await page.waitForSelector('[data-changed-meanwhile]:has-text("It is now: Draft.")');
    await page.reload();
    await page.locator('[data-kept-review]', { hasText: 'Half an hour of thought.' }).waitFor();

    // Submitted again with another map, it can be sent against what is there now.
    const [, , third] = someMaps(3, categoryGuid);
    await api('pooler-one', 'POST', `/pools/${poolGuid}/maps`, third);
    await api('pooler-one', 'POST', `/pools/${poolGuid}/submit`);
    await openPool(desks.two, poolGuid);
    await page.fill('[name="comment"]', 'Good now.');
    await page.check('[value="approve"]');
    await page.click('form[aria-label="Review"] button[type="submit"]');
    await page.waitForSelector('[data-review="approve"]:has-text("Good now.")');
    noProblems();
  });

  test('a file is previewed before it is added, with the problem of each row', async () => {
    const { one, developer } = desks;
    const { poolGuid, name } = await draft(1);
    const page = await openPool(one, poolGuid);
    await page.click('[data-files] summary');
    const [, good] = someMaps(2, categoryGuid);
    const table = (rows: string[]) => ({
      name: 'maps.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['key,difficulty', ...rows].join('\n')),
    });
    const row = `${good?.key},${good?.difficulty}`;
    const latin1 = Buffer.from('key,difficulty,category\nfffffff,Expert,Übung', 'latin1');
    await page.setInputFiles('[name="file"]', { ...table([]), buffer: latin1 });
    await page.waitForSelector('[data-files] .warning:has-text("in UTF-8")');
    await page.setInputFiles('[name="file"]', table([row, 'fffffff,Expert']));
    await page.selectOption('[data-files] [name="category"]', categoryGuid);
    await page.click('[data-files] button[type="submit"]');
    await page.waitForSelector('[data-rows] [data-code="MAP_NOT_FOUND"]:has-text("Row 2")');
    await page.setInputFiles('[name="file"]', table([row]));
    await page.click('[data-files] button[type="submit"]');
    await page.waitForSelector('[data-files] [role="status"]:has-text("1 map would be added")');
    expect((await mapsOf(poolGuid)).maps).toHaveLength(1);
    // The answer is lost, and so is the first look at the pool.
    await loseAnswer(page, '**/import.csv*');
    await page.route(`**/pools/${poolGuid}/maps`, (route) => route.abort(), { times: 1 });
    await page.click('[data-files] button[type="submit"]');
    await page.waitForSelector('[data-files] [data-problem=""]');
    await page.click('[data-files] button[type="submit"]');
    await page.waitForSelector('[data-facts]:has-text("2 maps")');
    await page.locator('.notice', { hasText: '1 map added.' }).first().waitFor();
    expect(await page.locator('[data-files] [data-problem]').count()).toBe(0);
    // The table takes it for one's own change.
    await expect.poll(() => page.locator('.pool-grid tbody tr').count()).toBe(2);
    expect(await page.locator('[data-meanwhile]').count()).toBe(0);
    await page.unrouteAll();
    const link = page.getByRole('link', { name: 'Table (CSV)' });
    await Promise.all([page.waitForEvent('download'), link.click()]);
    const file = await page.request.get(await link.evaluate((anchor: HTMLAnchorElement) => anchor.href));
    expect(file.status()).toBe(200);
    expect(file.headers()['content-disposition']).toContain(name);

    const deleting = await openPool(developer, poolGuid);
    expect(await confirm(deleting, 'remove')).toContain('with 2 maps');
    await deleting.waitForURL('**/staff/pools');
    expect((await service.request('admin', 'GET', `/pools/${poolGuid}`)).status).toBe(404);
    noProblems();
  });

  test.each(['draft', 'in_review', 'published'])(
    'a pool that is %s is accessible, fits on a phone, and shows hostile names as text',
    async (wanted) => {
      const { two } = desks;
      const copied = await api('admin', 'POST', `/pools/${published.poolGuid}/copy`, {
        name: HOSTILE.script.slice(0, 100),
      });
      const pool = `/pools/${copied.poolGuid}`;
      const [{ mapGuid }] = (await mapsOf(copied.poolGuid)).maps;
      await api('pooler-one', 'PATCH', `${pool}/maps/${mapGuid}`, { modifiers: ['NF'] });
      if (wanted !== 'draft') await api('pooler-one', 'POST', `${pool}/submit`);
      if (wanted === 'published') {
        const rows = [{ mapGuid, comment: HOSTILE.quotes }];
        await api('pooler-two', 'POST', `${pool}/reviews`, {
          verdict: 'approve',
          comment: HOSTILE.direction,
          rows,
        });
        await api('admin', 'POST', `${pool}/publish`);
      }
      const page = await openPool(two, copied.poolGuid);
      await page.waitForSelector('[data-differences] tr[data-difference="changed"]');
      if (wanted === 'in_review') await page.locator('tr[data-difference="changed"] button').click();
      expect(await axeFindings(two.context, page)).toEqual([]);
      for (const width of [360, 640]) {
        await page.setViewportSize({ width, height: 740 });
        expect(await overflows(page)).toBe(false);
      }
      await page.setViewportSize({ width: 1280, height: 720 });
      expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
      noProblems();
    },
  );
});
