import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Name } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { VALUES } from '../contract.ts';
import { Heading } from '../parts/heading.tsx';
import { addressOf, Link } from '../parts/link.tsx';
import { Listing } from '../parts/reading.tsx';
import { Table } from '../parts/table.tsx';
import { PATHS } from '../paths.ts';
import { useList } from '../read.ts';
import { useMe } from '../session.ts';
import { strings as common } from '../strings.ts';
import { useSeasons } from './choices.ts';
import { Create } from './create.tsx';
import { Status } from './status.tsx';
import { strings } from './strings.ts';

const texts = strings.list;
type Seasons = readonly Shapes['Season'][];

interface Filters {
  status: Shapes['PoolStatus'] | undefined;
  seasonGuid: string | undefined;
}

/** The filters stand in the address, so that a list can be bookmarked and the way back leads to it. */
function useFilters(): [Filters, (changed: Partial<Filters>) => void] {
  const { query, route } = useLocation();
  const filters: Filters = {
    status: VALUES.PoolStatus.find((one) => one === query.status),
    seasonGuid: query.season || undefined,
  };
  const set = (changed: Partial<Filters>): void => {
    const { status, seasonGuid } = { ...filters, ...changed };
    const asked = { ...(status && { status }), ...(seasonGuid && { season: seasonGuid }) };
    route(addressOf(PATHS.pools, {}, asked), true);
  };
  return [filters, set];
}

function FilterForm({
  of,
  set,
  seasons,
}: {
  of: Filters;
  set(changed: Partial<Filters>): void;
  seasons: Seasons;
}) {
  return (
    <form aria-label={texts.filters} onSubmit={(event) => event.preventDefault()}>
      <select
        name="status"
        aria-label={texts.status}
        value={of.status ?? ''}
        onChange={({ currentTarget }) =>
          set({ status: VALUES.PoolStatus.find((one) => one === currentTarget.value) })
        }
      >
        <option value="">{texts.everyStatus}</option>
        {VALUES.PoolStatus.map((status) => (
          <option key={status} value={status}>
            {strings.status[status]}
          </option>
        ))}
      </select>
      <select
        name="season"
        aria-label={texts.season}
        value={of.seasonGuid ?? ''}
        onChange={({ currentTarget }) => set({ seasonGuid: currentTarget.value || undefined })}
      >
        <option value="">{texts.everySeason}</option>
        {seasons.map(({ seasonGuid, name }) => (
          <option key={seasonGuid} value={seasonGuid}>
            {plain(name)}
          </option>
        ))}
      </select>
    </form>
  );
}

function PoolRow({ pool, season }: { pool: Shapes['Pool']; season: Shapes['Season'] | undefined }) {
  const { poolGuid, name, status, mapCount, publishedAt } = pool;
  return (
    <tr data-pool={poolGuid}>
      <th scope="row">
        <Link to={PATHS.pool} with={{ poolGuid }}>
          <Name text={name} />
        </Link>
      </th>
      <td>
        <Status status={status} />
      </td>
      <td>{season && <Name text={season.name} />}</td>
      <td>{mapCount}</td>
      <td>{publishedAt === null ? texts.notPublished : <Time at={publishedAt} />}</td>
    </tr>
  );
}

/** All pools, newest first. */
export function PoolList() {
  const { may } = useMe();
  const [filters, setFilters] = useFilters();
  const { status, seasonGuid } = filters;
  const seasons = useSeasons().data ?? [];
  const [isCreating, setCreating] = useState(false);
  const pools = useList('/pools', { query: { status, seasonGuid } });
  return (
    <>
      <Heading title={common.sections.pools} />
      <div class="actions">
        <FilterForm of={filters} set={setFilters} seasons={seasons} />
        {may('POST /pools') && (
          <button type="button" onClick={() => setCreating(true)}>
            {texts.create}
          </button>
        )}
      </div>
      {isCreating && <Create seasons={seasons} seasonGuid={seasonGuid} onClose={() => setCreating(false)} />}
      <Listing of={pools} nothing={texts.nothing}>
        {(items) => (
          <Table
            label={common.sections.pools}
            heads={[texts.name, texts.status, texts.season, texts.mapCount, texts.publishedAt]}
          >
            {items.map((pool) => (
              <PoolRow
                key={pool.poolGuid}
                pool={pool}
                season={seasons.find((one) => one.seasonGuid === pool.seasonGuid)}
              />
            ))}
          </Table>
        )}
      </Listing>
    </>
  );
}
