import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { daysBetween, instantOf, instantOrNone, localOf } from '../../src/console/parts/instants.ts';
import { discardsText, pairingText } from '../../src/console/queues/meaning.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, focused, overflows } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';
import { type Desk, loseAnswer, openDesk } from './staff-browser.ts';

/** Seasons, categories and queues in the console: in words, and in a real browser. */

test('rules of pairing are described in words that follow from the rule', () => {
  const usual = { initialGap: '150', gapPerSecond: '10', maxGap: '' };
  expect(pairingText(usual)).toBe(
    'At once somebody of 1000 meets 850 to 1150, after 10 s 750 to 1250, after 30 s 550 to 1450, after 60 s 250 to 1750. It grows without an end, so everybody is paired at last.',
  );
  expect(pairingText({ ...usual, maxGap: '300' })).toContain('after 30 s 700 to 1300');
  expect(pairingText({ ...usual, maxGap: '300' })).toContain('It ends to grow at a difference of 300.');
  expect(pairingText({ ...usual, gapPerSecond: '0' })).toBe(
    'At once somebody of 1000 meets 850 to 1150. It never grows.',
  );
  expect(pairingText({ ...usual, maxGap: '100' })).toBe(
    'At once somebody of 1000 meets 900 to 1100. It never grows.',
  );
});

test('a rule that the service would refuse says what it may be', () => {
  const usual = { initialGap: '150', gapPerSecond: '10', maxGap: '' };
  for (const initialGap of ['-5', 'many', '', '1.5', '10001'])
    expect(pairingText({ ...usual, initialGap })).toBe(
      'Difference of ratings at once: it has to be a whole number from 0 to 10000.',
    );
  expect(pairingText({ ...usual, gapPerSecond: '-1' })).toBe(
    'More for each second of waiting: it has to be a number from 0 to 1000.',
  );
  for (const maxGap of ['none', '-300'])
    expect(pairingText({ ...usual, maxGap })).toBe(
      'Difference at most (empty: no end): it has to be a whole number from 0 to 10000.',
    );
  expect(discardsText('9')).toBe('Cards that may be exchanged: it has to be a whole number from 0 to 5.');
  expect(discardsText('1')).toBe('Each player may exchange up to 1 card at the start, once.');
  expect(discardsText('0')).toBe('Nobody may exchange cards.');
});

test('a field for local times shows an instant in the time zone of the reader, and gives the same instant back', () => {
  const at = new Date(2027, 2, 28, 12, 30).toISOString();
  expect(localOf(at)).toBe('2027-03-28T12:30');
  expect(localOf('')).toBe('');
  expect([instantOf(localOf(at)), instantOrNone(localOf(at))]).toEqual([at, at]);
  expect([instantOf('soon'), instantOrNone('soon'), instantOrNone('')]).toEqual([
    'soon',
    undefined,
    undefined,
  ]);
});

test('the length of a season is counted in days; it has none without both ends in their order', () => {
  const at = '2027-03-28T12:30:00.000Z';
  expect(daysBetween(at, '2027-04-07T12:30:00.000Z')).toBe(10);
  expect(daysBetween(at, at)).toBeNull();
  expect(daysBetween('', at)).toBeNull();
});

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

