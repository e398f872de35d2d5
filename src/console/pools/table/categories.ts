import { type Answer, api, ask, type Shapes } from '../../api.ts';
import { type Read, useRead } from '../../read.ts';

type Category = Shapes['MapCategory'];

/** All categories in the order in which they are shown. */
async function allCategories(): Promise<Answer<Category[]>> {
  const all: Category[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(api.GET('/map-categories', { params: { query: { cursor } } }));
    if (page.problem !== null) return page;
    all.push(...page.data.items);
    cursor = page.data.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return { data: all.sort((a, b) => a.position - b.position), etag: null, problem: null };
}

/** Reads all categories once. */
export const useCategories = (): Read<Category[]> => useRead(allCategories, []);
