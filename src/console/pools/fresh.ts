import { api, ask, type Shapes } from '../api.ts';
import { asStored } from '../parts/once.ts';

/** Finds a draft whose answer was lost: it is the newest one, and nobody has changed it. */
export const freshDraft = ({
  name,
  seasonGuid,
  mapCount,
}: Pick<Shapes['Pool'], 'name' | 'seasonGuid' | 'mapCount'>) => ({
  newest: () => ask(api.GET('/pools', { params: { query: { seasonGuid, status: 'draft', limit: 1 } } })),
  isIt: (pool: Shapes['Pool']): boolean =>
    pool.name === asStored(name) && pool.mapCount === mapCount && pool.revision === 1,
});
