import { useState } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { VALUES } from '../contract.ts';
import { useQuery } from '../parts/desk.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { Listing } from '../parts/reading.tsx';
import { Select } from '../parts/select.tsx';
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

/** The status in the address; undefined: it names none, or one that does not exist. */
const statusIn = (query: Readonly<Record<string, string>>): Shapes['PoolStatus'] | undefined =>
  VALUES.PoolStatus.find((one) => one === query.status);

/** The filters stand in the address, so that a list can be bookmarked and the way back leads to it. */
function Filters({ seasons }: { seasons: Seasons }) {
  const { query, change } = useQuery();
  return (
    <form aria-label={texts.filters} onSubmit={(event) => event.preventDefault()}>
      <Select
        name="status"
        aria-label={texts.status}
        value={statusIn(query) ?? ''}
        set={(status) => change({ status: status || undefined })}
        options={[
          { value: '', text: texts.everyStatus },
          ...VALUES.PoolStatus.map((value) => ({ value, text: strings.status[value] })),
        ]}
      />
      <Select
        name="season"
        aria-label={texts.season}
        value={query.season ?? ''}
        set={(season) => change({ season: season || undefined })}
        options={[
          { value: '', text: texts.everySeason },
          ...seasons.map(({ seasonGuid, name }) => ({ value: seasonGuid, text: plain(name) })),
        ]}
      />
    </form>
  );
}

function PoolRow({ pool, season }: { pool: Shapes['Pool']; season: string }) {
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
      <td>
        <Name text={season} />
      </td>
      <td>{mapCount}</td>
      <td>{publishedAt === null ? texts.notPublished : <Time at={publishedAt} />}</td>
    </tr>
  );
}

/** All pools, newest first. */
export function PoolList() {
  const { may } = useMe();
  const { query } = useQuery();
  const status = statusIn(query);
  const seasonGuid = query.season || undefined;
  const seasons = useSeasons();
  const known = seasons.data ?? [];
  const [isCreating, setCreating] = useState(false);
  const pools = useList('/pools', { query: { status, seasonGuid } });
  return (
    <>
      <Heading title={common.sections.pools} />
      <div class="actions">
        <Filters seasons={known} />
        {may('POST /pools') && (
          <button type="button" onClick={() => setCreating(true)}>
            {texts.create}
          </button>
        )}
      </div>
      <ProblemNote problem={seasons.problem} onRetry={seasons.reload} />
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
                season={known.find((one) => one.seasonGuid === pool.seasonGuid)?.name ?? '…'}
              />
            ))}
          </Table>
        )}
      </Listing>
    </>
  );
}
