import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, overflows } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { HOSTILE } from '../pages/scene.ts';
import { playRound, publish, type Round } from '../replays/round.ts';
import { type Desk, loseAnswer, takeDesk } from './staff-browser.ts';

/** Replays under review, judged in the console. */

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

/** A false claim: the replay does not agree with the score. */
const CHEATED = { changes: { claim: (score: number) => Math.floor(score * 0.99) } };

describe.skipIf(executable === null)(`replays under review${needed}`, () => {
  let service: TestService;
  let browser: Browser;
  let queueGuid: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), openChromium(executable ?? '')]);
    ({ queueGuid } = await service.openQueue());
    // The local provider has one admin; this pooler becomes a second one.
    const me = await service.request('pooler-one', 'GET', '/auth/me');
    const granted = { roles: ['role:admin'] };
    const path = `/players/${me.body.playerGuid}/roles`;
    expect((await service.request('admin', 'PUT', path, granted)).status).toBe(200);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const reviewsOf = async ({ matchGuid }: Round, query = '') =>
    (await service.request('admin', 'GET', `/replay-reviews?matchGuid=${matchGuid}${query}`)).body.items;
  /** A round whose first player claims too much: one review. */
  async function cheated(names?: [string, string]): Promise<Round> {
    const round = await playRound(service, queueGuid, { ...CHEATED, names });
    const [a] = round.players;
    expect((await publish(service, round, a, a.play.replay)).body.verdict).toBe('mismatch');
    return round;
  }
  const open = (account: string, query = '') =>
    takeDesk(browser, { service, account, path: `/staff/reviews${query}` });
  const shown = (page: Page, reviewGuid: string) =>
    page.waitForSelector(
      `[data-review="${reviewGuid}"] .decide, [data-review="${reviewGuid}"] [data-decided]`,
    );
  const finish = async (desk: Desk) => {
    expect(desk.problems).toEqual([]);
    await desk.close();
  };

  test('are decided by keyboard alone, one after the other', async () => {
    const rounds = [await cheated(), await cheated()];
    const [first, second] = rounds as [Round, Round];
    const [, other] = first.players;
    await publish(service, first, other, other.play.replay);
    // The one that waits longest comes first.
    const [one, three] = await reviewsOf(first);
    const [two] = await reviewsOf(second);
    const { page, ...desk } = await open('admin');
    await shown(page, one.reviewGuid);
    // Both players' evidence of the round, with every check.
    for (const { guid } of first.players) {
      const checks = page.locator(`[data-player="${guid}"] tr[data-check]`);
      await checks.first().waitFor();
      await expect.poll(() => checks.count()).toBe(16);
    }
    const failed = page.locator(`[data-player="${one.player.playerGuid}"] tr[data-ok="false"]`);
    await expect.poll(() => failed.getAttribute('data-check')).toBe('recomputedScore');
    await expect.poll(() => failed.textContent()).toContain('decisive');
    await expect.poll(() => failed.textContent()).toContain(one.replay.checks[5].expected);
    await expect.poll(() => failed.textContent()).toContain(one.replay.checks[5].actual);
    // Both limits of the play and its time are in the reader's own time zone.
    const played = page.locator(
      `[data-player="${one.player.playerGuid}"] tr[data-check="timeWindow"] time[datetime$="Z"]`,
    );
    const times = await played.allTextContents();
    expect(times).toHaveLength(3);
    expect(times.join()).not.toMatch(/\dT\d|Z/);
    await page.waitForSelector(`[data-match="${first.matchGuid}"] a[href$="match/${first.matchGuid}"]`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click(`[data-player="${one.player.playerGuid}"] a[download]`),
    ]);
    expect(download.suggestedFilename()).toBe(`${one.replay.replayGuid}.bsor`);

    const { keyboard } = page;
    await keyboard.press('j');
    await shown(page, two.reviewGuid);
    await keyboard.press('k');
    await shown(page, one.reviewGuid);
    // Keys do nothing while one types.
    await keyboard.press('u');
    await expect.poll(() => page.locator('.decide').textContent()).toContain('It changes no result');
    await keyboard.type('judged: k u d j');
    await keyboard.press('Escape');
    await keyboard.press('j');
    await shown(page, two.reviewGuid);
    await keyboard.press('k');
    await shown(page, one.reviewGuid);
    await keyboard.press('u');
    await expect.poll(() => page.inputValue('.decide input')).toBe('judged: k u d j');
    await keyboard.press('Enter');
    await shown(page, two.reviewGuid);
    expect((await reviewsOf(first))[0]).toMatchObject({ decision: 'upheld', comment: 'judged: k u d j' });
    await keyboard.press('d');
    await keyboard.insertText('The recorder rounds.');
    await keyboard.press('Enter');
    await shown(page, three.reviewGuid);
    await page.locator(`[data-earlier="${one.player.playerGuid}"]`).getByText('judged: k u d j').waitFor();
    await keyboard.press('d');
    await keyboard.insertText('The same recorder.');
    await keyboard.press('Enter');
    // It was the last one: it stays, as decided.
    await page.waitForSelector(`[data-review="${three.reviewGuid}"] [data-decided]`);
    expect((await reviewsOf(second))[0]).toMatchObject({
      decision: 'dismissed',
      comment: 'The recorder rounds.',
    });
    await finish({ page, ...desk });
  });

  test('keep the focused element in sight above the bar of the decision, and do not scroll while a comment is typed', async () => {
    const round = await cheated();
    const [, other] = round.players;
    await publish(service, round, other, other.play.replay);
    const desk = await open('admin', `?matchGuid=${round.matchGuid}`);
    const { page } = desk;
    const [{ reviewGuid }] = await reviewsOf(round);
    await shown(page, reviewGuid);
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.locator('tr[data-check]').last().waitFor();
    await page.keyboard.press('u');
    await page.keyboard.press('Escape');
    await page.evaluate(() => scrollTo(0, 0));
    await page.focus('.desk-list a');
    /** The focused element: whether it is in the decision, and how far the decision covers it, or the beginning of a table. */
    const focused = () =>
      page.evaluate(() => {
        const [one, bar] = [document.activeElement, document.querySelector('.decide')];
        if (one === null || bar === null) throw new Error('Nothing has the focus.');
        const { top, height } = one.getBoundingClientRect();
        const covered = top + Math.min(height, 100) - bar.getBoundingClientRect().top;
        return { isInside: bar.contains(one), covered, text: one.textContent };
      });
    const hidden: unknown[] = [];
    let links = 0;
    for (let isInside = false; !isInside && links < 100; links += 1) {
      await page.keyboard.press('Tab');
      const one = await focused();
      ({ isInside } = one);
      if (!isInside && one.covered > 0) hidden.push(one);
    }
    expect(links).toBeGreaterThan(8);
    expect(hidden).toEqual([]);
    // Typing in the decision does not scroll the page.
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('.decide input').pressSequentially('abc');
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await finish(desk);
  });

  test('of a copy show whose play it is, and lead to that replay and its match', async () => {
    const [first, second] = [await playRound(service, queueGuid), await playRound(service, queueGuid)];
    const [a] = first.players;
    const [c] = second.players;
    const original = (await publish(service, first, a, a.play.replay)).body;
    await publish(service, second, c, a.play.replay);
    const [copy] = await reviewsOf(second, '&reason=copy');
    const desk = await open('admin', `?reason=copy&matchGuid=${second.matchGuid}`);
    const { page } = desk;
    await shown(page, copy.reviewGuid);
    const origin = page.locator(`[data-copy-of="${original.replayGuid}"]`);
    await origin.getByText('byte for byte').waitFor();
    await expect.poll(() => origin.textContent()).toContain(a.name);
    const addresses = await origin
      .locator('a')
      .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
    expect(addresses).toEqual(
      expect.arrayContaining([
        `/staff/players/${a.guid}`,
        `/replays/${original.replayGuid}/download`,
        `/staff/matches/${first.matchGuid}`,
        `/match/${first.matchGuid}`,
      ]),
    );
    await finish(desk);
  });

  test('that two admins decide at once keep the first decision; the second admin sees it and continues', async () => {
    const rounds = [await cheated(), await cheated()];
    const [one] = await reviewsOf(rounds[0] as Round);
    const [two] = await reviewsOf(rounds[1] as Round);
    const query = `?at=${one.reviewGuid}`;
    const [mine, theirs] = [await open('admin', query), await open('pooler-one', query)];
    await Promise.all([shown(mine.page, one.reviewGuid), shown(theirs.page, one.reviewGuid)]);
    await mine.page.keyboard.press('u');
    await mine.page.keyboard.insertText('It claims too much.');
    await mine.page.keyboard.press('Enter');
    await shown(mine.page, two.reviewGuid);
    await theirs.page.keyboard.press('d');
    await theirs.page.keyboard.insertText('I see nothing.');
    await theirs.page.keyboard.press('Enter');
    await shown(theirs.page, two.reviewGuid);
    const told = theirs.page.locator(`[data-meanwhile="${one.reviewGuid}"]`);
    await told.getByText('Local Admin').first().waitFor();
    await expect.poll(() => told.textContent()).toMatch(/upheld.*It claims too much/s);
    await told.locator('q', { hasText: 'I see nothing.' }).waitFor();
    expect((await reviewsOf(rounds[0] as Round))[0]).toMatchObject({ decision: 'upheld' });
    // Nothing is left to decide.
    await told.locator('a', { hasText: 'again' }).click();
    await theirs.page.waitForSelector(`[data-review="${one.reviewGuid}"] [data-decided]`);
    expect(await theirs.page.locator('.decide').count()).toBe(0);
    for (const desk of [mine, theirs]) await finish(desk);
  });

  test('say which comment is stored when the answer was lost and another comment is sent', async () => {
    const [first, second] = [await cheated(), await cheated()];
    const [[one], [two]] = [await reviewsOf(first), await reviewsOf(second)];
    const desk = await open('admin', `?at=${one.reviewGuid}`);
    const { page } = desk;
    await shown(page, one.reviewGuid);
    await loseAnswer(page, '**/resolve');
    await page.keyboard.press('d');
    await page.keyboard.insertText('Fine.');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.decide [data-problem=""]');
    await page.fill('.decide input', 'Fine: the recorder rounds.');
    await page.keyboard.press('Enter');
    await shown(page, two.reviewGuid);
    const told = page.locator(`[data-meanwhile="${one.reviewGuid}"]`);
    await told.getByText('You have decided').waitFor();
    await told.locator('q', { hasText: /^Fine\.$/ }).waitFor();
    await told.locator('q', { hasText: 'Fine: the recorder rounds.' }).waitFor();
    expect(await page.locator('.notice', { hasText: 'dismissed' }).count()).toBe(0);
    expect((await reviewsOf(first))[0]).toMatchObject({ decision: 'dismissed', comment: 'Fine.' });
    await finish(desk);
  });

  test('keep the review that is selected when the answer to an earlier decision comes late and the next page cannot be read', async () => {
    const rounds = [await cheated(), await cheated(), await cheated()];
    const [one, two, three] = (await Promise.all(rounds.map((round) => reviewsOf(round)))).map(
      ([review]) => review,
    );
    const desk = await open('admin');
    const { page } = desk;
    const isGone = Promise.withResolvers<void>();
    let pages = 0;
    await page.route('**/resolve', async (route) => {
      const response = await route.fetch();
      await isGone.promise;
      await route.fulfill({ response });
    });
    await page.route('**/replay-reviews?*', async (route) => {
      if (route.request().url().includes('cursor=')) {
        pages += 1;
        await route.fulfill({
          status: 503,
          json: { error: { code: 'SERVICE_UNAVAILABLE', message: 'Full.' } },
        });
        return;
      }
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'next' } });
    });
    await page.reload();
    await page.click(`.desk-list a[href*="${one.reviewGuid}"]`);
    await shown(page, one.reviewGuid);
    await page.keyboard.press('d');
    await page.keyboard.insertText('The recorder rounds.');
    const answer = page.waitForResponse('**/resolve');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.click(`.desk-list a[href*="${three.reviewGuid}"]`);
    await shown(page, three.reviewGuid);
    isGone.resolve();
    await (await answer).finished();
    await page.getByText('dismissed', { exact: false }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe(three.reviewGuid);
    await expect.poll(async () => (await reviewsOf(rounds[0] as Round))[0].decision).toBe('dismissed');
    // One attempt for each selection that comes near the end, and none by itself.
    const before = pages;
    await page.click(`.desk-list a[href*="${two.reviewGuid}"]`);
    await shown(page, two.reviewGuid);
    expect(before).toBeGreaterThan(0);
    expect(pages - before).toBeLessThanOrEqual(1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await desk.close();
  });

  test('of a missing replay say that it has come while a comment was typed', async () => {
    const round = await playRound(service, queueGuid);
    const [{ guid: playerGuid, ...a }] = round.players;
    const { matchGuid, roundNumber } = round;
    const reviewGuid = newGuid();
    await service.database.prisma.replayReview.create({
      data: { reviewGuid, matchGuid, roundNumber, playerGuid, reason: 'missing', createdAt: new Date() },
    });
    const desk = await open('admin', `?matchGuid=${matchGuid}`);
    const { page } = desk;
    await shown(page, reviewGuid);
    await page.keyboard.press('u');
    await page.keyboard.insertText('It never came.');
    await publish(service, round, a, a.play.replay);
    await page.keyboard.press('Enter');
    await page.waitForSelector(
      '.decide [data-problem="REPLAY_REVIEW_NOT_FOUND"]:has-text("has come meanwhile")',
    );
    await expect.poll(() => page.inputValue('.decide input')).toBe('It never came.');
    await finish(desk);
  });

  test('take a key that is pressed as soon as their decision is drawn', async () => {
    const { matchGuid } = await cheated();
    const desk = await takeDesk(browser, { service, account: 'admin', path: '/staff/seasons' });
    await desk.page.evaluate(() =>
      new MutationObserver((_, observer) => {
        if (document.querySelector('.decide') === null) return;
        observer.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'u', bubbles: true }));
      }).observe(document.body, { subtree: true, childList: true }),
    );
    await desk.goto(`/staff/reviews?matchGuid=${matchGuid}`);
    await desk.page.waitForSelector('.decide input[name="comment"]:focus');
    await finish(desk);
  });

  test('of the admin’s own match are not offered for a decision', async () => {
    const round = await cheated(['Local Admin', 'Rival']);
    // Until its end it is not even listed.
    await round.players[1].socket.do('forfeit', { matchGuid: round.matchGuid });
    const [review] = await reviewsOf(round);
    const desk = await open('admin', `?matchGuid=${round.matchGuid}`);
    await desk.page.waitForSelector(`[data-review="${review.reviewGuid}"] [data-problem="OWN_MATCH"]`);
    expect(await desk.page.locator('.decide, [data-player]').count()).toBe(0);
    await finish(desk);
    const other = await open('pooler-one', `?matchGuid=${round.matchGuid}`);
    await other.page.waitForSelector('.decide');
    await finish(other);
  });

  test('show hostile names as text, are accessible, and fit on a phone', async () => {
    const round = await cheated();
    const [a, b] = round.players;
    await publish(service, round, b, a.play.replay);
    const [review] = await reviewsOf(round);
    const { prisma } = service.database;
    const playerGuid = { in: [a.guid, b.guid] };
    const path = `/replay-reviews/${review.reviewGuid}/resolve`;
    await service.request('admin', 'POST', path, { decision: 'dismissed', comment: HOSTILE.script });
    const desk = await open('admin');
    const { page } = desk;
    for (const kind of ['script', 'direction', 'long'] as const) {
      await prisma.player.updateMany({ where: { playerGuid }, data: { username: HOSTILE[kind] } });
      await prisma.poolMap.updateMany({ data: { name: HOSTILE[kind] } });
      await desk.goto(`/staff/reviews?status=&playerGuid=${b.guid}`);
      await page.waitForSelector('.decide');
      await page.waitForSelector(`[data-earlier="${a.guid}"] li`);
      await page.waitForSelector('[data-copy-of] code, [data-copy-of] time');
      await page.keyboard.press('u');
      await page.waitForSelector('.decide form');
      expect(await page.evaluate('window.stolen')).toBe(undefined);
      for (const width of [360, 640, 1280]) {
        await page.setViewportSize({ width, height: 740 });
        expect([kind, width, await overflows(page)]).toEqual([kind, width, false]);
      }
    }
    // The page has the same elements for each name, so axe checks one of them.
    expect(await axeFindings(desk.context, page)).toEqual([]);
    await finish(desk);
  });

  test('are filtered by status, reason, player and match', async () => {
    const round = await cheated();
    const [a] = round.players;
    const [review] = await reviewsOf(round);
    const desk = await open('admin');
    const { page } = desk;
    await page.waitForSelector('.desk-list li');
    await page.fill('.filters input[placeholder="name"]', a.name);
    await page.keyboard.press('Enter');
    await page.click(`.filters button:has-text("${a.name}")`);
    await shown(page, review.reviewGuid);
    await expect.poll(() => page.locator('.desk-list li').count()).toBe(1);
    await page.selectOption('.filters select >> nth=1', 'copy');
    await page.waitForSelector('p.quiet:has-text("No replay is under review here.")');
    await page.selectOption('.filters select >> nth=1', '');
    await page.waitForSelector('.desk-list li');
    await page.click('.chosen button');
    await page.fill('.filters input[placeholder^="address"]', 'no match');
    await page.keyboard.press('Enter');
    await page.getByText('That is no address').waitFor();
    await page.fill('.filters input[placeholder^="address"]', `${service.url}/match/${round.matchGuid}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**matchGuid=${round.matchGuid}*`);
    await page.selectOption('.filters select >> nth=0', 'resolved');
    await page.waitForSelector('p.quiet:has-text("No replay is under review here.")');
    // The address says it all.
    await page.reload();
    await page.waitForSelector('p.quiet:has-text("No replay is under review here.")');
    await expect.poll(() => page.inputValue('.filters select >> nth=0')).toBe('resolved');
    await finish(desk);
  });
});
