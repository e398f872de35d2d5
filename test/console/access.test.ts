import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../src/console/contract.ts';
import { ACCESS, isStaffOnly } from '../../src/domains/auth/access.ts';
import { ACCOUNTS } from '../../src/local/identity-provider/accounts.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { playScene, type Scene } from '../pages/scene.ts';
import { openDesk } from './staff-browser.ts';

/** What the console offers each role is what the access table allows it. The service refuses the rest all the same. */

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

test('the roles that the console knows are those of the access table', () => {
  const forStaff = Object.entries(ACCESS).filter(([, access]) => isStaffOnly(access));
  const roles = forStaff.map(([route, access]) => [route.replaceAll(/:(\w+)/g, '{$1}'), access]);
  expect(ROLES).toEqual(Object.fromEntries(roles));
});

type Operation = keyof typeof ROLES;
/** Where an operation is offered, and what is there to see then. */
type Offer = readonly [operation: Operation, path: string, selector: string];

const inNavigation = (path: string): string => `.sections a[href$="${path}"]`;

const offersOf = ({ queueGuid, endedGuid, runningGuid, playerGuid }: Scene): Offer[] => [
  ['POST /matches/{matchGuid}/abort', '/staff', inNavigation('/staff/matches')],
  ['GET /replay-reviews', '/staff', inNavigation('/staff/reviews')],
  ['GET /reports', '/staff', inNavigation('/staff/reports')],
  ['GET /players/{playerGuid}/bans', '/staff', inNavigation('/staff/players')],
  ['GET /audit-log', '/staff', inNavigation('/staff/audit')],
  ['POST /pools/{poolGuid}/reviews', '/staff', '[data-waiting="pools"]'],
  ['GET /replay-reviews', '/staff', '[data-waiting="reviews"]'],
  ['GET /reports', '/staff', '[data-waiting="reports"]'],
  ['POST /replay-reviews/{reviewGuid}/resolve', '/staff/reviews', '.decide'],
  ['PATCH /reports/{reportGuid}', '/staff/reports', '.decide'],
  ['POST /matches/{matchGuid}/abort', `/staff/matches/${runningGuid}`, '[data-action="abort"]'],
  ['POST /matches/{matchGuid}/result', `/staff/matches/${endedGuid}`, '[data-action="decide"]'],
  ['POST /matches/{matchGuid}/undo', `/staff/matches/${endedGuid}`, '[data-action="undo"]'],
  ['POST /queues', '/staff/queues', '[data-form="queue"]'],
  ['PATCH /queues/{queueGuid}', `/staff/queues/${queueGuid}`, '[data-form="change"]'],
  ['POST /queues/{queueGuid}/drain', `/staff/queues/${queueGuid}`, '[data-action="drain"]'],
  ['POST /seasons', '/staff/seasons', '[data-action="new-season"]'],
  ['PATCH /seasons/{seasonGuid}', '/staff/seasons', '[data-season] button'],
  ['POST /map-categories', '/staff/seasons', '[data-action="new-category"]'],
  ['PATCH /map-categories/{categoryGuid}', '/staff/seasons', '[data-category] [data-action="change"]'],
  ['DELETE /map-categories/{categoryGuid}', '/staff/seasons', '[data-category] [data-action="delete"]'],
  ['POST /players/{playerGuid}/bans', `/staff/players/${playerGuid}`, '[data-ban]'],
  ['PUT /players/{playerGuid}/roles', `/staff/players/${playerGuid}`, 'input[name="role"]'],
];

describe.skipIf(executable === null)(`the console${needed}`, () => {
  let scene: Scene;
  let browser: Browser;
  beforeAll(async () => {
    [scene, browser] = await Promise.all([playScene(), openChromium(executable ?? '')]);
    const { service, endedGuid, playerGuid } = scene;
    const { players } = (await service.request(null, 'GET', `/matches/${endedGuid}`)).body;
    const [reporter] = players.filter((player: any) => player.playerGuid !== playerGuid);
    const filed = await fetch(`${service.url}/reports`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await service.gameToken(reporter.username)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ matchGuid: endedGuid, playerGuid, reason: 'other' }),
    });
    expect(filed.status).toBe(201);
    const about = { matchGuid: endedGuid, roundNumber: 1, playerGuid };
    await service.database.prisma.replayReview.create({
      data: { ...about, reviewGuid: newGuid(), reason: 'missing', createdAt: new Date() },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.service.stop();
  });

  test.each(['admin', 'developer', 'pooler-two'] as const)(
    'shows %s what the access table allows',
    async (account) => {
      const { permissions } = ACCOUNTS[account];
      const { page, ...desk } = await openDesk(browser, { service: scene.service, account });
      const isLoading = () => page.getByText('Loading …').count();
      const offers = offersOf(scene);
      for (const path of new Set(offers.map(([, at]) => at))) {
        await desk.goto(path);
        for (const [operation, , selector] of offers.filter(([, at]) => at === path)) {
          const isAllowed = ROLES[operation].some((role) => permissions.includes(role));
          if (isAllowed) await page.locator(selector).first().waitFor();
          else await expect.poll(isLoading).toBe(0);
          expect([operation, path, await page.locator(selector).first().isVisible()]).toEqual([
            operation,
            path,
            isAllowed,
          ]);
        }
      }
      expect(desk.problems).toEqual([]);
      await desk.close();
    },
  );

  test('shows nothing to players and to people who are not signed in', async () => {
    const { service } = scene;
    const { page, problems, context } = await openDesk(browser, { service, account: 'player-one' });
    const stranger = await browser.newPage();
    // The console decides by the person alone, before it looks at the address.
    const [first, last] = [offersOf(scene)[0], offersOf(scene).at(-1)].map((offer) => offer?.[1] ?? '');
    for (const path of [first, last])
      for (const one of [page, stranger]) {
        await one.goto(`${service.url}${path}`);
        await one.waitForSelector('[data-role-missing]');
        expect([path, await one.locator('.console').count()]).toEqual([path, 0]);
      }
    expect(problems).toEqual([]);
    await Promise.all([context.close(), stranger.close()]);
  });
});
