import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';

/** Checks of pages in a real browser. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Those of axe's rules that find something else in other colours. */
export const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * The findings of axe on a page, one line each. It runs beside the page's policy, which allows no script from elsewhere.
 * @param rules all of them when left out
 */
export async function axeFindings(
  context: BrowserContext,
  page: Page,
  rules?: readonly string[],
): Promise<string[]> {
  const session = await context.newCDPSession(page);
  const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (known.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify(rules ? { runOnly: rules } : {})}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value as string[];
}

/** Notes what a page's policy refused, and what it asked of other hosts. */
export function watchPage(page: Page, origin: string): { complaints: string[]; elsewhere: string[] } {
  const seen = { complaints: [] as string[], elsewhere: [] as string[] };
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) seen.complaints.push(message.text());
  });
  page.on('pageerror', (error) => seen.complaints.push(String(error)));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) seen.elsewhere.push(request.url());
  });
  return seen;
}

/** The name or the text of what has the focus; 'nothing' when the next Tab begins at the top. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement;
    if (one === null || one === document.body) return 'nothing';
    return one.getAttribute('name') ?? one.textContent ?? '';
  });

/** Whether something is wider than the window. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
