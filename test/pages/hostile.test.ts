import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { homePage } from '../../src/pages/home/page.ts';
import { ladderPage } from '../../src/pages/ladder/page.ts';
import type { Page as ServedPage } from '../../src/pages/page.ts';
import { playerPage } from '../../src/pages/player/page.ts';
import { poolPage } from '../../src/pages/pool/page.ts';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { axeFindings, overflows, watchPage } from '../harness/pages.ts';
import { textOf } from '../harness/statement-text.ts';
import { takeTab } from '../harness/tab.ts';
import { HOSTILE, playScene, renameAll, type Scene } from './scene.ts';

/** Names that try to be something else than a text, on every page; and which tables pages are read from. */

const HTML = { accept: 'text/html' };
const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

let scene: Scene;
beforeAll(async () => {
  scene = await playScene();
});
afterAll(() => scene?.service.stop());

/** Drops every kept page, as a change of the season does. */
async function forgetPages(): Promise<void> {
  const { service, seasonGuid } = scene;
  const { body } = await service.request('admin', 'GET', `/seasons/${seasonGuid}`);
  const endsAt = new Date(Date.parse(body.endsAt) + 1).toISOString();
  expect((await service.request('admin', 'PATCH', `/seasons/${seasonGuid}`, { endsAt })).status).toBe(200);
}

describe('a page', () => {
  const tablesIn = (text: string): string[] =>
    [...text.matchAll(/\b(?:FROM|JOIN)\s+(?:"public"\.)?"(\w+)"/gi)].map(([, table = '']) => table);
  const named: [name: string, page: (services: never) => ServedPage][] = [
    ['home', homePage],
    ['ladder around a player', ladderPage],
    ['player', playerPage],
    ['pool', poolPage],
  ];

  test.each(named)('names every table that it is read from: %s', async (name, pageOf) => {
    /** The tables that are read meanwhile, by any client. */
    const tablesDuring = async (work: () => Promise<unknown>): Promise<Set<string>> => {
      const spy = vi.spyOn(pg.Client.prototype, 'query');
      await work();
      const asked = (spy.mock.calls as unknown[][]).map(([one]) => textOf(one) ?? '');
      spy.mockRestore();
      return new Set(asked.flatMap(tablesIn));
    };
    // Longer than the interval of the heartbeat.
    const background = await tablesDuring(() => sleep(700));
    const samples: Set<string>[] = [];
    for (let round = 0; round < 4; round++) {
      await forgetPages();
      const address = `${scene.service.url}${scene.pages[name]}`;
      samples.push(
        await tablesDuring(async () => expect((await fetch(address, { headers: HTML })).status).toBe(200)),
      );
    }
    // Tables that are not in every sample belong to the work of the background as well.
    const [first = new Set<string>(), ...others] = samples;
    const tables = [...first].filter(
      (table) => !background.has(table) && others.every((other) => other.has(table)),
    );
    expect(tables).not.toEqual([]);
    const { reads } = pageOf({} as never);
    expect(tables.filter((table) => !(reads as readonly string[]).includes(table))).toEqual([]);
  });
});

describe.skipIf(executable === null)(`a name in a browser${needed}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium(executable ?? '');
  });
  afterAll(() => browser?.close());

  test.each(Object.entries(HOSTILE))('is text and stays within the screen: %s', async (_kind, name) => {
    await renameAll(scene, name);
    await forgetPages();
    const { page, context, close } = await takeTab(browser);
    await page.setViewportSize({ width: 360, height: 740 });
    const seen = watchPage(page, scene.service.url);
    for (const at of [
      'home',
      'ladder',
      'ladder with a search',
      'player',
      'pool',
      'running match',
      'ended match',
    ]) {
      await page.goto(`${scene.service.url}${scene.pages[at]}`, { waitUntil: 'load' });
      expect(await page.evaluate('window.stolen')).toBeUndefined();
      expect([at, await page.locator('main img[src="x"], main svg[onload]').count()]).toEqual([at, 0]);
      expect([at, await overflows(page)]).toEqual([at, false]);
      const title = await page.title();
      expect(title.trim()).not.toBe('');
      expect([...title].length).toBeLessThanOrEqual(120);
      expect(title).not.toMatch(/[\u202a-\u202e\u2066-\u2069\n\u2028\u200b]/);
      if (name === HOSTILE.unseen) expect([at, await axeFindings(context, page)]).toEqual([at, []]);
    }
    expect(seen).toEqual({ complaints: [], elsewhere: [] });
    await close();
  });
});
