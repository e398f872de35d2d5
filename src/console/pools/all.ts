import type { Answer } from '../api.ts';

interface Page<Item> {
  items: readonly Item[];
  nextCursor: string | null;
}

/** No list for a choice has so many pages. */
const MOST_PAGES = 10;

/** Reads all pages of a short list, for a choice. @param ask reads the page behind a cursor; undefined: the first one */
export async function allOf<Item>(
  ask: (cursor: string | undefined) => Promise<Answer<Page<Item>>>,
): Promise<Answer<readonly Item[]>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await ask(cursor);
    if (answer.problem !== null) return answer;
    items.push(...answer.data.items);
    if (answer.data.nextCursor === null) break;
    cursor = answer.data.nextCursor;
  }
  return { data: items, etag: null, problem: null };
}
