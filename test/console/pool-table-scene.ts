import type { Page } from 'playwright-core';
import { loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** A draft to be filled by hand, and maps that the map host has for it. */

export interface Draft {
  poolGuid: string;
  path: string;
}

export interface TableScene {
  service: TestService;
  /** By name. */
  categories: Record<'Accuracy' | 'Speed' | 'Tech', string>;
  newDraft(name: string): Promise<Draft>;
  /** Makes the map host know this many more maps, with three difficulties each. @returns their keys */
  moreMaps(count: number): string[];
  must(account: string, method: string, path: string, body?: unknown): Promise<any>;
}

export async function startTableScene(): Promise<TableScene> {
  const service = await startTestService();
  const must: TableScene['must'] = async (account, method, path, body) => {
    const answer = await service.request(account, method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const now = Date.now();
  const { seasonGuid } = await must('admin', 'POST', '/seasons', {
    name: 'Season',
    startsAt: new Date(now - 3_600_000).toISOString(),
    endsAt: new Date(now + 86_400_000).toISOString(),
  });
  const categories = {} as TableScene['categories'];
  for (const name of ['Accuracy', 'Speed', 'Tech'] as const)
    categories[name] = (await must('admin', 'POST', '/map-categories', { name })).categoryGuid;
  const [sample] = loadCatalogue();
  if (sample === undefined) throw new Error('The catalogue is empty.');
  let added = 0;
  return {
    service,
    categories,
    must,
    newDraft: async (name) => {
      const { poolGuid } = await must('admin', 'POST', '/pools', { seasonGuid, name });
      return { poolGuid, path: `/staff/pools/${poolGuid}` };
    },
    moreMaps: (count) =>
      Array.from({ length: count }, () => {
        const key = (0xa0000 + added++).toString(16);
        service.mapHost.addMap({
          ...sample,
          key,
          hash: key.padStart(40, 'b'),
          name: `Song ${key} - Somebody`,
        });
        return key;
      }),
  };
}

/** Pastes a text as the clipboard does, into whatever has the focus. */
export const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  }, text);

/** A cell of the table. @param row from 1 */
export const cell = (page: Page, row: number, column: string) =>
  page.locator(`.pool-grid tbody tr:nth-child(${row}) > [data-column="${column}"]`);

/** Waits until every row was looked up. @throws an error with the text of the page */
export async function lookedUp(page: Page): Promise<void> {
  try {
    await page.waitForFunction(
      () =>
        document.querySelectorAll('.pool-grid tbody tr').length > 0 &&
        document.querySelector('[data-looking-up]') === null,
      undefined,
      { polling: 100 },
    );
  } catch (error) {
    throw new Error(`Rows were not looked up: ${await page.locator('body').textContent()}`, { cause: error });
  }
}

/** The rows as text, one line each. */
export const rowsOf = (page: Page): Promise<string[]> =>
  page.$$eval('.pool-grid tbody tr', (rows) =>
    rows.map((row) =>
      ['map', 'characteristic', 'difficulty', 'category', 'modifiers']
        .map((column) => row.querySelector(`[data-column="${column}"]`)?.textContent?.trim() ?? '')
        .join(' | '),
    ),
  );
