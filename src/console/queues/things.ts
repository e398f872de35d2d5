import { plain } from '../../pages/parts/text.ts';
import { api, ask, type Shapes } from '../api.ts';
import { useRead } from '../read.ts';
import { strings } from './strings.ts';

const MOST = 100;

/** The seasons by guid, the latest hundred. */
export function useSeasonNames(): (seasonGuid: string) => string {
  const { data } = useRead(() => ask(api.GET('/seasons', { params: { query: { limit: MOST } } })), []);
  return (guid) => data?.items.find(({ seasonGuid }) => seasonGuid === guid)?.name ?? '…';
}

/** The latest pools. @param status left out: all */
export const usePools = (status?: Shapes['PoolStatus']) =>
  useRead(() => ask(api.GET('/pools', { params: { query: { limit: MOST, status } } })), [status]);

/** A pool as an option to choose. */
export const poolLabel = (
  { name, seasonGuid, mapCount }: Shapes['Pool'],
  seasonName: (guid: string) => string,
): string => strings.pools(plain(name, 60), plain(seasonName(seasonGuid), 40), mapCount);
