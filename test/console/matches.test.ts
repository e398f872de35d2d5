import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, overflows } from '../harness/pages.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, playRound, type SocketPlayer, toFirstPick } from '../harness/socket-player.ts';
import { HOSTILE, renameAll } from '../pages/scene.ts';
import { playRound as playReplayedRound, publish } from '../replays/round.ts';
import { cutOnPaper, type Desk, loseAnswer, openDesk } from './staff-browser.ts';

/** What staff see of matches, and what an admin does with one, in a real browser. */

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

describe.skipIf(executable === null)(`matches in the console${needed}`, () => {
  let service: TestService;
  let browser: Browser;
  let admin: Desk;
  let queueGuid: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), openChromium(executable ?? '')]);
    ({ queueGuid } = await service.openQueue({ rules: { pairing: { initialGap: 10_000 } } }));
    admin = await openDesk(browser, { service, account: 'admin' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const connect = (...names: string[]): Promise<SocketPlayer[]> =>
    Promise.all(names.map((name) => service.connect(name)));
  const read = async (path: string) => (await service.request(null, 'GET', path)).body;
  const guidOf = (player: SocketPlayer): string => player.match.you.player.playerGuid;
  /** Two players in a match that both have joined. */
  const started = async (red: string, blue: string) => {
    const [one, other] = [await service.connect(red), await service.connect(blue)];
    return [one, other, await meet(one, other, queueGuid)] as const;
  };
  /** A match of two rounds that the first of these players has won by the other's forfeit. */
  async function ended(a: SocketPlayer, b: SocketPlayer): Promise<string> {
    const matchGuid = await meet(a, b, queueGuid);
    await toFirstPick(a, b, matchGuid);
    await playRound(a, b, 0.95, 0.9);
    await playRound(a, b, 0.9, 0.85);
    await b.do('forfeit', { matchGuid });
    await a.status('completed');
    return matchGuid;
  }
  const show = async (matchGuid: string, desk = admin) => {
    await desk.goto(`/staff/matches/${matchGuid}`);
    await desk.page.waitForSelector(`[data-match="${matchGuid}"]`);
  };
  /** What the open dialog says of the ladder, by player: rating and rank. */
  const previewed = async (): Promise<Record<string, string[]>> => {
    await admin.page.waitForSelector('.dialog [data-preview]');
    return Object.fromEntries(
      await admin.page.$$eval('.dialog [data-move]', (rows) =>
        rows.map((row) => [
          row.getAttribute('data-move') ?? '',
          [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? ''),
        ]),
      ),
    );
  };
  const carryOut = async (reason: string): Promise<void> => {
    await admin.page.fill('.dialog input[name="reason"]', reason);
    await admin.page.click('.dialog button[type="submit"]:not([aria-disabled])');
  };
  const closed = () => admin.page.waitForSelector('.dialog', { state: 'detached' });

  test('are listed as they begin and end, with limit and connections, and are filtered by state, player and time', async () => {
    const { page } = admin;
    await admin.goto('/staff/matches');
    await page.waitForSelector('[data-connection="live"]');
    const [anna, bert, matchGuid] = await started('Anna', 'Bert');
    const row = page.locator(`tr[data-match="${matchGuid}"]`);
    await row.locator('[role="timer"]').waitFor();
    await expect.poll(() => row.locator('[role="timer"]').textContent()).toMatch(/^\d+:\d\d$/);
    await expect.poll(() => row.textContent()).toContain('Anna: connected');
    // What was read stays while the connection is lost.
    await admin.context.setOffline(true);
    await page.waitForSelector('[data-connection="old"]');
    await expect.poll(() => row.count()).toBe(1);
    await admin.context.setOffline(false);
    await page.waitForSelector('[data-connection="live"]');
    bert.drop();
    await row.getByText('Bert: connection lost').waitFor();
    await anna.do('forfeit', { matchGuid });
    await row.waitFor({ state: 'detached' });

    await page.selectOption('.filters select >> nth=0', 'ended');
    await row.waitFor();
    expect(page.url()).toContain('state=ended');
    await page.getByLabel('Player').fill('Ber');
    await page.click('.filters form button[type="submit"]');
    await page.click('.filters form button:has-text("Bert")');
    await page.waitForURL(/playerGuid=/);
    await row.waitFor();
    await page.fill('input[type="datetime-local"] >> nth=1', '2020-01-01T00:00');
    await page.locator('input[type="datetime-local"] >> nth=1').press('Enter');
    await page.waitForURL(/until=2020|until=2019/);
    await page.fill('input[type="datetime-local"] >> nth=0', '2019-01-01T00:00');
    await page.locator('input[type="datetime-local"] >> nth=0').blur();
    await page.waitForURL(/since=2019|since=2018/);
    await row.waitFor({ state: 'detached' });
    expect(await axeFindings(admin.context, page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflows(page)).toBe(false);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('are read again some seconds after the last answer, not before a refusal allows it, and once for many events of a queue', async () => {
    const [ugo, vera, matchGuid] = await started('Ugo', 'Vera');
    const { page, close } = await openDesk(browser, { service, account: 'admin' });
    const reads: Route[] = [];
    await page.route('**/matches?*', (route) => void reads.push(route));
    const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const snapshot = event('snapshot', { time: new Date().toISOString(), queues: [], matches: [] });
    await page.route('**/events', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `retry: 600000\n${snapshot}${event('queue', { queueGuid }).repeat(10)}`,
      }),
    );
    await page.clock.install();
    await page.click('.sections a[href$="/staff/matches"]');
    // After its last event the stream ends.
    await page.waitForSelector('[data-connection="old"]');
    const asked = () => expect.poll(() => reads.length);
    await asked().toBe(1);
    await page.clock.fastForward(4_000);
    await page.waitForSelector('.console h1');
    expect(reads.length, 'no read while one is under way').toBe(1);
    await reads[0]?.continue();
    await page.waitForSelector(`tr[data-match="${matchGuid}"]`);
    await page.clock.fastForward(3_000);
    await asked().toBe(2);
    await reads[1]?.fulfill({
      status: 429,
      headers: { 'retry-after': '60' },
      json: { error: { code: 'RATE_LIMITED', message: 'Come back in a moment.' } },
    });
    await page.waitForSelector('[data-problem="RATE_LIMITED"]');
    await page.clock.fastForward(50_000);
    await page.waitForSelector(`tr[data-match="${matchGuid}"]`);
    expect(reads.length, 'no read before it is allowed').toBe(2);
    await page.clock.fastForward(10_000);
    await asked().toBe(3);
    await close();
    await partWays(ugo, vera, matchGuid);
  });

  test('that run are followed, their log is read on demand, and they are aborted', async () => {
    const { page } = admin;
    const [cora, dirk, matchGuid] = await started('Cora', 'Dirk');
    await show(matchGuid);
    await page.waitForSelector('[data-status="awaiting_discards"]');
    // Nothing sends this number while the page is open.
    await page.waitForSelector('.facts dt:has-text("Spectators when last read")');
    await toFirstPick(cora, dirk, matchGuid);
    await page.waitForSelector('[data-status="awaiting_pick"]');
    await playRound(cora, dirk, 0.95, 0.9);
    await page.waitForSelector('td:has-text("95.00 %")');
    await expect
      .poll(() => page.locator('.seat [role="img"]').first().getAttribute('aria-label'))
      .toMatch(/^Health /);

    const audit = () => service.request('admin', 'GET', `/audit-log?target=/matches/${matchGuid}`);
    expect((await audit()).body.items).toEqual([]);
    await page.click('[data-read-log]');
    await page.waitForSelector('.log td:has-text("Cora scores")');
    await expect.poll(() => page.locator('.log').textContent()).toContain('was dealt');
    expect((await audit()).body.items.map((entry: any) => entry.action)).toEqual(['readMatchLog']);
    expect(await axeFindings(admin.context, page)).toEqual([]);

    await page.click('[data-action="abort"]');
    expect(await previewed()).toEqual({});
    await expect
      .poll(() => page.locator('.dialog button[type="submit"]').isDisabled(), {
        message: 'a reason is needed',
      })
      .toBe(true);
    expect(await axeFindings(admin.context, page)).toEqual([]);
    await carryOut('Both lost the sound.');
    await closed();
    await page.waitForSelector('[data-outcome="no_contest"]');
    await cora.status('aborted');
    expect(await page.locator('[data-action="abort"]').count()).toBe(0);
    expect((await audit()).body.items[0]).toMatchObject({
      action: 'abortMatch',
      after: { reason: 'Both lost the sound.' },
    });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflows(page)).toBe(false);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('that have ended are decided after a preview that holds, and undone', async () => {
    const { page } = admin;
    const [emma, finn, gina] = await connect('Emma', 'Finn', 'Gina');
    if (!emma || !finn || !gina) throw new Error('Nobody came.');
    const matchGuid = await ended(emma, finn);
    await finn.do('leaveQueue');
    await ended(finn, gina);
    const ladder = async () => {
      const { entries } = await read(`/leaderboards/${queueGuid}?limit=100`);
      return new Map<string, any>(entries.map((entry: any) => [entry.player.playerGuid, entry]));
    };
    const before = await ladder();

    await show(matchGuid);
    await page.click('[data-action="decide"]');
    await page.check(`.dialog input[value="${guidOf(finn)}"]`);
    await page.waitForSelector('.dialog :text("One later match comes out")');
    const moves = await previewed();
    expect(Object.keys(moves).slice(0, 2).sort()).toEqual([guidOf(emma), guidOf(finn)].sort());
    expect(Object.keys(moves)).toContain(guidOf(gina));
    await carryOut('The replay of Emma is not hers.');
    await closed();
    await page.waitForSelector('.outcome:has-text("Finn wins")');
    const after = await ladder();
    for (const [playerGuid, [rating, rank]] of Object.entries(moves)) {
      const [was, is] = [before.get(playerGuid), after.get(playerGuid)];
      const text = (one: number, other: number) => (one === other ? `${other}` : `${one} → ${other}`);
      expect([rating, rank]).toEqual([text(was.rating, is.rating), text(was.rank, is.rank)]);
    }

    await page.click('[data-action="undo"]');
    await previewed();
    await carryOut('Neither can be proved.');
    await closed();
    await page.waitForSelector('[data-outcome="no_contest"]');
    expect((await read(`/matches/${matchGuid}`)).result.outcome).toBe('no_contest');
    expect(await page.locator('[data-action="undo"]').count()).toBe(0);
    await page.click('[data-read-log]');
    await page.waitForSelector('.log td:has-text("Staff undo the result.")');
    await expect.poll(() => page.locator('.log').textContent()).toContain('The result is a win of Finn.');
  });

  test('that another admin has decided meanwhile are shown as they are now, and the typed reason stays', async () => {
    const { page } = admin;
    const [hugo, iris] = await connect('Hugo', 'Iris');
    if (!hugo || !iris) throw new Error('Nobody came.');
    const matchGuid = await ended(hugo, iris);
    await show(matchGuid);
    await page.click('[data-action="decide"]');
    await previewed();
    await page.mouse.click(5, 5);
    await closed();
    await page.click('[data-action="decide"]');
    await page.check('.dialog input[value="draw"]');
    await previewed();
    await page.fill('.dialog input[name="reason"]', 'Both are right.');
    // A click beside the dialog does not close it, so what was entered stays.
    await page.mouse.click(5, 5);
    await service.request('admin', 'POST', `/matches/${matchGuid}/result`, {
      outcome: 'win',
      winnerGuid: guidOf(iris),
      reason: 'Somebody was faster.',
    });
    await page.click('.dialog button[type="submit"]');
    await page.waitForSelector('.dialog [data-problem="STALE"]');
    await page.waitForSelector('.dialog [data-moved]');
    expect((await read(`/matches/${matchGuid}`)).result.winnerGuid, 'nothing was done').toBe(guidOf(iris));
    await expect.poll(() => page.inputValue('.dialog input[name="reason"]')).toBe('Both are right.');
    await expect.poll(() => page.isChecked('.dialog input[value="draw"]')).toBe(true);
    await previewed();
    await page.click('.dialog button[type="submit"]:not([aria-disabled])');
    await closed();
    await page.waitForSelector('[data-outcome="draw"]');
  });

  test('that end by themselves while a dialog is open cannot be aborted any more', async () => {
    const { page } = admin;
    const [mona, nils, matchGuid] = await started('Mona', 'Nils');
    await show(matchGuid);
    await page.click('[data-action="abort"]');
    await previewed();
    await page.fill('.dialog input[name="reason"]', 'It hangs.');
    await partWays(mona, nils, matchGuid);
    await page.waitForSelector('.dialog [data-over]:has-text("has ended meanwhile")');
    expect(await page.isDisabled('.dialog button[type="submit"]')).toBe(true);
    expect(await page.textContent('.dialog')).not.toContain('The match ends now');
    await page.keyboard.press('Escape');
    await closed();
  });

  test('are aborted, undone and decided when the answers were lost, and the first of two reasons stands', async () => {
    const { page } = admin;
    const [olga, paul, matchGuid] = await started('Olga', 'Paul');
    await show(matchGuid);
    const act = async (action: string, reason: string): Promise<void> => {
      await page.click(`[data-action="${action}"]`);
      await previewed();
      await carryOut(reason);
    };
    await loseAnswer(page, '**/abort');
    await act('abort', 'It hangs.');
    await page.locator('.notice', { hasText: 'The match was aborted.' }).first().waitFor();
    await closed();
    for (const player of [olga, paul]) await player.do('leaveQueue');
    await page.click('[data-action="decide"]');
    await page.check('.dialog input[value="draw"]');
    await previewed();
    await carryOut('Both were ahead.');
    await closed();
    // The stored reason cannot be read after the lost answer. It is read again, and the result not undone again.
    await loseAnswer(page, '**/undo');
    await page.route('**/audit-log?*', (route) => route.abort(), { times: 1 });
    await act('undo', 'Neither was.');
    await page.waitForSelector('.dialog [data-problem=""]:has-text("cannot be reached")');
    await page.click('.dialog button[type="submit"]:not([aria-disabled]):text-is("Try again")');
    await closed();
    await page.waitForSelector('[data-outcome="no_contest"]');

    // The match cannot be read after the lost answer, and the reason is changed before it is sent again.
    await page.click('[data-action="decide"]');
    await page.check('.dialog input[value="draw"]');
    await previewed();
    await loseAnswer(page, '**/result');
    await page.route(`**/matches/${matchGuid}`, (route) => route.abort(), { times: 1 });
    await carryOut('first');
    await page.waitForSelector('.dialog [data-problem=""]:has-text("cannot be reached")');
    await carryOut('second, with the true grounds');
    await page.waitForSelector('.dialog [data-problem]:has-text("This reason stands: “first”")');
    await expect
      .poll(() => page.inputValue('.dialog input[name="reason"]'))
      .toBe('second, with the true grounds');
    await page.keyboard.press('Escape');
    await closed();
    // Without a lost answer as well: the service changes nothing then.
    await page.click('[data-action="decide"]');
    await page.check('.dialog input[value="draw"]');
    await previewed();
    await carryOut('third');
    await page.waitForSelector('.dialog [data-problem]:has-text("This reason stands: “first”")');
    await page.keyboard.press('Escape');
    await closed();
    const { body } = await service.request('admin', 'GET', `/audit-log?target=/matches/${matchGuid}`);
    expect(body.items.map(({ action, after }: any) => [action, after.reason])).toEqual([
      ['decideMatch', 'first'],
      ['undoMatch', 'Neither was.'],
      ['decideMatch', 'Both were ahead.'],
      ['abortMatch', 'It hangs.'],
    ]);
    await page.unrouteAll();
  });

  test('show the replays of both players with their findings', async () => {
    const { page } = admin;
    const round = await playReplayedRound(service, queueGuid, { names: ['Kaja', 'Lars'] });
    const [kaja, lars] = round.players;
    await publish(service, round, kaja, kaja.play.replay);
    const { checks } = (await publish(service, round, lars, kaja.play.replay)).body;
    await round.finish();
    const long = 'modifiers '.repeat(50).trim();
    const replays = '**/replays?*';
    await page.route(replays, async (route) => {
      const list = await (await route.fetch()).json();
      list.items.flatMap((replay: any) => replay.checks).find(({ ok }: any) => !ok).actual = long;
      await route.fulfill({ json: list });
    });
    await show(round.matchGuid);
    await page.waitForSelector(`[data-replay-of="${kaja.guid}"]:has-text("verified")`);
    const row = page.locator(`[data-replay-of="${lars.guid}"]`);
    await row.getByText('does not agree').waitFor();
    const failed = checks.filter(({ ok }: any) => !ok).map(({ name }: any) => name);
    await expect.poll(() => row.locator('li').count()).toBe(failed.length);
    for (const name of failed) await expect.poll(() => row.textContent()).toContain(name);
    await expect.poll(() => row.textContent(), { message: 'the whole evidence' }).toContain(long);
    await page.unroute(replays);
    expect(await axeFindings(admin.context, page)).toEqual([]);
    const link = page.locator(`[data-replay-of="${kaja.guid}"] a`);
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/\.bsor$/);
  });

  test('of the admin are left to other admins, and other staff cannot decide', async () => {
    const { body } = await service.request('admin', 'GET', '/auth/me');
    const token = await service.identityProvider.gameToken({
      platformId: body.platformId ?? platformIdOf(body.username),
      username: body.username,
    });
    const me = await service.connect('admin', { token });
    const [jana] = await connect('Jana');
    if (!jana) throw new Error('Nobody came.');
    const matchGuid = await meet(me, jana, queueGuid);
    await show(matchGuid);
    await admin.page.getByText('You play in this match').waitFor();
    expect(await admin.page.locator('[data-action]').count()).toBe(0);
    expect(await admin.page.locator('[data-read-log]').count()).toBe(0);
    const replays = await service.request('admin', 'GET', `/matches/${matchGuid}/replays`);
    expect(replays.body.error.code).toBe('OWN_MATCH');

    const developer = await openDesk(browser, { service, account: 'developer' });
    await show(matchGuid, developer);
    expect(await developer.page.locator('[data-action], [data-read-log]').count()).toBe(0);
    expect(await developer.page.locator('.sections a[href*="matches"]').count()).toBe(0);
    expect(developer.problems).toEqual([]);
    await developer.close();
    await me.do('forfeit', { matchGuid });
  });

  test('show hostile names as text', async () => {
    const { page } = admin;
    const { items } = await read(`/matches?queueGuid=${queueGuid}&state=ended`);
    const views = [
      '/staff/matches?state=all',
      `/staff/matches/${items[0].matchGuid}`,
      '/staff/queues',
      '/staff/seasons',
    ];
    await page.setViewportSize({ width: 640, height: 740 });
    for (const name of [HOSTILE.script, HOSTILE.direction, HOSTILE.long]) {
      await renameAll({ service }, name);
      for (const view of views) {
        await admin.goto(view);
        await page.waitForSelector('table');
        expect(await overflows(page), `${view} with ${name.slice(0, 20)}`).toBe(false);
        expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
      }
    }
    for (const view of views) {
      await admin.goto(view);
      await page.waitForSelector('table');
      expect(await cutOnPaper(page, 'table'), `${view} on paper`).toBe(0);
    }
    expect(admin.problems).toEqual([]);
  });
});
