import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOf } from '../../src/console/players/lengths.ts';
import { isConfirmed } from '../../src/pages/parts/erasing.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, focused, overflows } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, toFirstPick } from '../harness/socket-player.ts';
import { HOSTILE } from '../pages/scene.ts';
import { loseAnswer, openDesk, takeDesk } from './staff-browser.ts';

/** What admins do with players in the console, and what a person does on their own page. */

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

describe('the text that confirms an erasure', () => {
  const playerGuid = '01a204a0-408b-77c5-91e6-abf7d318e101';
  const person = (username: string) => ({ playerGuid, username });
  test('is the name as the page shows it, or the id', () => {
    expect(isConfirmed('Anna', person('Anna'))).toBe(true);
    expect(isConfirmed(' Anna ', person('An\u200bna'))).toBe(true);
    expect(isConfirmed(playerGuid.toUpperCase(), person('Anna'))).toBe(true);
    expect(isConfirmed('first second third fourth', person(HOSTILE.lines))).toBe(true);
    for (const wrong of ['', ' ', 'anna', 'Ann', playerGuid.slice(1)])
      expect([wrong, isConfirmed(wrong, person('Anna'))]).toEqual([wrong, false]);
  });
  test('is the id alone if the name is invisible', () => {
    expect(isConfirmed('', person(HOSTILE.unseen))).toBe(false);
    expect(isConfirmed('\u200b', person(HOSTILE.unseen))).toBe(false);
    expect(isConfirmed(playerGuid, person(HOSTILE.unseen))).toBe(true);
  });
});

test('a ban has an end, no end, or one that is not chosen yet', () => {
  const now = Date.parse('2026-03-01T00:00:00.000Z');
  expect(endOf('day', '', now)).toBe('2026-03-02T00:00:00.000Z');
  expect(endOf('month', '', now)).toBe('2026-03-31T00:00:00.000Z');
  expect(endOf('good', '2026-03-02T00:00', now)).toBe(null);
  expect(endOf('other', '', now)).toBe(undefined);
  expect(Date.parse(endOf('other', '2026-03-05T10:00', now) ?? '')).toBe(new Date(2026, 2, 5, 10).getTime());
});