describe.skipIf(executable === null)(`seasons and queues in the console${needed}`, () => {
  let service: TestService;
  let browser: Browser;
  let developer: Desk;
  let known: { queueGuid: string; poolGuid: string; seasonGuid: string };
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), openChromium(executable ?? '')]);
    known = await service.openQueue({ rules: { pairing: { initialGap: 10_000 } } });
    developer = await openDesk(browser, { service, account: 'developer' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const read = async (path: string) => (await service.request('admin', 'GET', path)).body;
  const submit = '.dialog button[type="submit"]';
  const closed = () => developer.page.waitForSelector('.dialog', { state: 'detached' });
  const enterQueue = async (name: string): Promise<void> => {
    await developer.page.fill('[data-form="queue"] input[name="name"]', name);
    await developer.page.selectOption('[data-form="queue"] select', known.poolGuid);
  };
  const expectAccessible = async () => {
    const { page, context } = developer;
    expect(await axeFindings(context, page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflows(page)).toBe(false);
    await page.setViewportSize({ width: 1280, height: 720 });
  };

  test('a season is created and changed; what was typed stays when a season overlaps or somebody else has changed it', async () => {
    const { page } = developer;
    await developer.goto('/staff/seasons');
    await page.waitForSelector(`[data-season="${known.seasonGuid}"]`);
    await page.click('[data-action="new-season"]');
    await page.fill('.dialog input[name="name"]', 'Next <b>year</b>');
    await page.fill('.dialog input[name="startsAt"]', localOf(new Date().toISOString()));
    const ends = page.locator('.dialog input[name="endsAt"]');
    await ends.fill('2020-01-01T00:00');
    expect(await ends.evaluate((field: HTMLInputElement) => field.validity.rangeUnderflow)).toBe(true);
    await ends.fill('2031-01-01T00:00');
    await page.click(submit);
    await page.waitForSelector('.dialog [data-problem="SEASON_OVERLAP"]');
    expect(await page.locator(`${submit}:focus`).count()).toBe(1);
    expect(await axeFindings(developer.context, page)).toEqual([]);
    await expect.poll(() => page.inputValue('.dialog input[name="name"]')).toBe('Next <b>year</b>');
    await page.fill('.dialog input[name="startsAt"]', '2030-12-01T00:00');
    await page.waitForSelector('.dialog :text("It lasts 31 days.")');
    await page.click(submit);
    await closed();
    await page.click('tr:has-text("Next <b>year</b>") button');
    await page.fill('.dialog input[name="name"]', 'Year');
    // The button is enabled once the dialog has read the season.
    await page.waitForSelector(`${submit}:not([aria-disabled])`);
    const season = (await read('/seasons')).items.find((one: any) => one.name === 'Next <b>year</b>');
    await service.request('admin', 'PATCH', `/seasons/${season.seasonGuid}`, { name: 'Anno' });
    await page.click(submit);
    await page.waitForSelector('.dialog [data-problem="STALE"]');
    await page.waitForSelector('.dialog [data-overtaken="name"]:has-text("Anno")');
    await expect.poll(() => page.inputValue('.dialog input[name="name"]')).toBe('Year');
    await page.click(submit);
    await closed();
    await page.waitForSelector('tr:has-text("Year")');
    expect((await read(`/seasons/${season.seasonGuid}`)).name).toBe('Year');
    await expectAccessible();
  });

  test('a field that is chosen before a dialog has set the focus keeps it', async () => {
    const { page } = developer;
    await developer.goto('/staff/seasons');
    await page.evaluate(() =>
      new MutationObserver((_, observer) => {
        const field = document.querySelector<HTMLElement>('.dialog input[name="position"]');
        if (field === null) return;
        observer.disconnect();
        field.focus();
      }).observe(document.body, { childList: true, subtree: true }),
    );
    await page.click('[data-action="new-category"]');
    await page.waitForSelector('.dialog input[name="position"]:focus');
    // The dialog sets the focus after a frame.
    const chosen = await page.evaluate(async () => {
      for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame);
      return document.activeElement?.getAttribute('name');
    });
    expect(chosen).toBe('position');
    await page.keyboard.press('Escape');
    await closed();
  });

  test('a category is created, changed and deleted; one that a pool uses is not deleted', async () => {
    const { page } = developer;
    await developer.goto('/staff/seasons');
    await page.click('[data-action="new-category"]');
    await page.fill('.dialog input[name="name"]', 'stamina');
    await page.fill('.dialog input[name="color"]', 'blue');
    await page.click(submit);
    await page.waitForSelector('.dialog [data-problem="VALIDATION_FAILED"]');
    await page.fill('.dialog input[name="position"]', 'last');
    for (const [field, fault] of [
      ['color', 'Colour: it has to be #RRGGBB, or empty.'],
      ['position', 'Position: it has to be a whole number from 0 to 10000.'],
    ]) {
      await page.waitForSelector(`.dialog input[name="${field}"][aria-invalid="true"]`);
      expect(await page.locator(`.dialog [data-meaning="${field}"]`).textContent()).toBe(fault);
    }
    await page.fill('.dialog input[name="position"]', '');
    await page.fill('.dialog input[name="color"]', '#3355ff');
    await page.click(submit);
    await closed();
    const row = page.locator('tr[data-category]:has-text("stamina")');
    await row.locator('[data-action="change"]').click();
    await page.fill('.dialog input[name="position"]', '7');
    await page.click(`${submit}:not([aria-disabled])`);
    await closed();
    await row.getByRole('cell', { name: '7', exact: true }).waitFor();
    const used = page.locator('tr[data-category]:has-text("Accuracy")');
    await used.locator('[data-action="delete"]').click();
    await page.click(`${submit}:not([aria-disabled])`);
    await page.waitForSelector('.dialog [data-problem="CATEGORY_IN_USE"]');
    await page.keyboard.press('Escape');
    await closed();
    await row.locator('[data-action="delete"]').click();
    await page.click(`${submit}:not([aria-disabled])`);
    await closed();
    await row.waitFor({ state: 'detached' });
    expect((await read('/map-categories')).items).toMatchObject([{ name: 'Accuracy' }]);
  });

  test('a notice stays until it can be read, and as long as the pointer or the keyboard is on it', async () => {
    const desk = await openDesk(browser, { service, account: 'developer', path: '/staff/seasons' });
    const { page } = desk;
    await page.clock.install();
    await page.reload();
    const create = async (name: string) => {
      await page.click('[data-action="new-category"]');
      await page.fill('.dialog input[name="name"]', name);
      await page.click(submit);
    };
    await create('Noticed');
    const notice = page.locator('.notice');
    await notice.waitFor();
    /** Lets what was done be drawn, then time pass, and what is due be drawn. */
    const pass = async (seconds: number) => {
      await page.clock.runFor(100);
      await page.clock.fastForward(seconds * 1000);
      await page.clock.runFor(1000);
    };
    await pass(4);
    expect(await notice.count()).toBe(1);
    await notice.locator('button').focus();
    await pass(60);
    expect(await notice.count()).toBe(1);
    await notice.hover();
    await page.locator('[data-action="new-category"]').focus();
    await pass(60);
    expect(await notice.count()).toBe(1);
    await page.mouse.move(0, 0);
    await pass(15);
    expect(await notice.count()).toBe(0);

    // Two of them are beside each other, each in a line.
    await create('Noticed as well');
    await create('And this');
    await notice.nth(1).waitFor();
    await page.clock.runFor(1000);
    const [later, earlier] = await notice.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().toJSON()),
    );
    expect(earlier.bottom).toBeLessThan(later.top);
    expect(later.height).toBeLessThan(80);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflows(page)).toBe(false);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('a queue is created, its rules are changed with what they mean beside them, and it is opened', async () => {
    const { page } = developer;
    await developer.goto('/staff/queues');
    await page.waitForSelector(`[data-queue="${known.queueGuid}"]`);
    await expectAccessible();
    await enterQueue('Evening');
    await page.click('[data-form="queue"] button[type="submit"]');
    await page.waitForSelector('h1:has-text("Evening")');
    await page.waitForSelector('[data-status="closed"]');
    const queueGuid = new URL(page.url()).pathname.split('/').at(-1);
    const meaning = page.locator('[data-meaning="maxGap"]');
    await expect.poll(() => meaning.textContent()).toContain('after 30 s 550 to 1450');
    // A fault is described at its field. When the form is sent, the field with the fault gets the focus.
    for (const field of ['initialGap', 'gapPerSecond', 'maxGap', 'maxDiscards']) {
      const input = page.locator(`input[name="${field}"]`);
      const good = await input.inputValue();
      await input.fill('many');
      const fault = page.locator(`[data-meaning="${field}"]`, { hasText: 'number from 0 to' });
      await fault.waitFor();
      expect(await page.locator('.fails[data-meaning]').count()).toBe(1);
      await page.click('[data-form="change"] button[type="submit"]');
      const told = page.locator('[data-form="change"] [data-problem="VALIDATION_FAILED"]');
      await expect.poll(() => told.textContent()).toBe(await fault.textContent());
      expect(await page.locator('[aria-invalid="true"]:focus').getAttribute('name')).toBe(field);
      await input.fill(good);
    }
    await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(0);
    await page.fill('input[name="initialGap"]', '100');
    await page.fill('input[name="maxGap"]', '300');
    await expect.poll(() => meaning.textContent()).toContain('after 30 s 700 to 1300');
    await page.fill('input[name="maxDiscards"]', '9');
    const readAgain = page.waitForResponse(
      (response) =>
        response.request().method() === 'GET' && new URL(response.url()).pathname === `/queues/${queueGuid}`,
    );
    await page.click('[data-form="change"] button[type="submit"]');
    await page.waitForSelector('[data-problem="VALIDATION_FAILED"]');
    await readAgain;
    await page.fill('input[name="maxDiscards"]', '1');
    // Somebody else changes the same rule, and another one, before this is saved.
    await service.request('admin', 'PATCH', `/queues/${queueGuid}`, {
      rules: { replaysRequired: true, pairing: { initialGap: 50 } },
    });
    await page.click('[data-form="change"] button[type="submit"]');
    await page.waitForSelector('[data-problem="STALE"]');
    await page.waitForSelector('[data-overtaken="initialGap"]:has-text("50")');
    await page.waitForSelector(':text("listed for review")');
    await page.click('[data-form="change"] button[type="submit"]');
    // There is nothing to forget once it is stored.
    await page.waitForSelector('[data-form="change"] .plain', { state: 'detached' });
    await page.waitForSelector('[data-form="change"] [aria-disabled]:focus');
    await page.fill('[data-form="change"] input[name="name"]', 'Morning');
    await page.click('[data-form="change"] .plain');
    expect([await focused(page), await page.inputValue('[data-form="change"] input[name="name"]')]).toEqual([
      'Name, pool and rules',
      'Evening',
    ]);
    // Neither Enter nor a click sends a form that has nothing to send.
    let sent = 0;
    page.on('request', (request) => {
      sent += request.method() === 'PATCH' ? 1 : 0;
    });
    await page.press('[data-form="change"] input[name="name"]', 'Enter');
    await page.click('[data-form="change"] [aria-disabled]', { force: true });
    page.removeAllListeners('request');
    expect(sent).toBe(0);
    expect((await read(`/queues/${queueGuid}`)).rules).toEqual({
      maxDiscards: 1,
      replaysRequired: true,
      pairing: { initialGap: 100, gapPerSecond: 10, maxGap: 300 },
    });
    await page.click('[data-action="open"]');
    await page.waitForSelector('.dialog :text("Matches are dealt from the pool Pool")');
    await loseAnswer(page, '**/open');
    await page.click(submit);
    await page.locator('.notice', { hasText: 'The queue is open.' }).waitFor();
    await closed();
    await page.unrouteAll();
    await page.waitForSelector('[data-status="open"]');
    // The opener is gone: the heading has the focus.
    await expect.poll(() => focused(page)).toBe('Evening');
    expect((await read(`/queues/${queueGuid}`)).status).toBe('open');
    await expectAccessible();
  });

  test('a new queue is there once when the answer was lost and the form is sent again', async () => {
    const { page } = developer;
    await developer.goto('/staff/queues');
    await enterQueue('Made once');
    await loseAnswer(page, '**/queues');
    await page.click('[data-form="queue"] button[type="submit"]');
    await page.waitForSelector('[data-form="queue"] [data-problem=""]');
    await page.click('[data-form="queue"] button[type="submit"]');
    await page.waitForSelector('h1:has-text("Made once")');
    const made = async (wanted: string) =>
      (await read('/queues?status=closed')).items.filter(({ name }: { name: string }) => name === wanted);
    expect(await made('Made once')).toHaveLength(1);
    await page.unrouteAll();

    // Also when the form was left in between.
    await developer.goto('/staff/queues');
    await enterQueue('Entered again');
    await loseAnswer(page, '**/queues');
    await page.click('[data-form="queue"] button[type="submit"]');
    await page.waitForSelector('[data-form="queue"] [data-problem=""]');
    await developer.goto('/staff/seasons');
    await developer.goto('/staff/queues');
    await enterQueue('Entered again');
    await page.click('[data-form="queue"] button[type="submit"]');
    await page.waitForSelector('h1:has-text("Entered again")');
    expect(await made('Entered again')).toHaveLength(1);
    await page.unrouteAll();
  });

  test('what is typed about a queue is there after another section was opened, until it is stored', async () => {
    const { page } = developer;
    await developer.goto('/staff/queues');
    await enterQueue('Thought about');
    await developer.goto('/staff/seasons');
    await developer.goto('/staff/queues');
    await expect.poll(() => page.inputValue('[data-form="queue"] input')).toBe('Thought about');
    await expect.poll(() => page.inputValue('[data-form="queue"] select')).toBe(known.poolGuid);
    await page.click('[data-form="queue"] button[type="submit"]');
    await page.waitForSelector('h1:has-text("Thought about")');
    const { pathname } = new URL(page.url());
    await page.fill('[data-form="change"] input[name="name"]', 'Thought over');
    await page.fill('[data-form="change"] input[name="maxGap"]', '300');
    await developer.goto('/staff/queues');
    expect(await page.inputValue('[data-form="queue"] input')).toBe('');
    // Meanwhile somebody else stores one of the values, and another one than the other.
    await service.request('admin', 'PATCH', pathname.replace('/staff', ''), {
      name: 'Thought over',
      rules: { pairing: { maxGap: 400 } },
    });
    await developer.goto(pathname);
    await page.waitForSelector('[data-overtaken="maxGap"]:has-text("400")');
    expect(await page.inputValue('[data-form="change"] input[name="maxGap"]')).toBe('300');
    expect(await page.locator('[data-overtaken]').count()).toBe(1);
    await page.click('[data-form="change"] button[type="submit"]');
    await page.waitForSelector('[data-form="change"] .plain', { state: 'detached' });
    expect((await read(pathname.replace('/staff', ''))).rules.pairing.maxGap).toBe(300);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Thought');
    expect(developer.problems).toEqual([]);
  });

  test('a season is created once, and changed, when the answers were lost', async () => {
    const { page } = developer;
    await developer.goto('/staff/seasons');
    await page.click('[data-action="new-season"]');
    await page.fill('.dialog input[name="name"]', 'Far');
    await page.fill('.dialog input[name="startsAt"]', '2040-01-01T00:00');
    await page.fill('.dialog input[name="endsAt"]', '2041-01-01T00:00');
    await loseAnswer(page, '**/seasons');
    // The list of seasons cannot be read after the lost answer.
    await page.route('**/seasons?limit=100', (route) => route.abort(), { times: 1 });
    await page.click(submit);
    await page.waitForSelector('.dialog [data-problem=""]');
    await page.click(submit);
    await closed();
    await page.click('tr[data-season]:has-text("Far") button');
    await page.fill('.dialog input[name="name"]', 'Farther');
    const { items } = await read('/seasons');
    const { seasonGuid } = items.find(({ name }: { name: string }) => name === 'Far');
    await loseAnswer(page, `**/seasons/${seasonGuid}`, 'PATCH');
    await page.click(`${submit}:not([aria-disabled])`);
    await closed();
    await page.waitForSelector('tr[data-season]:has-text("Farther")');
    expect((await read('/seasons')).items).toHaveLength(items.length);
    await page.unrouteAll();
  });

  test('a category is created, changed and deleted when the answers were lost', async () => {
    const { page } = developer;
    await developer.goto('/staff/queues');
    await developer.goto('/staff/seasons');
    await page.click('[data-action="new-category"]');
    await page.fill('.dialog input[name="name"]', 'lost');
    await page.fill('.dialog input[name="color"]', '#3355ff');
    await loseAnswer(page, '**/map-categories');
    await page.click(submit);
    await closed();
    const row = page.locator('tr[data-category]:has-text("lost")');
    const categoryGuid = await row.getAttribute('data-category');
    const one = `**/map-categories/${categoryGuid}`;
    // The change is stored, and no field differs from it any more.
    await row.locator('[data-action="change"]').click();
    await page.fill('.dialog input[name="position"]', '7');
    await page.waitForSelector(`${submit}:not([aria-disabled])`);
    let reads = 0;
    await page.route(one, async (route) => {
      if (route.request().method() !== 'GET' || reads++ > 0) return route.fallback();
      await route.abort();
    });
    await loseAnswer(page, one, 'PATCH');
    await page.click(submit);
    await page.waitForSelector('.dialog [data-problem=""]');
    await row.locator('td', { hasText: /^7$/ }).waitFor();
    await page.click(`${submit}:not([aria-disabled])`);
    await closed();
    // A category is deleted with the entity tag that was read. When that read fails, it is shown and can be repeated.
    await page.route(one, (route) => route.abort(), { times: 1 });
    await row.locator('[data-action="delete"]').click();
    await page.click('.dialog [data-problem=""] button:text-is("Try again")');
    await loseAnswer(page, one, 'DELETE');
    await page.click(`${submit}:not([aria-disabled])`);
    await closed();
    await row.waitFor({ state: 'detached' });
    const { body } = await service.request('admin', 'GET', '/map-categories');
    expect(body.items.map((category: { name: string }) => category.name)).not.toContain('lost');
    await page.unrouteAll();
  });

  test('changed rules count as saved when the answer was lost', async () => {
    const { page } = developer;
    const { queueGuid } = known;
    await developer.goto(`/staff/queues/${queueGuid}`);
    await page.fill('input[name="maxDiscards"]', '3');
    await loseAnswer(page, `**/queues/${queueGuid}`, 'PATCH');
    await page.click('[data-form="change"] button[type="submit"]');
    await page.locator('.notice', { hasText: 'The queue was changed.' }).first().waitFor();
    await page.waitForSelector('[data-form="change"] .plain', { state: 'detached' });
    expect(await page.locator('[data-form="change"] [data-problem]').count()).toBe(0);
    expect((await read(`/queues/${queueGuid}`)).rules.maxDiscards).toBe(3);
    await page.unrouteAll();
  });

  test('a view that was left follows no stream any more', async () => {
    const { page } = developer;
    await developer.goto('/staff/queues');
    const followed = () =>
      page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name));
    for (let visit = 0; visit < 2; visit++) {
      await page.click(`[data-queue="${known.queueGuid}"] a`);
      await page.waitForSelector('[data-action="drain"]');
      await page.waitForSelector('[data-connection="live"]');
      expect(await followed()).toEqual([
        `follow queues of staff ${service.url}/events?queueGuid=${known.queueGuid}`,
      ]);
      await page.click('.sections a[href$="/staff/queues"]');
      await page.waitForSelector(`[data-queue="${known.queueGuid}"]`);
      await page.waitForSelector('[data-connection="live"]');
      expect(await followed()).toEqual([`follow queues of staff ${service.url}/events`]);
    }
    await page.click('.sections a[href$="/staff/seasons"]');
    await page.waitForSelector('[data-season]');
    expect(await followed()).toEqual([]);
  });

  test('queues that were closed while the connection was cut are closed once it is live', async () => {
    const { page, context } = developer;
    const { queueGuid } = await service.openQueue();
    const other = await context.newPage();
    await other.goto(`${service.url}/staff/queues/${queueGuid}`);
    await other.waitForSelector('[data-status="open"]');
    await developer.goto('/staff/queues');
    const row = page.locator(`[data-queue="${queueGuid}"]`);
    await row.locator('[data-status="open"]').waitFor();
    for (const tab of [page, other]) await tab.waitForSelector('[data-connection="live"]');
    await context.setOffline(true);
    for (const tab of [page, other]) await tab.waitForSelector('[data-connection="old"]');
    await service.request('admin', 'POST', `/queues/${queueGuid}/close`);
    // A node that nobody followed meanwhile does not know that the queue was open.
    const snapshot = { time: new Date().toISOString(), queues: [], matches: [] };
    await context.route(/\/events(\?|$)/, (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `event: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`,
      }),
    );
    await context.setOffline(false);
    await row.locator('[data-status="closed"]').waitFor();
    await other.waitForSelector('[data-status="closed"]');
    for (const tab of [page, other])
      expect(await tab.locator(`[data-queue="${queueGuid}"] [data-status="open"]`).count()).toBe(0);
    await context.unrouteAll();
    await other.close();
  });

  test('a queue that somebody else opens is listed, with its pool', async () => {
    const { page } = developer;
    await developer.goto('/staff/seasons');
    await developer.goto('/staff/queues');
    await page.waitForSelector('[data-connection="live"]');
    await page.waitForSelector(`[data-queue="${known.queueGuid}"]`);
    const { queueGuid } = await service.openQueue();
    await expect
      .poll(() => page.locator(`[data-queue="${queueGuid}"] td`).allTextContents())
      .toEqual(['open', '0', '0', 'Pool', expect.any(String)]);
  });

  test('a queue whose pool is retired names the pool', async () => {
    const { queueGuid, poolGuid } = await service.openQueue();
    await service.request('admin', 'POST', `/pools/${poolGuid}/retire`);
    await developer.goto(`/staff/queues/${queueGuid}`);
    await expect
      .poll(() => developer.page.locator('select[name="poolGuid"] option:checked').textContent())
      .toBe('Pool');
  });

  test('the list of queues is read once more when events name many unknown queues at once', async () => {
    const { page } = developer;
    // A view that reads no queues.
    await developer.goto('/staff/seasons');
    const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const queue = { ...(await read(`/queues/${known.queueGuid}`)), name: 'Many' };
    const come = Array.from({ length: 20 }, (_, at) => event('queue', { ...queue, queueGuid: `${at}` }));
    const snapshot = event('snapshot', { time: new Date().toISOString(), queues: [queue], matches: [] });
    await page.route('**/events', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `retry: 600000\n${snapshot}${come.join('')}`,
      }),
    );
    const reads: Route[] = [];
    await page.route('**/queues?*', (route) => void reads.push(route));
    await page.click('.sections a[href$="/staff/queues"]');
    // After its last event the stream ends.
    await page.waitForSelector('[data-connection="old"]');
    await expect.poll(() => reads.length).toBe(1);
    await reads[0]?.continue();
    await page.waitForSelector(`[data-queue="${known.queueGuid}"]:has-text("Many")`);
    await expect.poll(() => reads.length).toBe(2);
    const answered = page.waitForResponse('**/queues?*');
    await reads[1]?.continue();
    await answered;
    await page.click('.sections a[href$="/staff/seasons"]');
    await page.waitForSelector('[data-season]');
    expect(reads).toHaveLength(2);
    await page.unrouteAll();
  });

  test('a queue is drained after the dialog said what happens to those who wait and those who play', async () => {
    const { page } = developer;
    const [anna, bert, cora] = [
      await service.connect('Anna'),
      await service.connect('Bert'),
      await service.connect('Cora'),
    ];
    await developer.goto(`/staff/queues/${known.queueGuid}`);
    await page.waitForSelector('[data-connection="live"]');
    const matchGuid = await meet(anna, bert, known.queueGuid);
    await cora.do('joinQueue', { queueGuid: known.queueGuid });
    await page.waitForSelector('[data-status="open"]:has-text("1 player waits, 2 players play")');
    await page.click('[data-action="drain"]');
    const effect = await page.locator('.dialog [data-effect]').textContent();
    expect(effect).toContain('1 player waits: that player is told');
    expect(effect).toContain('2 players play: their matches are finished');
    expect(await axeFindings(developer.context, page)).toEqual([]);
    await page.click(submit);
    await closed();
    await page.waitForSelector('[data-status="draining"]');
    await cora.until(() => cora.queueUpdates.at(-1)?.reason === 'queue_drained', 'the drain');
    await anna.do('forfeit', { matchGuid });
    await page.waitForSelector('[data-status="closed"]');
    await page.waitForSelector('[data-action="open"]');
    expect((await read(`/queues/${known.queueGuid}`)).status).toBe('closed');
    expect(developer.problems).toEqual([]);
  });

  test('poolers can read seasons, categories and queues, and change none of them', async () => {
    const pooler = await openDesk(browser, { service, account: 'pooler-one', path: '/staff/seasons' });
    await pooler.page.waitForSelector(`[data-season="${known.seasonGuid}"]`);
    await pooler.page.waitForSelector('[data-category]');
    expect(await pooler.page.locator('main button:not([aria-label])').count()).toBe(0);
    await pooler.goto('/staff/queues');
    await pooler.page.waitForSelector(`[data-queue="${known.queueGuid}"]`);
    expect(await pooler.page.locator('form').count()).toBe(0);
    await pooler.goto(`/staff/queues/${known.queueGuid}`);
    await pooler.page.waitForSelector(':text("At once somebody of 1000")');
    expect(await pooler.page.locator('[data-action], form').count()).toBe(0);
    expect(pooler.problems).toEqual([]);
    await pooler.close();
  });
});
