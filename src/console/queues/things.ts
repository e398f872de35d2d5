import { plain } from '../../pages/parts/text.ts';
import type { Shapes } from '../api.ts';
import type { Option } from '../parts/select.tsx';
import { type Read, useGet } from '../read.ts';
import { strings } from './strings.ts';

const MOST = 100;

/** The names of the latest hundred seasons. */
export function useSeasonNames(): Pick<Read<unknown>, 'problem' | 'reload'> & {
  nameOf(seasonGuid: string): string;
} {
  const { data, problem, reload } = useGet('/seasons', { query: { limit: MOST } });
  const nameOf = (guid: string): string =>
    data?.items.find(({ seasonGuid }) => seasonGuid === guid)?.name ?? '…';
  return { nameOf, problem, reload };
}

/** The latest pools. @param status left out: all */
export const usePools = (status?: Shapes['PoolStatus']) =>
  useGet('/pools', { query: { limit: MOST, status } });

/** A pool as an option to choose. */
export const poolOption = (
  { poolGuid, name, seasonGuid, mapCount }: Shapes['Pool'],
  seasonName: (guid: string) => string,
): Option => ({
  value: poolGuid,
  text: strings.pools(plain(name, 60), plain(seasonName(seasonGuid), 40), mapCount),
});