describe.skipIf(executable === null)(`players in the console${needed}`, () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), openChromium(executable ?? '')]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const guidOf = async (name: string): Promise<string> =>
    (await (await service.connect(name)).do('hello')).player.playerGuid;
  const bansOf = async (playerGuid: string) =>
    (await service.request('admin', 'GET', `/players/${playerGuid}/bans`)).body.items;
  const rolesOf = async (playerGuid: string) =>
    (await service.request('admin', 'GET', `/players/${playerGuid}/roles`)).body.roles;

  test('a player is found, banned and unbanned, and gets and loses roles', async () => {
    const playerGuid = await guidOf('Gerda');
    const desk = await takeDesk(browser, { service, account: 'admin', path: '/staff/players' });
    const { page } = desk;
    const search = async (name: string, said: string) => {
      await page.fill('input[name="player"]', name);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.textContent('[data-said]')).toBe(said);
      expect(await focused(page)).toBe('player');
    };
    await search('nobody has this name', 'Nobody of that name.');
    await search('erd', '1 entry.');
    await page.click('[data-found] a');
    await page.waitForURL(`**/staff/players/${playerGuid}`);
    await page.waitForSelector('h1:has-text("Gerda")');
    expect(await axeFindings(desk.context, page)).toEqual([]);

    await page.fill('[data-ban] input[name="reason"]', 'Insults in the chat.');
    await page.selectOption('[data-ban] select', 'week');
    await page.click('[data-ban] button[type="submit"]');
    const dialog = page.locator('.dialog');
    await dialog.locator('text=Insults in the chat.').waitFor();
    await dialog.locator('text=no match').waitFor();
    expect(await bansOf(playerGuid)).toEqual([]);
    expect(await axeFindings(desk.context, page)).toEqual([]);
    await dialog.locator('button[type="submit"]').click();
    await page.waitForSelector('[data-bans] :text("in force")');
    // The opener has the focus again, although there is no reason to send.
    await page.waitForSelector('[data-ban] button[aria-disabled]:focus');
    const [ban] = await bansOf(playerGuid);
    expect(ban).toMatchObject({ reason: 'Insults in the chat.', liftedAt: null });
    expect(Date.parse(ban.until) - Date.parse(ban.createdAt)).toBeGreaterThan(6.9 * 86_400_000);

    await page.click('[data-bans] button');
    await dialog.locator('text=No other ban is in force').waitFor();
    await dialog.locator('button[type="submit"]').click();
    await page.waitForSelector('[data-bans] :text("lifted")');
    // The opener is gone.
    await expect.poll(() => focused(page)).toBe('Bans');
    expect((await bansOf(playerGuid))[0].liftedAt).not.toBe(null);

    await page.check('input[value="role:pooler"]');
    await page.click('button:has-text("Set roles")');
    await dialog.locator('text=role:pooler is granted').waitFor();
    await dialog.locator('button[type="submit"]').click();
    await page.waitForSelector('[data-roles] :text("granted here")');
    await page.waitForSelector('[data-roles] a:has-text("Local Admin")');
    expect(await rolesOf(playerGuid)).toMatchObject([{ role: 'role:pooler', source: 'granted' }]);
    expect(desk.problems).toEqual([]);

    // Meanwhile somebody else takes it away: what is ticked stays, and the table shows how it is.
    await service.request('admin', 'PUT', `/players/${playerGuid}/roles`, { roles: [] });
    await page.check('input[value="role:developer"]');
    await page.click('button:has-text("Set roles")');
    await dialog.locator('button[type="submit"]').click();
    await page.waitForSelector('text=Meanwhile somebody else has set these roles');
    await page.waitForSelector('[data-roles]', { state: 'detached' });
    await expect.poll(() => page.isChecked('input[value="role:developer"]')).toBe(true);
    await page.uncheck('input[value="role:developer"]');
    await page.click('button:has-text("Set roles")');
    await dialog.locator('button[type="submit"]').click();
    await page.waitForSelector('[data-roles] :text("role:pooler")');
    await page.uncheck('input[value="role:pooler"]');
    await page.click('button:has-text("Set roles")');
    await dialog.locator('text=role:pooler is taken away').waitFor();
    await dialog.locator('button[type="submit"]').click();
    await page.waitForSelector('[data-roles]', { state: 'detached' });
    expect(await rolesOf(playerGuid)).toEqual([]);

    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflows(page)).toBe(false);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('a ban that ends in the past is not asked for', async () => {
    const playerGuid = await guidOf('Gero');
    const path = `/staff/players/${playerGuid}`;
    const desk = await takeDesk(browser, { service, account: 'admin', path });
    const { page } = desk;
    await page.fill('[data-ban] input[name="reason"]', 'Insults.');
    await page.selectOption('[data-ban] select', 'other');
    await page.fill('[data-ban] input[name="until"]', '2020-01-01T10:00');
    await page.click('[data-ban] button[type="submit"]');
    await page.waitForSelector('[data-ban] input[name="until"]:invalid:focus');
    expect(await page.locator('.dialog').count()).toBe(0);
    await page.fill('[data-ban] input[name="until"]', '2200-01-01T10:00');
    await page.click('[data-ban] button[type="submit"]');
    await page.waitForSelector('.dialog :text("2200")');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.dialog', { state: 'detached' });
    // Nothing was done: the opener has the focus again.
    await expect.poll(() => page.locator('[data-ban] button:focus').count()).toBe(1);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('a ban is there once when the answer was lost and the dialog is sent again', async () => {
    const playerGuid = await guidOf('Jutta');
    const path = `/staff/players/${playerGuid}`;
    const { page, problems, close } = await takeDesk(browser, { service, account: 'admin', path });
    await page.fill('[data-ban] input[name="reason"]', ' Insults in the cafe\u0301. ');
    await page.click('[data-ban] button[type="submit"]');
    await loseAnswer(page, `**/players/${playerGuid}/bans`);
    const dialog = page.locator('.dialog');
    await dialog.locator('button[type="submit"]').click();
    await dialog.locator('[data-problem=""]').waitFor();
    await page.waitForSelector('[data-bans] :text("in force")');
    await dialog.locator('button[type="submit"]').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await bansOf(playerGuid)).toHaveLength(1);

    // A ban that is given once more on purpose is another one.
    await page.fill('[data-ban] input[name="reason"]', 'Insults in the café.');
    await page.click('[data-ban] button[type="submit"]');
    await dialog.locator('button[type="submit"]').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await bansOf(playerGuid)).toHaveLength(2);
    expect(problems).toEqual([]);
    await close();
  });

  test('a ban is there once when the answer was lost and the dialog is cancelled and opened again', async () => {
    const playerGuid = await guidOf('Karla');
    const path = `/staff/players/${playerGuid}`;
    const { page, problems, goto, close } = await takeDesk(browser, { service, account: 'admin', path });
    const dialog = page.locator('.dialog');
    const lose = async () => {
      await loseAnswer(page, `**/players/${playerGuid}/bans`);
      await page.click('[data-ban] button[type="submit"]');
      await dialog.locator('button[type="submit"]').click();
      await dialog.locator('[data-problem=""]').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    };
    const giveAgain = async () => {
      await page.click('[data-ban] button[type="submit"]');
      await dialog.locator('button[type="submit"]').click();
      await dialog.waitFor({ state: 'detached' });
    };
    await page.fill('[data-ban] input[name="reason"]', 'Insults.');
    await lose();
    await giveAgain();
    expect(await bansOf(playerGuid)).toHaveLength(1);

    // Another view in between, which keeps what was typed.
    await page.fill('[data-ban] input[name="reason"]', 'Threats.');
    await lose();
    await goto('/staff/seasons');
    await goto(path);
    await expect.poll(() => page.inputValue('[data-ban] input[name="reason"]')).toBe('Threats.');
    await giveAgain();
    expect(await bansOf(playerGuid)).toHaveLength(2);

    // One with another end is another one.
    await page.fill('[data-ban] input[name="reason"]', 'Cheats.');
    await lose();
    await page.selectOption('[data-ban] select', 'good');
    await giveAgain();
    expect(await bansOf(playerGuid)).toHaveLength(4);
    expect(problems).toEqual([]);
    await close();
  });

  test('roles are set when the answer was lost, and the next change of roles is not refused', async () => {
    const playerGuid = await guidOf('Lore');
    const path = `/staff/players/${playerGuid}`;
    const { page, problems, close } = await takeDesk(browser, { service, account: 'admin', path });
    await loseAnswer(page, `**/players/${playerGuid}/roles`, 'PUT');
    const roles = ['role:developer', 'role:pooler'];
    for (const role of roles) {
      await page.check(`input[value="${role}"]`);
      await page.click('button:has-text("Set roles")');
      await page.click('.dialog button[type="submit"]');
      await page.waitForSelector('.dialog', { state: 'detached' });
      await page.waitForSelector(`[data-roles] :text("${role}")`);
    }
    expect((await rolesOf(playerGuid)).map(({ role }: { role: string }) => role).sort()).toEqual(roles);
    expect(problems).toEqual([]);
    await close();
  });

  test('the filter by player shows the players of a name page by page', async () => {
    const names = Array.from({ length: 9 }, (_, at) => `Twin${at}`);
    await Promise.all(names.map(guidOf));
    const { page, problems, close } = await takeDesk(browser, {
      service,
      account: 'admin',
      path: '/staff/reports',
    });
    const found = page.locator('.filters button', { hasText: 'Twin' });
    await page.fill('.filters input', 'twin');
    await page.keyboard.press('Enter');
    await expect.poll(() => found.count()).toBe(8);
    await page.click('.filters button:has-text("Show more")');
    await expect.poll(() => found.count()).toBe(9);
    expect(await page.locator('.filters button:has-text("Show more")').count()).toBe(0);
    expect((await found.allTextContents()).sort()).toEqual(names);
    await found.first().click();
    await page.waitForSelector('.chosen');
    expect(problems).toEqual([]);
    await close();
  });

  test('back in a list without the player who was shown, the page is where it was', async () => {
    const names = Array.from({ length: 9 }, (_, at) => `Aunt${at}`);
    await Promise.all(names.map(guidOf));
    const desk = await takeDesk(browser, { service, account: 'admin', path: '/staff/seasons' });
    const { page } = desk;
    await page.setViewportSize({ width: 1280, height: 300 });
    await desk.goto('/staff/players?query=aunt');
    const found = page.locator('[data-found] > li');
    await expect.poll(() => found.count()).toBe(9);
    const [link, place] = [found.nth(4).locator('a'), () => page.evaluate(() => Math.round(scrollY))];
    const name = await link.textContent();
    // As a screen reader does it: the focus scrolls the page, and the link is pressed before the event of the scrolling.
    const before = await link.evaluate((one: HTMLElement) => {
      one.focus();
      const top = Math.round(scrollY);
      one.click();
      return top;
    });
    expect(before).toBeGreaterThan(200);
    await page.waitForSelector(`h1:has-text("${name}")`);
    await page.route('**/players?*', async (route) => {
      const response = await route.fetch();
      const { items, nextCursor } = await response.json();
      const others = items.filter(({ username }: { username: string }) => username !== name);
      await route.fulfill({ response, json: { items: others, nextCursor } });
    });
    await page.goBack();
    await expect.poll(() => found.count()).toBe(8);
    await page.waitForSelector('h1:focus');
    await expect.poll(place).toBe(before);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('a player is exported and erased by an admin, once their match is over', async () => {
    const { queueGuid } = await service.openQueue();
    const [one, two] = [await service.connect('Hanna'), await service.connect('Ida')];
    const matchGuid = await meet(one, two, queueGuid);
    await toFirstPick(one, two, matchGuid);
    const playerGuid: string = one.match.you.player.playerGuid;
    const desk = await takeDesk(browser, {
      service,
      account: 'admin',
      path: `/staff/players/${playerGuid}`,
    });
    const { page } = desk;
    await page.waitForSelector('h1:has-text("Hanna")');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('button:has-text("Download all")'),
    ]);
    expect(download.suggestedFilename()).toBe(`player-${playerGuid}.json`);
    const saved = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(saved.player).toMatchObject({ playerGuid, username: 'Hanna' });

    // The name is still being read when the person is erased: the filter of the audit log shows it.
    const [isAsked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const readsName = ({ pathname }: URL): boolean => pathname === `/players/${playerGuid}`;
    await page.route(
      readsName,
      async (route) => {
        const response = await route.fetch();
        isAsked.resolve();
        await mayAnswer.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await desk.goto(`/staff/audit?actorGuid=${playerGuid}`);
    await isAsked.promise;
    await desk.goto(`/staff/players/${playerGuid}`);
    await page.waitForSelector('h1:has-text("Hanna")');

    const dialog = page.locator('.dialog');
    await page.click('button:has-text("Erase …")');
    await dialog.locator('text=This stays').waitFor();
    await expect.poll(() => dialog.locator('button[type="submit"]').isDisabled()).toBe(true);
    await dialog.locator('input').fill('Hann');
    await expect.poll(() => dialog.locator('button[type="submit"]').isDisabled()).toBe(true);
    await dialog.locator('input').fill('Hanna');
    await dialog.locator('button[type="submit"]').click();
    await dialog.locator('[data-problem="ALREADY_IN_MATCH"]').waitFor();
    await one.do('forfeit', { matchGuid });
    await one.status('aborted', 'completed');
    await dialog.locator('button[type="submit"]').click();
    await page.waitForSelector('[data-erased]');
    await page.waitForSelector('h1:has-text("Erased player")');
    expect(await page.locator('button:has-text("Erase …")').count()).toBe(0);
    expect(await page.content()).not.toContain('Hanna');
    const { body } = await service.request('admin', 'GET', `/players/${playerGuid}`);
    expect(body.username).toBe('Erased player');
    const answered = page.waitForEvent('requestfinished', (request) => readsName(new URL(request.url())));
    mayAnswer.resolve();
    await answered;
    await desk.goto(`/staff/audit?actorGuid=${playerGuid}`);
    await page.waitForSelector('[data-actor] a:has-text("Erased player")');
    expect(await page.textContent('.console')).not.toContain('Hanna');
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('the last admin sees why they are not erased, and nobody bans themselves', async () => {
    const { body: me } = await service.request('admin', 'GET', '/auth/me');
    const desk = await takeDesk(browser, {
      service,
      account: 'admin',
      path: `/staff/players/${me.playerGuid}`,
    });
    const { page } = desk;
    await page.waitForSelector('text=Nobody bans themselves');
    expect(await page.locator('[data-ban]').count()).toBe(0);
    await page.waitForSelector('[data-logins] tbody tr');
    await page.click('button:has-text("Erase …")');
    await page.locator('.dialog input').fill(me.playerGuid);
    await page.locator('.dialog button[type="submit"]').click();
    await page.waitForSelector('[data-problem="LAST_ADMIN"]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.dialog', { state: 'detached' });
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('an admin who erases themselves is told that they are erased', async () => {
    const { body: me } = await service.request('player-two', 'GET', '/auth/me');
    await service.request('admin', 'PUT', `/players/${me.playerGuid}/roles`, { roles: ['role:admin'] });
    const path = `/staff/players/${me.playerGuid}`;
    const desk = await openDesk(browser, { service, account: 'player-two', path });
    const { page } = desk;
    await page.click('button:has-text("Erase …")');
    await page.locator('.dialog input').fill(me.playerGuid);
    // The login goes with the person, so it could not be sent again.
    await loseAnswer(page, '**/erase');
    await page.locator('.dialog button[type="submit"]').click();
    await page.waitForSelector('#me [data-erased]');
    expect(page.url()).toBe(`${service.url}/me`);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('hostile names are texts, on a phone as well', async () => {
    const desk = await takeDesk(browser, { service, account: 'admin', path: '/staff/players' });
    const { page } = desk;
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [kind, name] of Object.entries(HOSTILE)) {
      const playerGuid = await guidOf(kind.slice(0, 4));
      await service.database.prisma.player.update({ where: { playerGuid }, data: { username: name } });
      const ban = { reason: 'A <b>bad</b> name', until: null };
      await service.request('admin', 'POST', `/players/${playerGuid}/bans`, ban);
      await desk.goto(`/staff/players/${playerGuid}`);
      await page.waitForSelector('[data-bans]');
      expect([kind, await page.evaluate('window.stolen')]).toEqual([kind, undefined]);
      expect([kind, await page.locator('.console img, .console b').count()]).toEqual([kind, 0]);
      expect([kind, await overflows(page)]).toEqual([kind, false]);
      expect(await page.title()).not.toMatch(/[\u202a-\u202e\u2066-\u2069\n\u2028\u200b]/);
      await page.click('button:has-text("Erase …")');
      await page.waitForSelector('.dialog [data-erase]');
      expect([kind, await overflows(page)]).toEqual([kind, false]);
      if (kind === 'unseen') expect(await axeFindings(desk.context, page)).toEqual([]);
    }
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('somebody who is banned exports and erases themselves on their own page', async () => {
    const desk = await openDesk(browser, { service, account: 'player-one', path: '/staff' });
    const { page } = desk;
    const { body: me } = await service.request('player-one', 'GET', '/auth/me');
    await service.request('admin', 'POST', `/players/${me.playerGuid}/bans`, {
      reason: 'too loud',
      until: null,
    });
    await page.goto(`${service.url}/me`);
    await page.waitForSelector('text=You are banned: too loud');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('button:has-text("Download all")'),
    ]);
    expect(JSON.parse(await readFile(await download.path(), 'utf8')).bans).toMatchObject([
      { reason: 'too loud' },
    ]);
    expect(await focused(page)).toMatch(/^Download all/);
    await page.click('#erase-me');
    expect(await focused(page)).toBe('Export and erasure');
    await page.click('#erase button:has-text("Keep everything")');
    expect(await focused(page)).toBe('Export and erasure');
    await page.click('#erase-me');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflows(page)).toBe(false);
    expect(await axeFindings(desk.context, page)).toEqual([]);
    const erase = page.locator('#erase button[type="submit"]');
    await expect.poll(() => erase.isDisabled()).toBe(true);
    expect(await erase.evaluate((button) => getComputedStyle(button).opacity)).toBe('0.6');
    await page.fill('#erase input', 'Local Player One');
    await loseAnswer(page, '**/erase');
    await erase.click();
    await page.waitForSelector('[data-erased]');
    expect(page.url()).toBe(`${service.url}/me`);
    expect(await page.locator('#sign-out').count()).toBe(0);
    expect(await page.content()).not.toContain('Local Player One');
    expect(await axeFindings(desk.context, page)).toEqual([]);
    const { body } = await service.request(null, 'GET', `/players/${me.playerGuid}`);
    expect(body.username).toBe('Erased player');
    expect(desk.problems).toEqual([]);
    await desk.close();
  });
});
