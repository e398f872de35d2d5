import { api, ask, type Shapes } from '../api.ts';
import { asStored } from '../parts/once.ts';

/** Finds a draft whose answer was lost: it is the newest one, and nobody has changed it. */
export const freshDraft = ({
  name,
  seasonGuid,
  mapCount,
}: Pick<Shapes['Pool'], 'name' | 'seasonGuid' | 'mapCount'>) => ({
  newest: () => ask(api.GET('/pools', { params: { query: { seasonGuid, status: 'draft', limit: 1 } } })),
  sent: asStored(name),
  isIt: (pool: Shapes['Pool'], lost: readonly string[]): boolean =>
    pool.name === asStored(name) &&
    lost.includes(pool.name) &&
    pool.mapCount === mapCount &&
    pool.revision === 1,
});
