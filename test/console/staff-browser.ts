import type { Browser, BrowserContext, BrowserContextOptions, Cookie, Page } from 'playwright-core';
import type { TestService } from '../harness/service.ts';
import { restore } from '../harness/tab.ts';

/** A browser window in which somebody of the staff works. */
export interface Desk {
  page: Page;
  context: BrowserContext;
  /** Problems that no test would see otherwise: errors of scripts, and requests that the policy of the page refused. */
  problems: string[];
  /** Goes to another address of the console by a link in it; loads the page when it is there already, or outside. */
  goto(path: string): Promise<void>;
  close(): Promise<void>;
}

/** A refused request is told by the console itself. Everything else in the console of the browser is a defect. */
const isExpected = (text: string): boolean => /^Failed to load resource/.test(text);

/** The cookies of accounts that have signed in. */
const cookiesOf = new WeakMap<TestService, Map<string, Cookie[]>>();

/** Signs in without showing a page, which takes a browser a second. `test/console/shell` does it in the pages. */
async function signIn(context: BrowserContext, service: TestService, account: string): Promise<void> {
  const form = await context.request.get(`${service.url}/auth/login`);
  await context.request.post(form.url(), { form: { account } });
}

/** Breaks the connection when the next write to an address was carried out. @param url a pattern, such as `**\/queues` */
export async function loseAnswer(page: Page, url: string, method = 'POST'): Promise<void> {
  let isLost = false;
  await page.route(url, async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}

/**
 * Scrolls a table to its end, in light and in dark. @returns whether a head of its rows is out of sight then, does not cover what
 * is scrolled below it, or leaves less room than half of the table
 */
export async function scrolledAway(page: Page, table: string): Promise<boolean> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const isThere = await page.$eval(table, (element) => {
      const [place, head] = [element.parentElement, element.querySelector('tbody th')];
      if (place === null || head === null) return false;
      place.scrollLeft = place.scrollWidth;
      const [outer, inner] = [place.getBoundingClientRect(), head.getBoundingClientRect()];
      const ground = getComputedStyle(document.documentElement).backgroundColor;
      return (
        place.scrollLeft > 0 &&
        Math.abs(inner.left - outer.left) < 2 &&
        inner.width < outer.width / 2 &&
        getComputedStyle(head).backgroundColor === ground
      );
    });
    if (!isThere) return true;
  }
  return false;
}

/** Pixels of a table that are cut at the right of a sheet of A4 with the margins of a browser. */
export async function cutOnPaper(page: Page, table: string): Promise<number> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 718, height: 1047 });
  const cut = await page.$eval(table, (element) => {
    const inside = [element, ...element.querySelectorAll('th, td')];
    return (
      Math.max(...inside.map((one) => one.getBoundingClientRect().right)) -
      document.documentElement.clientWidth
    );
  });
  await page.emulateMedia({ media: null });
  return Math.max(0, cut);
}

/**
 * Signs in with an account of the local identity provider, unless its last login still holds, and opens an address of the
 * console.
 * @param path such as `/staff/pools`
 */
export async function openDesk(
  browser: Browser,
  { service, account, path = '/staff' }: { service: TestService; account: string; path?: string },
  options: BrowserContextOptions = {},
): Promise<Desk> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isExpected(message.text()))
      problems.push(message.text());
  });
  const cookies = cookiesOf.get(service) ?? new Map<string, Cookie[]>();
  cookiesOf.set(service, cookies);
  await context.addCookies(cookies.get(account) ?? []);
  if (!(await context.request.get(`${service.url}/auth/me`)).ok()) {
    await signIn(context, service, account);
    cookies.set(account, await context.cookies(service.url));
  }
  await page.goto(`${service.url}${path}`);
  // Every page begins with the link to sign in, until its script knows who the visitor is.
  await page.waitForSelector('#sign-out');
  return {
    page,
    context,
    problems,
    goto: async (to) => {
      // The console renders in a microtask of the click, so it shows the new address when the evaluation returns.
      const isShown = await page.evaluate((href) => {
        const link = Object.assign(document.createElement('a'), { href });
        const main = document.querySelector('.console');
        if (main === null || link.href === location.href) return false;
        main.append(link);
        link.click();
        link.remove();
        return true;
      }, to);
      if (!isShown) await page.goto(`${service.url}${to}`);
      await page.waitForSelector('.console h1');
    },
    close: () => context.close(),
  };
}

/** Desks that tests have put back, by account. */
const putBack = new WeakMap<TestService, Map<string, Desk[]>>();

/** Makes a desk what it was when it was opened. What a test does to the clock or the login of a desk stays. */
async function tidy({ page, goto }: Desk): Promise<void> {
  await restore(page);
  await goto('/staff/seasons');
  await page.evaluate(() => {
    sessionStorage.clear();
    for (const button of document.querySelectorAll<HTMLElement>('.notice button')) button.click();
  });
}

/**
 * As `openDesk`, but takes a desk of the account that an earlier test has put back, if there is one: a new one takes Chromium
 * longer than what most tests do at it. `close` puts the desk back; one that a failed test has left is not used again.
 */
export async function takeDesk(
  browser: Browser,
  { service, account, path }: { service: TestService; account: string; path: string },
): Promise<Desk> {
  const ofService = putBack.get(service) ?? new Map<string, Desk[]>();
  putBack.set(service, ofService);
  const idle = ofService.get(account) ?? [];
  ofService.set(account, idle);
  const known = idle.pop();
  if (known) {
    known.problems.length = 0;
    await known.goto(path);
  }
  const desk = known ?? (await openDesk(browser, { service, account, path }));
  return {
    ...desk,
    close: async () => {
      await tidy(desk);
      idle.push(desk);
    },
  };
}
