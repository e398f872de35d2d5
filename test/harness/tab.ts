import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A tab of the browser in a context of its own. */
export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Empties the tab for the next test. */
  close(): Promise<void>;
}

/** Takes back what a test changes about a page, but not what the page itself shows and keeps. */
export async function restore(page: Page): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  page.removeAllListeners('dialog');
  await page.unrouteAll();
  await context.unrouteAll();
  await context.setOffline(false);
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.mouse.move(0, 0);
}

/** Tabs that tests have closed. */
const empty = new WeakMap<Browser, Page[]>();

async function clear(page: Page): Promise<void> {
  await restore(page);
  for (const event of ['console', 'pageerror', 'request', 'response']) page.removeAllListeners(event);
  if (page.url().startsWith('http')) await page.evaluate(() => sessionStorage.clear());
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/**
 * A tab without cookies, as that of somebody who comes for the first time, except that the browser may have the scripts and
 * styles already. It is one that another test has closed, if there is one: a new one takes a third of a second of a processor.
 */
export async function takeTab(browser: Browser): Promise<Tab> {
  const tabs = empty.get(browser) ?? [];
  empty.set(browser, tabs);
  let page = tabs.pop();
  while (page?.isClosed()) page = tabs.pop();
  page ??= await (await browser.newContext()).newPage();
  page.setDefaultTimeout(60_000);
  const taken = page;
  return {
    page,
    context: page.context(),
    close: async () => {
      await clear(taken);
      tabs.push(taken);
    },
  };
}
