import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { dataOf, rest } from '../kit/typescript/rest.ts';
import { PATHS } from '../src/console/paths.ts';
import { strings } from '../src/console/strings.ts';
import { openExhibition } from '../src/local/exhibition.ts';
import { PACES } from '../src/local/pace.ts';
import { seedPast } from '../src/local/past.ts';
import { seed } from '../src/local/seed.ts';
import { type Stack, startStack } from '../src/local/stack.ts';
import { findChromium, openChromium } from '../test/harness/chromium.ts';
import { refreshBundle } from './bundle.ts';
import { commandLine } from './command-line.ts';

/**
 * `npm run screenshots`: shows every page at two widths and in both themes, and writes the pictures into `docs/pages`. It
 * starts a stack of its own, which is thrown away.
 */

commandLine(
  `npm run screenshots

Shows every page at two widths and in both themes in Chromium, and writes the pictures into docs/pages. Has no options.`,
  {},
);

const FOLDER = path.join(import.meta.dirname, '../docs/pages');
const WIDTHS = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 800 } };
const THEMES = ['light', 'dark'] as const;
const QUALITY = 55;

/** Where each page is while a match runs, and one that has ended. */
async function addresses(stack: Stack, queueGuid: string, poolGuid: string): Promise<Record<string, string>> {
  const api = rest({ url: stack.url });
  const query = { queueGuid, limit: 1 };
  const running = await dataOf(api.GET('/matches', { params: { query: { ...query, state: 'running' } } }));
  const ended = await dataOf(api.GET('/matches', { params: { query: { ...query, state: 'ended' } } }));
  const [match] = ended.items;
  const player = match?.players[0]?.playerGuid ?? '';
  return {
    home: '/',
    ladder: `/ladder/${queueGuid}?around=${player}`,
    player: `/player/${player}`,
    pool: `/pool/${poolGuid}`,
    'match-running': `/match/${running.items[0]?.matchGuid ?? ''}`,
    'match-ended': `/match/${match?.matchGuid ?? ''}`,
    me: '/me',
  };
}

/** Where each view of the console is. Two things wait in it: a draft, and a replay that does not prove its score. */
async function staffAddresses(
  stack: Stack,
  queueGuid: string,
  poolGuid: string,
): Promise<Record<string, string>> {
  const token = await stack.identityProvider.accountToken('admin');
  const api = rest({ url: stack.url, token });
  const query = { queueGuid, limit: 1, state: 'ended' as const };
  const { items } = await dataOf(api.GET('/matches', { params: { query } }));
  const matchGuid = items[0]?.matchGuid ?? '';
  const playerGuid = items[0]?.players[0]?.playerGuid ?? '';
  const params = { path: { poolGuid } };
  const draft = await dataOf(api.POST('/pools/{poolGuid}/copy', { params, body: { name: 'Next pool' } }));
  const filled: Record<string, string> = {
    ':poolGuid': draft.poolGuid,
    ':queueGuid': queueGuid,
    ':matchGuid': matchGuid,
    ':playerGuid': playerGuid,
  };
  return Object.fromEntries(
    Object.entries(PATHS).map(([name, path]) => [
      `staff-${name}`,
      path.replaceAll(/:\w+/g, (parameter) => filled[parameter] ?? ''),
    ]),
  );
}

/** Signs in with an account of the local identity provider. */
async function signIn(page: Page, url: string, account: string): Promise<void> {
  await page.goto(`${url}/staff`);
  await page.click('[data-role-missing] a');
  await page.click(`button[value="${account}"]`);
  await page.waitForSelector('.console h1');
}

interface Pictures {
  url: string;
  pages: Record<string, string>;
  /** The account that is signed in; left out: none. */
  account?: string;
}

async function takePictures(browser: Browser, { url, pages, account }: Pictures): Promise<void> {
  for (const [width, viewport] of Object.entries(WIDTHS))
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      if (account !== undefined) await signIn(page, url, account);
      for (const [name, address] of Object.entries(pages)) {
        await page.goto(`${url}${address}`, { waitUntil: 'load' });
        await page.evaluate('document.fonts.ready');
        // The console reads what it shows after the page.
        if (account !== undefined)
          await page.getByText(strings.loading).first().waitFor({ state: 'detached' });
        const file = path.join(FOLDER, `${name}-${width}-${colorScheme}.jpg`);
        await page.screenshot({ path: file, type: 'jpeg', quality: QUALITY });
      }
      await context.close();
    }
}

const executable = findChromium();
if (executable === null) throw new Error('There is no Chromium on the PATH, and CHROMIUM names none.');
await refreshBundle();
const stack = await startStack({
  ports: { service: 0, identityProvider: 0, mapHost: 0 },
  environment: { ...PACES.quick.environment, REMATCH_SECONDS: '0.001', RATE_LIMIT_FACTOR: '0' },
});
const { queueGuid, poolGuid } = await seed(stack);
await seedPast(stack, { queueGuid, poolGuid });
const exhibition = await openExhibition({
  ...{ stack, queueGuid, thinkMs: 300, songMs: () => 60_000 },
});
const browser = await openChromium(executable);
// It stays in its first round: the songs last longer than the pictures take.
exhibition.play().catch(() => undefined);
const isPlaying = async (): Promise<boolean> => {
  const query = { queueGuid, state: 'running' as const };
  const { items } = await dataOf(rest({ url: stack.url }).GET('/matches', { params: { query } }));
  return items[0]?.live?.status === 'playing';
};
while (!(await isPlaying())) await new Promise((resolve) => setTimeout(resolve, 100));
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
const { url } = stack;
await takePictures(browser, { url, pages: await addresses(stack, queueGuid, poolGuid) });
const { 'staff-pool': draft = '', ...desks } = await staffAddresses(stack, queueGuid, poolGuid);
await takePictures(browser, { url, pages: desks, account: 'admin' });
// An admin does not edit maps.
await takePictures(browser, { url, pages: { 'staff-pool': draft }, account: 'pooler-one' });
exhibition.close();
await browser.close();
await stack.stop();
console.log(`Written: ${FOLDER}.`);
process.exit(0);
