import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, focused, overflows } from '../harness/pages.ts';
import { cell, lookedUp, paste, rowsOf, startTableScene, type TableScene } from './pool-table-scene.ts';
import { cutOnPaper, type Desk, scrolledAway, takeDesk } from './staff-browser.ts';

/** The table of a pool's maps in a real browser. */

const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

describe.skipIf(executable === null)(`the table of a pool${needed}`, () => {
  let scene: TableScene;
  let browser: Browser;
  beforeAll(async () => {
    [scene, browser] = await Promise.all([startTableScene(), openChromium(executable ?? '')]);
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.service.stop();
  });
  const open = async (path: string, account = 'pooler-one'): Promise<Desk> => {
    const desk = await takeDesk(browser, { service: scene.service, account, path });
    // The maps are read after the heading is there.
    await desk.page.waitForSelector('.pool-add, .pool-grid');
    return desk;
  };
  const mapsOf = async (poolGuid: string) =>
    (await scene.must('pooler-one', 'GET', `/pools/${poolGuid}/maps`)).maps;

  test('takes keys, links and a table, is filled in by keyboard, and saves in one batch', async () => {
    const { poolGuid, path } = await scene.newDraft('From paste to save');
    const [one, two, three] = scene.moreMaps(3);
    const desk = await open(path);
    const { page } = desk;
    await paste(page, `${one}\nhttps://maps.example.org/maps/${two}\n${three},Expert,Speed,NF SN`);
    await lookedUp(page);
    expect(await rowsOf(page)).toEqual([
      `Song ${one} - Somebody ${one} | Standard | – | – | none`,
      `Song ${two} - Somebody ${two} | Standard | – | – | none`,
      `Song ${three} - Somebody ${three} | Standard | Expert | Speed | NF SN`,
    ]);
    await cell(page, 1, 'map').click();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('expertp');
    await page.keyboard.press('Tab');
    // From a later value of the list.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('hard');
    await page.keyboard.press('Tab');
    await page.keyboard.type('tech');
    await page.keyboard.press('Tab');
    await page.keyboard.type('fs');
    // The row that is not complete stays, the others are saved.
    await expect.poll(() => page.locator('[data-save]').textContent()).toBe('Save 2 rows');
    // With Caps Lock, in the field.
    await page.keyboard.press('Control+S');
    await page.waitForFunction(() => document.querySelectorAll('.row-kept').length === 2);
    expect((await mapsOf(poolGuid)).map(({ key }: { key: string }) => key)).toEqual([one, three]);
    expect((await rowsOf(page))[0]).toBe(`Song ${one} - Somebody ${one} | Standard | Hard | Tech | FS`);
    await expect.poll(() => cell(page, 3, 'notes').textContent()).toBe('Choose a difficulty.');

    expect(await axeFindings(desk.context, page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 740 });
    expect(await overflows(page)).toBe(false);
    expect(await scrolledAway(page, '.pool-grid')).toBe(false);
    expect(await cutOnPaper(page, '.pool-grid')).toBe(0);
    // The cell that is reached is in sight, beside the map. One that is wider than the room fills it.
    await page.setViewportSize({ width: 320, height: 640 });
    await cell(page, 1, 'map').focus();
    const hidden: unknown[] = [];
    for (const key of [...Array(6).fill('ArrowRight'), ...Array(7).fill('ArrowLeft')]) {
      await page.keyboard.press(key);
      const at = await page.evaluate(() => {
        const one = document.activeElement as HTMLElement;
        const [place, map] = [one.closest('.pool-scroll'), one.parentElement?.querySelector('.map')];
        if (!place || !map) throw new Error('The keyboard has left the table.');
        const [own, outer] = [one.getBoundingClientRect(), place.getBoundingClientRect()];
        const isAhead = ['number', 'map'].includes(one.dataset.column ?? '');
        const left = isAhead ? outer.left : Math.max(outer.left, map.getBoundingClientRect().right);
        const seen = Math.min(own.right, outer.right) - Math.max(own.left, left);
        return { column: one.dataset.column, seen, wanted: Math.min(own.width, outer.right - left - 4) };
      });
      if (at.seen < at.wanted) hidden.push([key, at]);
    }
    expect(hidden).toEqual([]);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('tells and keeps pasted lines that it cannot read, wherever they are pasted', async () => {
    const [one, two] = scene.moreMaps(2);
    const desk = await open((await scene.newDraft('Unreadable lines')).path);
    const { page } = desk;
    const field = page.locator('.pool-add textarea');
    const told = page.locator('.pool-add [role=alert]');
    await page.fill('.pool-add textarea', 'what I typed');
    await page.evaluate('document.activeElement.blur()');
    await paste(page, `${one}\nhttps://maps.example.org/playlists/1234\nno map here`);
    await lookedUp(page);
    await expect.poll(() => told.textContent()).toContain('2 lines, which are left here');
    expect(await told.textContent()).toContain('no map here');
    const left = 'what I typed\nhttps://maps.example.org/playlists/1234\nno map here';
    expect(await field.inputValue()).toBe(left);
    // On a list of values, which takes no text.
    await page.focus('.pool-grid tbody [data-column="map"]');
    // With Caps Lock.
    await page.keyboard.press('Control+A');
    await page.focus('[aria-label="Selected rows"] select');
    await paste(page, `neither here\n${two}`);
    await expect.poll(() => field.inputValue()).toBe(`${left}\nneither here`);
    await expect.poll(() => told.textContent()).toContain('3 lines');
    await expect.poll(() => rowsOf(page).then(({ length }) => length)).toBe(2);
    await page.click('.pool-add button');
    await expect.poll(() => told.textContent()).toContain('4 lines');
    const table = 'key;category\nzz!!;Tech';
    await field.fill(table);
    await page.click('.pool-add button');
    await expect.poll(() => told.textContent()).toContain('1 line');
    expect(await field.inputValue()).toBe(table);
    const list = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('not a map') };
    await page.setInputFiles('.pool-add [type=file]', list);
    await expect.poll(() => told.textContent()).toBe('No map was found in 1 line of the file:not a map');
    const workbook = {
      name: 'a.xlsx',
      mimeType: 'application/zip',
      buffer: Buffer.from('PK\x03\x04\x14\0\n?'),
    };
    await page.setInputFiles('.pool-add [type=file]', workbook);
    await expect.poll(() => told.textContent()).toContain('no text');
    expect(await told.locator('li').count()).toBe(0);
    expect(await field.inputValue()).toBe(table);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('keeps the text in its field while another section is opened, until the maps are added', async () => {
    const [one] = scene.moreMaps(1);
    const { path } = await scene.newDraft('Typed');
    const desk = await open(path);
    const { page } = desk;
    const field = page.locator('.pool-add textarea');
    await field.fill(`${one}\nnot yet`);
    await desk.goto('/staff/seasons');
    await desk.goto(path);
    await expect.poll(() => field.inputValue()).toBe(`${one}\nnot yet`);
    await page.click('.pool-add button');
    await lookedUp(page);
    expect(await field.inputValue()).toBe('not yet');
    await field.fill('');
    expect(
      await page.evaluate(() => Object.keys(sessionStorage).filter((key) => /adding/.test(key))),
    ).toEqual([]);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('sets values of a selection, undoes and redoes steps, changes and removes rows of the pool', async () => {
    const { poolGuid, path } = await scene.newDraft('Selection');
    const keys = scene.moreMaps(6);
    const [kept, gone] = keys;
    const rowOf = (key: string | undefined) => ({
      key,
      characteristic: 'Standard',
      difficulty: 'Hard',
      categoryGuid: scene.categories.Speed,
      modifiers: [],
    });
    await scene.must('pooler-one', 'POST', `/pools/${poolGuid}/maps/batch`, {
      maps: [kept, gone].map(rowOf),
    });
    const desk = await open(path);
    const { page } = desk;
    const column = async (name: string) =>
      (await rowsOf(page)).map((row) => row.split(' | ')[name === 'difficulty' ? 2 : 3]);
    await page.fill('.pool-add textarea', keys.slice(2).join(' '));
    await page.click('.pool-add button');
    await lookedUp(page);

    await cell(page, 1, 'category').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('t');
    await page.keyboard.press('Enter');
    expect(await column('category')).toEqual(Array(6).fill('Tech'));
    await page.keyboard.press('Control+z');
    expect(await column('category')).toEqual(['Speed', 'Speed', '–', '–', '–', '–']);
    await page.keyboard.press('Control+y');
    expect(await column('category')).toEqual(Array(6).fill('Tech'));
    await page.selectOption('[aria-label="Selected rows"] label:nth-of-type(2) select', 'hardest');
    expect(await column('difficulty')).toEqual(['Hard', 'Hard', ...Array(4).fill('ExpertPlus')]);
    await page.keyboard.press('Escape');

    // A range of rows by Shift, and one row of the pool.
    await cell(page, 5, 'map').focus();
    await cell(page, 5, 'map').click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Delete');
    expect((await rowsOf(page)).length).toBe(4);
    await page.keyboard.press('Escape');
    await cell(page, 2, 'map').click();
    await page.keyboard.press('Delete');
    await expect.poll(() => cell(page, 2, 'notes').textContent()).toContain('Will be removed.');
    await expect.poll(() => cell(page, 1, 'notes').textContent()).toContain('Was: Speed.');
    await page.click('[data-save]');
    await page.waitForFunction(() => document.querySelectorAll('.row-kept').length === 3);
    const saved = await mapsOf(poolGuid);
    expect(saved.map(({ key }: { key: string }) => key)).toEqual([kept, keys[2], keys[3]]);
    expect(new Set(saved.map((map: { categoryGuid: string }) => map.categoryGuid))).toEqual(
      new Set([scene.categories.Tech]),
    );
    await page.waitForSelector('[data-save][aria-disabled]:focus');
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await expect.poll(() => undo.isDisabled()).toBe(true);
    // The last step that can be undone, by keyboard, and rows that go with what is pressed.
    await paste(page, String(keys[4]));
    await undo.press('Enter');
    expect([await focused(page), (await rowsOf(page)).length]).toEqual(['Undo', 3]);
    await paste(page, String(keys[4]));
    await cell(page, 4, 'number').locator('input').click();
    await page.click('[aria-label="Selected rows"] button:text-is("Remove")');
    await page.waitForSelector('[aria-label="Selected rows"]', { state: 'detached' });
    expect(await focused(page)).toBe('Maps');
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('says what is wrong in the row: unknown maps with a retry, the same map twice, what the service refuses', async () => {
    const { poolGuid, path } = await scene.newDraft('Wrong rows');
    const [one, two, late] = scene.moreMaps(3);
    // It goes after the page has read it.
    const { categoryGuid } = await scene.must('admin', 'POST', '/map-categories', { name: 'Going' });
    const desk = await open(path);
    const { page } = desk;
    await page.route(
      `**/maps/lookup?key=${late}`,
      (route) =>
        route.fulfill({
          status: 404,
          contentType: 'application/json',
          body: JSON.stringify({ error: { code: 'MAP_NOT_FOUND', message: 'There is no such map.' } }),
        }),
      { times: 1 },
    );
    await paste(
      page,
      [
        'key,characteristic,difficulty,category,modifiers',
        `${one},Standard,Hard,Speed,`,
        `${one},Standard,Hard,Speed,`,
        `${one},Standard,Expert,Nowhere,`,
        `${two},Standard,Easy,Speed,`,
        `${two},Standard,Hard,Going,`,
        `${two},Standard,Expert,Speed,SS FS`,
        `${late},Standard,Hard,Speed,`,
      ].join('\n'),
    );
    await page.waitForSelector('[data-action="retry"]');
    await lookedUp(page);
    const notes = await Promise.all([1, 2, 3, 4, 5, 6].map((row) => cell(page, row, 'notes').textContent()));
    expect(notes).toEqual([
      '',
      'The same as row 1.',
      'There is no category Nowhere.Another difficulty of row 1.',
      'It has: Standard Hard, Standard Expert, Standard ExpertPlus.',
      'Another difficulty of row 4.',
      'SS and FS exclude each other.Another difficulty of row 4.',
    ]);
    await scene.must('admin', 'DELETE', `/map-categories/${categoryGuid}`);
    await expect.poll(() => page.locator('[data-save]').textContent()).toBe('Save 2 rows');
    await page.keyboard.press('Control+s');
    await page.waitForSelector('[data-problem="VALIDATION_FAILED"]');
    await expect
      .poll(() => cell(page, 5, 'notes').locator('.bad').first().textContent())
      .toContain('There is no such map category.');
    expect(await mapsOf(poolGuid)).toEqual([]);

    await cell(page, 5, 'category').click();
    await page.keyboard.type('speed');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.waitForFunction(() => document.querySelectorAll('.row-kept').length === 2);

    await expect
      .poll(() => page.locator('.row-new', { hasText: late ?? '' }).textContent())
      .toContain('There is no such map.');
    await page.click('[data-action="retry"]');
    await lookedUp(page);
    expect((await rowsOf(page)).at(-1)).toBe(
      `Song ${late} - Somebody ${late} | Standard | Hard | Speed | none`,
    );
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('continues looking up after the map host was down, after the rate limit, after the login ended, and after the connection was lost', async () => {
    const { path } = await scene.newDraft('Interrupted');
    const keys = scene.moreMaps(12);
    const desk = await open(path);
    const { page } = desk;
    let isWell = false;
    const seen = new Set<number>();
    const refusals = [
      { status: 429, code: 'RATE_LIMITED', message: 'Too many requests. Try again in 1 s.' },
      { status: 502, code: 'UPSTREAM_UNAVAILABLE', message: 'The map host does not answer.' },
      { status: 401, code: 'TOKEN_EXPIRED', message: 'The login has ended.' },
    ];
    let asked = 0;
    await page.route('**/maps/lookup*', async (route) => {
      const refusal = refusals[asked++ % 4];
      if (isWell || refusal === undefined) return route.continue();
      seen.add(refusal.status);
      await route.fulfill({
        status: refusal.status,
        headers: { 'retry-after': '1' },
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: refusal.code, message: refusal.message } }),
      });
    });
    await paste(page, keys.join('\n'));
    await page.waitForFunction(() =>
      document.querySelector('[data-looking-up]')?.textContent?.includes('by itself'),
    );
    expect((await rowsOf(page)).length).toBe(12);
    await page.waitForFunction(() =>
      /[1-9] of 12/.test(document.querySelector('[data-looking-up]')?.textContent ?? ''),
    );
    await desk.context.setOffline(true);
    isWell = true;
    await page.waitForFunction(() =>
      document.querySelector('[data-looking-up]')?.textContent?.includes('cannot be reached'),
    );
    await desk.context.setOffline(false);
    await lookedUp(page);
    expect((await rowsOf(page)).every((row) => row.startsWith('Song'))).toBe(true);
    expect([...seen].sort()).toEqual([401, 429, 502]);
    expect(await page.locator('[data-action="retry"]').count()).toBe(0);
    await desk.close();
  });

  test('looks up what was pasted before the categories were known', async () => {
    const { path } = await scene.newDraft('Early');
    const desk = await takeDesk(browser, {
      service: scene.service,
      account: 'pooler-one',
      path: '/staff/pools',
    });
    const { page } = desk;
    const release = Promise.withResolvers<void>();
    await page.route('**/map-categories*', async (route) => {
      await release.promise;
      await route.continue();
    });
    await desk.goto(path);
    await page.waitForSelector('.pool-add');
    await paste(
      page,
      scene
        .moreMaps(2)
        .map((key) => `${key},Hard,Tech`)
        .join('\n'),
    );
    expect(await page.locator('.pool-grid tbody tr').count()).toBe(0);
    release.resolve();
    await lookedUp(page);
    expect(await rowsOf(page)).toEqual([
      expect.stringMatching(/^Song .* Hard \| Tech/),
      expect.stringMatching(/^Song .* Hard \| Tech/),
    ]);
    await desk.close();
  });

  test('looks a map up again when the first request is never answered', async () => {
    const { path } = await scene.newDraft('Silent');
    const desk = await open(path);
    const { page } = desk;
    let asked = 0;
    await page.route('**/maps/lookup*', (route) => (asked++ === 0 ? undefined : route.continue()));
    await page.evaluate(() => {
      const timeout = AbortSignal.timeout;
      // For the first request only: a busy machine needs time to answer the second one.
      AbortSignal.timeout = (milliseconds) => {
        AbortSignal.timeout = timeout;
        return AbortSignal.timeout(milliseconds / 100);
      };
    });
    await paste(page, scene.moreMaps(1).join());
    await page.waitForFunction(() =>
      document.querySelector('[data-looking-up]')?.textContent?.includes('cannot be reached'),
    );
    await lookedUp(page);
    expect(asked).toBe(2);
    await desk.close();
  });

  test('continues saving after the login ended and after the map host failed for a row, which it names, and adds no row twice when the answer was lost', async () => {
    const { poolGuid, path } = await scene.newDraft('Interrupted while saving');
    const keys = scene.moreMaps(5);
    const desk = await open(path);
    const { page } = desk;
    await paste(page, keys.map((key) => `${key},Hard,Tech`).join('\n'));
    await lookedUp(page);
    const answers: string[] = [];
    await page.route('**/maps/batch', async (route) => {
      const turn = answers.length;
      answers.push(['ended', 'failed', 'lost'][turn] ?? 'well');
      if (turn === 0)
        return route.fulfill({
          status: 401,
          headers: { 'retry-after': '1' },
          contentType: 'application/json',
          body: JSON.stringify({ error: { code: 'TOKEN_EXPIRED', message: 'The login has ended.' } }),
        });
      const message = 'The map host gave no usable answer for this map.';
      if (turn === 1)
        return route.fulfill({
          status: 502,
          headers: { 'retry-after': '1' },
          contentType: 'application/json',
          body: JSON.stringify({
            error: {
              code: 'UPSTREAM_UNAVAILABLE',
              message: '1 of 5 maps cannot be added; nothing was added.',
              details: { rows: [{ index: 3, code: 'UPSTREAM_UNAVAILABLE', message }] },
            },
          }),
        });
      if (turn > 2) return route.continue();
      await route.fetch();
      // The connection breaks again: the first read fails, too.
      await page.route(`**/pools/${poolGuid}/maps`, (read) => read.abort(), { times: 1 });
      return route.abort();
    });
    await page.keyboard.press('Control+s');
    await page.getByText('The login has ended. Saving goes on by itself.').waitFor();
    await page.locator('.row-new').nth(3).getByText('no usable answer for this map').waitFor();
    expect((await rowsOf(page)).length).toBe(5);
    await page.waitForFunction(() => document.querySelectorAll('.row-kept').length === 5);
    expect((await mapsOf(poolGuid)).map(({ key }: { key: string }) => key)).toEqual(keys);
    await page.getByText('Everything is saved.').waitFor();
    expect(answers).toEqual(['ended', 'failed', 'lost', 'well', 'well']);
    expect(await page.locator('[data-meanwhile]').count()).toBe(0);
    await desk.close();
  });

  test('shows no row as unsaved that was saved before the page was loaded again without its answer', async () => {
    const { poolGuid, path } = await scene.newDraft('Loaded again');
    const keys = scene.moreMaps(2);
    const desk = await open(path);
    const { page } = desk;
    page.on('dialog', (dialog) => void dialog.accept());
    await paste(page, keys.map((key) => `${key},,Tech`).join('\n'));
    await lookedUp(page);
    await cell(page, 1, 'map').click();
    await page.keyboard.press('Control+a');
    await page.selectOption('[aria-label="Selected rows"] label:nth-of-type(2) select', 'hardest');
    const isSaved = Promise.withResolvers<void>();
    await page.route(
      '**/maps/batch',
      async (route) => {
        await route.fetch();
        isSaved.resolve();
      },
      { times: 1 },
    );
    await page.click('[data-save]');
    await isSaved.promise;
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('.row-kept').length === 2);
    await page.getByText('Everything is saved.').waitFor();
    expect((await rowsOf(page)).length).toBe(2);
    // Nor later, when one of them was removed by somebody else.
    const [first] = await mapsOf(poolGuid);
    await scene.must('pooler-two', 'POST', `/pools/${poolGuid}/maps/batch`, { removals: [first.mapGuid] });
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('.row-kept').length === 1);
    await page.getByText('Everything is saved.').waitFor();
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('shows no row as unsaved that was saved after the pool was left, whether the pool is shown again before or after the answer', async () => {
    const { poolGuid, path } = await scene.newDraft('Left while saving');
    const desk = await open(path);
    const { page } = desk;
    const sent: Route[] = [];
    await page.route('**/maps/batch', (route) => void sent.push(route));
    const leaveWhileSaving = async (count: number) => {
      const keys = scene.moreMaps(count);
      await paste(page, keys.map((key) => `${key},Hard,Tech`).join('\n'));
      await lookedUp(page);
      await page.click('[data-save]');
      await expect.poll(() => sent.length).toBe(1);
      await desk.goto('/staff/pools');
      await page.locator('h1', { hasText: /^Pools$/ }).waitFor();
    };
    const showsSaved = async (count: number) => {
      await page.waitForFunction((all) => document.querySelectorAll('.row-kept').length === all, count);
      expect((await rowsOf(page)).length).toBe(count);
      expect((await mapsOf(poolGuid)).length).toBe(count);
    };
    await leaveWhileSaving(2);
    await sent.pop()?.continue();
    await page.locator('.notice', { hasText: 'rows saved.' }).waitFor();
    await desk.goto(path);
    await showsSaved(2);
    await leaveWhileSaving(3);
    await desk.goto(path);
    await page.waitForSelector('.pool-grid');
    await sent.pop()?.continue();
    await showsSaved(5);
    await page.reload();
    await showsSaved(5);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('sends no row twice when saving is begun again before the answer of the last batch', async () => {
    const { path } = await scene.newDraft('Stopped and saved');
    const desk = await open(path);
    const { page } = desk;
    const sent: Route[] = [];
    await page.route('**/maps/batch', (route) => void sent.push(route));
    const saveTwice = async (count: number, between: () => Promise<void>) => {
      const keys = scene.moreMaps(count);
      await paste(page, keys.map((key) => `${key},Hard,Tech`).join('\n'));
      await lookedUp(page);
      await page.click('[data-save]');
      await expect.poll(() => sent.length).toBe(1);
      await between();
      await page.click('[data-save]');
      await page.locator('.pool-bar progress').waitFor();
      // Two frames later a second batch would be under way.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const batches = sent.splice(0);
      for (const batch of batches) await batch.continue();
      await page.getByText('Everything is saved.').waitFor();
      await page.locator('.pool-bar progress').waitFor({ state: 'detached' });
      expect(batches.length).toBe(1);
      expect(await page.locator('[data-meanwhile]').count()).toBe(0);
    };
    await saveTwice(2, () => page.getByRole('button', { name: 'Stop' }).click());
    await saveTwice(3, async () => {
      await desk.goto('/staff/pools');
      await page.locator('h1', { hasText: /^Pools$/ }).waitFor();
      await desk.goto(path);
      await page.waitForSelector('[data-save]:not([aria-disabled])');
    });
    expect(sent.length).toBe(0);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('is read by staff who may not change it, with the statistics of its maps', async () => {
    const { poolGuid } = await scene.service.openQueue({ maps: 12 });
    const desk = await open(`/staff/pools/${poolGuid}`);
    const { page } = desk;
    await page.waitForFunction(() => document.querySelectorAll('.pool-grid tbody tr').length === 12);
    await page.waitForSelector('.pool-grid thead .kept');
    await expect.poll(() => cell(page, 1, 'kept').textContent()).toBe('0 of 0');
    expect(await page.locator('.pool-add, .pool-bar, .pool-grid input').count()).toBe(0);
    await cell(page, 1, 'category').click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('x');
    expect(
      await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex')),
    ).toBe('3');
    expect(await page.locator('.cell-field').count()).toBe(0);
    expect(await axeFindings(desk.context, page)).toEqual([]);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('keeps unsaved changes over a reload, and warns before the page is left', async () => {
    const { path } = await scene.newDraft('Kept');
    const [one, two] = scene.moreMaps(2);
    const desk = await open(path);
    const { page } = desk;
    await paste(page, `${one},Hard,Tech\n${two}`);
    await lookedUp(page);
    const before = await rowsOf(page);
    const warned = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.accept();
      }),
    );
    await page.reload();
    expect(await warned).toBe('beforeunload');
    await lookedUp(page);
    expect(await rowsOf(page)).toEqual(before);
    await cell(page, 1, 'map').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.waitForFunction(() => document.querySelectorAll('.pool-grid tbody tr').length === 0);
    await page.reload();
    await page.waitForSelector('.pool-add');
    expect(await page.locator('.pool-grid tbody tr').count()).toBe(0);
    expect(desk.problems).toEqual([]);
    await desk.close();
  });

  test('shows the later of two people what the other changed, keeps the own changes, and saves them', async () => {
    const { poolGuid, path } = await scene.newDraft('Two people');
    const [one, two, three, four, five] = scene.moreMaps(5);
    const row = (key: string | undefined) => ({
      key,
      characteristic: 'Standard',
      difficulty: 'Hard',
      categoryGuid: scene.categories.Speed,
      modifiers: [],
    });
    const { maps } = await scene.must('pooler-one', 'POST', `/pools/${poolGuid}/maps/batch`, {
      maps: [one, two, five].map(row),
    });
    const desk = await open(path);
    const { page } = desk;
    const choose = async (number: number, column: string, typed: string) => {
      await cell(page, number, column).focus();
      await cell(page, number, 'map').click();
      for (let at = ['characteristic', 'difficulty', 'category'].indexOf(column); at >= 0; at--)
        await page.keyboard.press('ArrowRight');
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
    };
    await choose(1, 'category', 'tech');
    await choose(2, 'category', 'tech');
    await cell(page, 3, 'map').click();
    await page.keyboard.press('Delete');
    await paste(page, `${three},Hard,Tech`);
    await lookedUp(page);

    await scene.must('pooler-two', 'POST', `/pools/${poolGuid}/maps/batch`, {
      maps: [row(four)],
      changes: [maps[0], maps[2]].map(({ mapGuid }) => ({
        mapGuid,
        categoryGuid: scene.categories.Accuracy,
      })),
      removals: [maps[1].mapGuid],
    });
    await page.keyboard.press('Control+s');
    await page.waitForSelector('[data-meanwhile]');
    const told = await page.locator('[data-meanwhile]').textContent();
    for (const part of [`Song ${four}`, `Song ${two}`, 'category: Speed → Accuracy'])
      expect(told).toContain(part);
    expect(await rowsOf(page)).toEqual([
      expect.stringMatching(/Hard \| Tech/),
      expect.stringContaining(`Song ${five}`),
      expect.stringContaining(`Song ${four}`),
      expect.stringMatching(/Hard \| Tech/),
      expect.stringMatching(/Hard \| Tech/),
    ]);
    await expect.poll(() => cell(page, 1, 'notes').textContent()).toContain('Somebody else chose: Accuracy.');
    await expect.poll(() => cell(page, 2, 'notes').textContent()).toContain('Somebody else chose: Accuracy.');
    await expect.poll(() => cell(page, 4, 'notes').textContent()).toContain('Somebody else removed it.');
    await page.waitForSelector('[data-save]:not([aria-disabled])');
    const refusal = page.locator('[data-problem="STALE"]');
    expect(await refusal.count(), 'what changed is told already').toBe(0);
    expect(await axeFindings(desk.context, page)).toEqual([]);
    await cell(page, 2, 'notes').locator('[data-action="keep"]').press('Enter');
    await cell(page, 4, 'notes').locator('[data-action="addAgain"]').press('Enter');
    // Its look-up has begun when the note is gone, and not before.
    await page.getByText('Somebody else removed it.').waitFor({ state: 'detached' });
    await lookedUp(page);
    await page.click('[data-meanwhile] button');
    await page.waitForSelector('[data-meanwhile]', { state: 'detached' });
    expect(await focused(page)).toBe('Maps');
    expect(await refusal.count()).toBe(0);
    await page.click('[data-save]');
    await page.waitForFunction(() => document.querySelectorAll('.row-kept').length === 4);
    const saved = await mapsOf(poolGuid);
    expect(Object.fromEntries(saved.map((map: any) => [map.key, map.categoryGuid]))).toEqual({
      [one ?? '']: scene.categories.Tech,
      [two ?? '']: scene.categories.Tech,
      [three ?? '']: scene.categories.Tech,
      [four ?? '']: scene.categories.Speed,
    });
    expect(desk.problems).toEqual([]);
    await desk.close();
  });
});
