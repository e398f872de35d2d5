import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { cell, lookedUp, startTableScene, type TableScene } from './pool-table-scene.ts';
import { takeDesk } from './staff-browser.ts';

/** The table of a pool with as many rows as it is made for. The figures are printed; what is expected leaves room. */

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

const print = (figure: string): void => void process.stdout.write(`${figure}\n`);

/** Milliseconds between two keys of a person who types fast. */
const KEY_MS = 60;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

interface Task {
  /** Milliseconds that the thread worked on it: other programs on the machine do not count. */
  cpu: number;
  /** Milliseconds from its begin to its end. */
  wall: number;
}

/** The tasks of the pages' main threads while something happens, the longest first. */
async function tasksDuring(browser: Browser, page: Page, act: () => Promise<void>): Promise<Task[]> {
  // Without `-*` Chromium adds the categories that are on by default: events of ten times the size.
  await browser.startTracing(page, { categories: ['-*', 'disabled-by-default-devtools.timeline'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const thread = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(thread),
  );
  return traceEvents
    .filter((event) => event.ph === 'X' && event.name === 'RunTask' && main.has(thread(event)))
    .map(({ dur = 0, tdur = dur }) => ({ cpu: tdur / 1000, wall: dur / 1000 }))
    .sort((one, other) => other.cpu - one.cpu);
}

/** The longest tasks, and how many took over 50 ms by the clock. */
function told(tasks: readonly Task[]): string {
  const longest = tasks.slice(0, 3).map(({ cpu, wall }) => `${cpu.toFixed(1)} (${wall.toFixed(1)})`);
  const over = tasks.filter(({ wall }) => wall > 50).length;
  return `${longest.join(', ')} ms of the thread (of the clock); ${over} of ${tasks.length} over 50 ms of the clock`;
}

describe.skipIf(executable === null)(`the table of a large pool${needed}`, () => {
  let scene: TableScene;
  let browser: Browser;
  beforeAll(async () => {
    [scene, browser] = await Promise.all([startTableScene(), openChromium(executable ?? '')]);
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.service.stop();
  });

  test('takes 200 pasted keys, looks them up, completes and saves them', async () => {
    const { poolGuid, path } = await scene.newDraft('Two hundred');
    const keys = scene.moreMaps(200);
    scene.service.mapHost.fail('slow', { delayMs: 100 });
    const { page, problems, close } = await takeDesk(browser, {
      service: scene.service,
      account: 'pooler-one',
      path,
    });
    const type = (text: string) => page.keyboard.type(text, { delay: KEY_MS });
    const press = async (...names: string[]) => {
      for (const name of names) await page.keyboard.press(name, { delay: KEY_MS });
    };
    await page.waitForSelector('.pool-add textarea');
    const begun = performance.now();
    await page.click('.pool-add textarea');
    await page.keyboard.insertText(keys.join('\n'));
    await page.click('.pool-add button');

    // While they are looked up: a category and the hardest difficulty for all, other values for every twentieth row.
    await cell(page, 1, 'map').click();
    await press('ArrowRight', 'ArrowRight', 'Control+a');
    await type('the');
    await press('Tab');
    await type('tech');
    await press('Enter', 'Escape');
    for (let row = 1; row <= 200; row += 20) {
      await cell(page, row, 'category').focus();
      await type('speed');
      await press('Tab');
      await type('nf sn');
      await press('Enter');
    }
    await lookedUp(page);
    const found = performance.now();
    await press('Control+s');
    await page.waitForFunction(() => document.querySelectorAll('.row-kept').length === 200);
    const seconds = (performance.now() - begun) / 1000;
    print(
      `200 keys: looked up and completed after ${((found - begun) / 1000).toFixed(1)} s, saved after ${seconds.toFixed(1)} s`,
    );
    scene.service.mapHost.fail(null);
    const { maps } = await scene.must('pooler-one', 'GET', `/pools/${poolGuid}/maps`);
    const count = (wanted: (map: any) => boolean) => maps.filter(wanted).length;
    expect(count(({ difficulty }) => difficulty === 'ExpertPlus')).toBe(200);
    expect(count(({ categoryGuid }) => categoryGuid === scene.categories.Tech)).toBe(190);
    expect(count(({ modifiers }) => modifiers.join() === 'NF,SN')).toBe(10);
    expect(problems).toEqual([]);
    expect(seconds).toBeLessThan(180);
    await close();
  }, 240_000);

  test('scrolls 500 rows, and typing in one draws only that row and the next', async () => {
    const { poolGuid, path } = await scene.newDraft('Five hundred');
    const keys = scene.moreMaps(170);
    const rows = keys.flatMap((key) =>
      ['Hard', 'Expert', 'ExpertPlus'].map((difficulty) => ({
        key,
        characteristic: 'Standard',
        difficulty,
        categoryGuid: scene.categories.Speed,
        modifiers: [],
      })),
    );
    for (let at = 0; at < 500; at += 200)
      await scene.must('pooler-one', 'POST', `/pools/${poolGuid}/maps/batch`, {
        maps: rows.slice(at, Math.min(at + 200, 500)),
      });
    const { page, problems, close } = await takeDesk(browser, {
      service: scene.service,
      account: 'pooler-one',
      path,
    });
    await page.waitForFunction(() => document.querySelectorAll('.pool-grid tbody tr').length === 500);
    await cell(page, 1, 'map').hover();
    const scrolled = await tasksDuring(browser, page, async () => {
      for (let step = 0; step < 20; step++) {
        await page.mouse.wheel(0, 1500);
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      }
    });
    expect(await page.locator('.pool-scroll').evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(20_000);
    print(`500 rows, scrolled: ${told(scrolled)}`);
    expect(scrolled.length).toBeGreaterThan(100);
    // The aim is 50 ms; a busy machine needs more, also of the time of the thread.
    expect(scrolled[0]?.cpu).toBeLessThan(100);

    await cell(page, 250, 'category').focus();
    await page.evaluate(() => {
      const drawn = new Set<string>();
      Object.assign(window, { drawn });
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement;
          // A cover that comes late is drawn whenever it comes.
          if (element?.closest('.map') === null)
            drawn.add(element.closest('tr')?.getAttribute('aria-rowindex') ?? '');
        }
      }).observe(document.querySelector('.pool-grid tbody') as Element, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    });
    const typed = await tasksDuring(browser, page, async () => {
      await page.keyboard.type('tech', { delay: KEY_MS });
      await page.keyboard.press('Tab');
      await page.keyboard.type('nf', { delay: KEY_MS });
      await page.keyboard.press('Tab');
    });
    print(`500 rows, one typed in: ${told(typed)}`);
    const drawn = await page.evaluate(() => [...(window as unknown as { drawn: Set<string> }).drawn]);
    // The row itself, and the next one, in which the keyboard is afterwards.
    expect(drawn.sort()).toEqual(['251', '252']);
    expect(typed[0]?.cpu).toBeLessThan(200);
    await page.emulateMedia({ media: 'print' });
    const cut = await page
      .locator('.pool-scroll')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    expect(cut, 'rows that are not printed').toBe(0);
    expect(problems).toEqual([]);
    await close();
  }, 240_000);
});
