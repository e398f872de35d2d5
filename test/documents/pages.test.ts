import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, overflows, RULES_OF_COLOURS } from '../harness/pages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { takeTab } from '../harness/tab.ts';

/** Both references on a phone, in a real browser. */

const PHONE = { width: 360, height: 740 };
const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

describe.skipIf(executable === null)(`on a phone${needed}`, () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startTestService();
    browser = await openChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Opens a page in these colours. @returns it with what went wrong */
  async function open(path: string, colorScheme: 'dark' | 'light') {
    const { page, context, close } = await takeTab(browser);
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme });
    const problems: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('response', (answer) => {
      if (answer.status() >= 400) problems.push(`${answer.url()}: ${answer.status()}`);
    });
    await page.goto(`${service.url}${path}`, { waitUntil: 'networkidle' });
    return { page, context, problems, close };
  }

  const BACKGROUNDS = { light: 'rgb(255, 255, 255)', dark: 'rgb(18, 21, 27)' } as const;

  /** Shows a page in both colours. */
  async function expectToFit(page: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        BACKGROUNDS[colorScheme],
      );
      expect(await overflows(page)).toBe(false);
    }
  }

  test('the socket reference fits the screen, cells of tables included, and axe finds nothing, in light and in dark', async () => {
    const { page, context, problems, close } = await open('/docs/ws', 'light');
    await expectToFit(page);
    expect(await page.locator('tbody tr').first().isVisible()).toBe(true);
    const outside = await page.evaluate(`[...document.querySelectorAll('tr > *')]
      .filter((cell) => cell.offsetParent !== null)
      .filter((cell) => cell.getBoundingClientRect().right > innerWidth || cell.scrollWidth > cell.clientWidth + 1).length`);
    expect(outside).toBe(0);
    for (const [colorScheme, rules] of [
      ['light', undefined],
      ['dark', RULES_OF_COLOURS],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await axeFindings(context, page, rules)]).toEqual([colorScheme, []]);
    }
    expect(problems).toEqual([]);
    await close();
  });

  test('the socket reference has the header of all pages', async () => {
    const { page, close } = await open('/docs/ws', 'light');
    const home = page.locator('body > header nav a');
    const [text, color] = [await home.textContent(), await home.evaluate('(a) => getComputedStyle(a).color')];
    await home.click();
    await page.waitForURL(`${service.url}/`);
    expect([await home.textContent(), await home.evaluate('(a) => getComputedStyle(a).color')]).toEqual([
      text,
      color,
    ]);
    await close();
  });

  test('the HTTP reference fits in light and in dark, finds an operation by its name or its text, and shows it', async () => {
    const { page, problems, close } = await open('/docs', 'light');
    await page.waitForSelector('.opblock');
    await expectToFit(page);
    const all = await page.locator('.opblock').count();
    await page.fill('.operation-filter-input', 'addMapToPool');
    await expect.poll(() => page.locator('.opblock').count()).toBe(1);
    await page.fill('.operation-filter-input', 'map category');
    await expect.poll(() => page.locator('.opblock').count()).toBeGreaterThan(3);
    expect(await page.locator('.opblock').count()).toBeLessThan(all / 4);
    await page.locator('.opblock-summary-control').first().click();
    await page.waitForSelector('.opblock-body .responses-table');
    expect(await overflows(page)).toBe(false);
    expect(problems).toEqual([]);
    await close();
  });

  test('the socket reference draws the life of a match, and shows each message with an example', async () => {
    const { page, close } = await open('/docs/ws', 'dark');
    expect(await page.locator('svg.life rect').count()).toBe(8);
    expect(await page.locator('svg.life').getAttribute('aria-label')).toContain('preparing to playing');
    const shown = await page.evaluate(`[...document.querySelectorAll('main article:not([id^=shape])')]
      .map((article) => [article.id, article.querySelectorAll('details').length])`);
    expect(shown).toContainEqual(['selectMap', 2]);
    expect(shown).toContainEqual(['matchUpdated', 1]);
    expect((shown as [string, number][]).filter(([, examples]) => examples === 0)).toEqual([]);
    await page.locator('#selectMap summary').first().click();
    expect(await page.locator('#selectMap details[open] code').textContent()).toContain('"cardGuid": "');
    expect(await overflows(page)).toBe(false);
    // Code in a description is shown as code.
    expect(await page.locator('main').textContent()).not.toContain('\u0060');
    await close();
  });
});
