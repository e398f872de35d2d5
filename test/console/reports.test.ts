import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, overflows } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { HOSTILE } from '../pages/scene.ts';
import { type Player, playRound, publish, type Round } from '../replays/round.ts';
import { loseAnswer, takeDesk } from './staff-browser.ts';

/** Reports, decided in the console, and the overview that counts what waits. */

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

describe.skipIf(executable === null)(`reports${needed}`, () => {
  let service: TestService;
  let browser: Browser;
  let queueGuid: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), openChromium(executable ?? '')]);
    ({ queueGuid } = await service.openQueue());
    // The local provider has one admin; this pooler becomes a second one.
    const me = await service.request('pooler-one', 'GET', '/auth/me');
    const path = `/players/${me.body.playerGuid}/roles`;
    expect((await service.request('admin', 'PUT', path, { roles: ['role:admin'] })).status).toBe(200);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const play = () => playRound(service, queueGuid);
  async function file(round: Round, by: Player, about: Player, comment: string): Promise<string> {
    const answer = await fetch(`${service.url}/reports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        matchGuid: round.matchGuid,
        playerGuid: about.guid,
        reason: 'cheating',
        comment,
      }),
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { reportGuid: string }).reportGuid;
  }
  const open = (account: string, query = '') =>
    takeDesk(browser, { service, account, path: `/staff/reports${query}` });
  const uphold = async ({ keyboard }: Page, comment: string): Promise<void> => {
    await keyboard.press('u');
    await keyboard.insertText(comment);
    await keyboard.press('Enter');
  };
  const shown = (page: Page, reportGuid: string) =>
    page.waitForSelector(
      `[data-report="${reportGuid}"] .decide, [data-report="${reportGuid}"] [data-decided]`,
    );
  const statusOf = async (reportGuid: string) =>
    (await service.request('admin', 'GET', '/reports')).body.items.find(
      (one: any) => one.reportGuid === reportGuid,
    ).status;

  test('are closed by keyboard with the match beside them, one after the other', async () => {
    const round = await play();
    const [a, b] = round.players;
    // The file of somebody else is under review.
    await publish(service, round, b, a.play.replay);
    const second = await file(round, b, a, 'Just because.');
    const first = await file(round, a, b, 'Nobody hits that.');
    await service.request('admin', 'POST', `/players/${b.guid}/bans`, {
      reason: 'Insults.',
      until: '2099-01-01T00:00:00.000Z',
    });
    const desk = await open('admin');
    const { page } = desk;
    await shown(page, first);
    const one = page.locator(`[data-report="${first}"]`);
    await one.locator(`[data-match="${round.matchGuid}"]`).getByText('replay does not agree').waitFor();
    await one.locator('[data-replays] a').first().waitFor();
    await one.locator('[data-bans]').getByText('Insults.').waitFor();
    await expect.poll(() => one.textContent()).toContain('Nobody hits that.');
    await one.locator(`a[href$="/staff/players/${b.guid}"]`).first().waitFor();
    const { keyboard } = page;
    await keyboard.press('u');
    await expect.poll(() => page.locator('.decide').textContent()).toContain('bans nobody');
    await keyboard.type('judged: just u, d and k');
    await keyboard.press('Enter');
    await shown(page, second);
    expect(await statusOf(first)).toBe('upheld');
    await keyboard.press('d');
    await keyboard.insertText('Nothing.');
    await keyboard.press('Enter');
    await page.waitForSelector(`[data-report="${second}"] [data-decided="dismissed"]`);
    // No other one follows, and the form is gone.
    await page.waitForSelector(`[data-report="${second}"] h2:focus`);
    await keyboard.press('k');
    const decided = page.locator(`[data-report="${first}"] [data-decided="upheld"]`);
    await decided.getByText('judged: just u, d and k').waitFor();

    // The lists beside a report are up to date, also at the second report about the same player.
    await service.database.prisma.report.createMany({
      data: [1, 2].map((minute) => ({
        reportGuid: newGuid(),
        reporterGuid: a.guid,
        matchGuid: newGuid(),
        playerGuid: b.guid,
        reason: 'other',
        status: 'open',
        at: new Date(minute * 60_000),
      })),
    });
    await desk.goto('/staff/seasons');
    await desk.goto(`/staff/reports?playerGuid=${b.guid}`);
    const beside = () => page.locator('[data-earlier] li > strong').allTextContents();
    await expect.poll(async () => (await beside()).sort()).toEqual(['open', 'upheld']);
    await service.request('admin', 'POST', `/players/${b.guid}/bans`, { reason: 'Cheats.', until: null });
    await uphold(page, 'Too.');
    await expect.poll(beside).toEqual(['upheld', 'upheld']);
    await page.locator('[data-bans]', { hasText: 'Cheats.' }).waitFor();
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('that another admin has closed meanwhile say so, with the comments of both', async () => {
    const round = await play();
    const [a, b] = round.players;
    const next = await file(round, b, a, 'The other one.');
    const first = await file(round, a, b, 'Look at this.');
    const [mine, theirs] = [await open('admin'), await open('pooler-one')];
    for (const { page } of [mine, theirs]) await shown(page, first);
    for (const [{ page }, key, comment] of [
      [mine, 'u', 'I saw it.'],
      [theirs, 'd', 'I did not.'],
    ] as const) {
      await page.keyboard.press(key);
      await page.keyboard.insertText(comment);
      await page.keyboard.press('Enter');
      await shown(page, next);
    }
    await theirs.page.locator(`[data-meanwhile="${first}"]`).getByText('I saw it.').waitFor();
    await theirs.page.locator(`[data-meanwhile="${first}"]`).getByText('I did not.').waitFor();
    expect(await statusOf(first)).toBe('upheld');
    for (const desk of [mine, theirs]) {
      expect(desk.problems).toEqual([]);
      await desk.close();
    }
  });

  test('are decided once when the answer was lost and the decision is sent again, and nobody else is said to have decided', async () => {
    const round = await play();
    const [a, b] = round.players;
    const next = await file(round, b, a, 'The other one.');
    const first = await file(round, a, b, 'Look at this.');
    const { page, problems, close } = await open('admin');
    await shown(page, first);
    let wasEditable: boolean | undefined;
    await page.route(
      `**/reports/${first}`,
      async (route) => {
        wasEditable = await page.isEditable('.decide input');
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await uphold(page, 'I saw it.');
    await page.waitForSelector('.decide [data-problem=""]');
    expect(wasEditable, 'what is typed now would be lost').toBe(false);
    expect(await page.isEditable('.decide input')).toBe(true);
    expect(await statusOf(first)).toBe('upheld');
    await page.focus('.decide input');
    await page.keyboard.press('Enter');
    await shown(page, next);
    await page.locator('.notice', { hasText: ': upheld' }).waitFor();
    expect(await page.locator('[data-meanwhile]').count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test('say which comment is stored when the answer was lost and another comment is sent, and name nobody while the audit log cannot be read', async () => {
    const round = await play();
    const [a, b] = round.players;
    const next = await file(round, b, a, 'The other one.');
    const first = await file(round, a, b, 'Look at this.');
    const { page, problems, close } = await open('admin');
    await shown(page, first);
    await loseAnswer(page, `**/reports/${first}`, 'PATCH');
    await uphold(page, 'Yes.');
    await page.waitForSelector('.decide [data-problem=""]');
    await page.fill('.decide input', 'Yes, and a ban was given.');
    await page.route(
      '**/audit-log?*',
      (route) =>
        route.fulfill({ status: 503, json: { error: { code: 'SERVICE_UNAVAILABLE', message: 'Full.' } } }),
      { times: 1 },
    );
    await page.keyboard.press('Enter');
    await page.waitForSelector('.decide [data-problem="SERVICE_UNAVAILABLE"]');
    expect(await page.locator('[data-meanwhile]').count()).toBe(0);
    await page.focus('.decide input');
    await page.keyboard.press('Enter');
    await shown(page, next);
    const told = page.locator(`[data-meanwhile="${first}"]`);
    await told.getByText('You have decided').waitFor();
    await told.locator('q', { hasText: /^Yes\.$/ }).waitFor();
    await told.locator('q', { hasText: 'Yes, and a ban was given.' }).waitFor();
    expect(await page.locator('.notice', { hasText: ': upheld' }).count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test('name the player as soon as the name is known, also when it comes after the decision was sent', async () => {
    const round = await play();
    const [a, b] = round.players;
    const first = await file(round, a, b, 'Look at this.');
    const { page, problems, close } = await takeDesk(browser, { service, account: 'admin', path: '/staff' });
    const [isNamed, isDecided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(`**/players/${b.guid}`, async (route) => {
      await isNamed.promise;
      await route.continue();
    });
    await page.route(`**/reports/${first}`, async (route) => {
      await isDecided.promise;
      await route.continue();
    });
    await page.goto(`${service.url}/staff/reports?playerGuid=${b.guid}`);
    await shown(page, first);
    expect(await page.textContent('.desk-list a')).toMatch(/^…/);
    expect(await page.textContent('.desk-heading')).toMatch(/^…/);
    await page.keyboard.press('u');
    await page.keyboard.insertText('I saw it.');
    await Promise.all([page.waitForRequest(`**/reports/${first}`), page.keyboard.press('Enter')]);
    isNamed.resolve();
    await page.locator('.desk-heading', { hasText: b.name }).waitFor();
    isDecided.resolve();
    await page.locator('.notice', { hasText: `${b.name}: upheld` }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test('say that a name cannot be read, and not that somebody is gone', async () => {
    const round = await play();
    const [a, b] = round.players;
    const first = await file(round, a, b, 'Look at this.');
    const desk = await takeDesk(browser, { service, account: 'admin', path: '/staff' });
    const { page } = desk;
    await page.route(`**/players/${b.guid}`, (route) =>
      route.fulfill({ status: 429, json: { error: { code: 'RATE_LIMITED', message: 'Later.' } } }),
    );
    await desk.goto(`/staff/reports?playerGuid=${b.guid}`);
    await shown(page, first);
    await page.locator('.desk-heading', { hasText: 'cannot be read now' }).waitFor();
    await page.unrouteAll();
    await page.click('[data-report] [data-problem="RATE_LIMITED"] button');
    for (const place of ['.desk-heading', '.desk-list a', '.chosen'])
      await page.locator(place, { hasText: b.name }).waitFor();
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('that an address names are found on a later page of the list', async () => {
    const round = await play();
    const [a, b] = round.players;
    const oldest = await file(round, a, b, 'Look at this.');
    const shared = { matchGuid: round.matchGuid, playerGuid: b.guid, reason: 'other', status: 'open' };
    await service.database.prisma.report.createMany({
      data: Array.from({ length: 8 }, () => ({
        ...shared,
        reportGuid: newGuid(),
        reporterGuid: newGuid(),
        at: new Date(),
      })),
    });
    const { page, problems, close } = await takeDesk(browser, { service, account: 'admin', path: '/staff' });
    await page.route('**/reports?*', (route) =>
      route.continue({ url: route.request().url().replace('limit=25', 'limit=2') }),
    );
    const of = `${service.url}/staff/reports?playerGuid=${b.guid}&at=`;
    await page.goto(`${of}${oldest}`);
    await shown(page, oldest);
    await page.waitForSelector(`.desk-list a[aria-current="true"][href*="${oldest}"]`);
    await page.goto(`${of}${newGuid()}`);
    await page.getByText('This report is not on the list').waitFor();
    expect(await page.locator('.desk-list li').count()).toBe(9);
    expect(problems).toEqual([]);
    await close();
  });

  test('keep what was typed when a link in the form is followed', async () => {
    const round = await play();
    const [a, b] = round.players;
    const first = await file(round, a, b, 'Look at this.');
    const { page, problems, close } = await open('admin');
    await shown(page, first);
    await page.keyboard.press('u');
    await page.keyboard.insertText('I saw it.');
    await page.click('.decide .links a >> nth=0');
    await page.waitForSelector(`[data-match="${round.matchGuid}"] [data-action]`);
    // Back leads to the link as well, also on a page that is read first.
    const toPlayer = `[data-match="${round.matchGuid}"] a[href*="/players/"]`;
    await page.click(`${toPlayer} >> nth=0`);
    await page.waitForSelector('[data-match]', { state: 'detached' });
    await page.goBack();
    await page.waitForSelector(`${toPlayer}:focus`);
    await page.goBack();
    await page.waitForSelector('.decide .links a:focus');
    expect(await page.inputValue('.decide input')).toBe('I saw it.');
    await page.reload();
    await expect.poll(() => page.inputValue('.decide input')).toBe('I saw it.');
    await page.focus('.decide input');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice');
    await page.waitForFunction(() => !JSON.stringify(sessionStorage).includes('I saw it.'));
    expect(problems).toEqual([]);
    await close();
  });

  test('show hostile names as text and are accessible, as is the overview', async () => {
    const round = await play();
    const [a, b] = round.players;
    await file(round, a, b, HOSTILE.script);
    const desk = await open('admin');
    const { page } = desk;
    const { prisma } = service.database;
    for (const kind of ['script', 'long'] as const) {
      await prisma.player.updateMany({
        where: { playerGuid: { in: [a.guid, b.guid] } },
        data: { username: HOSTILE[kind] },
      });
      await prisma.queue.updateMany({ data: { name: HOSTILE[kind] } });
      await prisma.season.updateMany({ data: { name: HOSTILE[kind] } });
      for (const [path, ready] of [
        [`/staff/reports?playerGuid=${b.guid}`, '.decide'],
        ['/staff', '[data-waiting="queues"] li'],
      ] as const) {
        await desk.goto(path);
        await page.waitForSelector(ready);
        for (const width of [360, 640, 1280]) {
          await page.setViewportSize({ width, height: 740 });
          expect([kind, path, width, await overflows(page)]).toEqual([kind, path, width, false]);
        }
        // The page has the same elements for each name, so axe checks one of them.
        if (kind === 'long') expect(await axeFindings(desk.context, page)).toEqual([]);
        expect(await page.evaluate('window.stolen')).toBe(undefined);
      }
    }
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('are counted on the overview for admins, and again when the tab becomes visible', async () => {
    const { page, ...desk } = await takeDesk(browser, { service, account: 'admin', path: '/staff' });
    const waiting = (name: string) => page.locator(`[data-waiting="${name}"]`);
    const count = async () => Number(await waiting('reports').locator('.outcome').textContent());
    const before = await count();
    const round = await play();
    await file(round, round.players[0], round.players[1], 'One more.');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect.poll(count).toBe(before + 1);
    await waiting('reports').locator('a').click();
    await page.waitForURL('**/staff/reports');
    await desk.close();
    const pooler = await takeDesk(browser, { service, account: 'pooler-two', path: '/staff' });
    await pooler.page.waitForSelector('[data-waiting="pools"] a');
    const names = await pooler.page
      .locator('[data-waiting]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-waiting')));
    expect(names).toEqual(['pools', 'season', 'queues', 'matches']);
    expect([...desk.problems, ...pooler.problems]).toEqual([]);
    await pooler.close();
  });
});
