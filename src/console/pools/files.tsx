import { useState } from 'preact/hooks';
import { pressable } from '../../pages/parts/press.ts';
import { plain } from '../../pages/parts/text.ts';
import { api, ask, type Problem, type Shapes } from '../api.ts';
import { publicAddress } from '../parts/link.tsx';
import { notify } from '../parts/notices.tsx';
import { useOutcome } from '../parts/outcome.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { Select } from '../parts/select.tsx';
import { useMe } from '../session.ts';
import { useCategories } from './choices.ts';
import { differenceOf } from './difference.ts';
import { strings } from './strings.ts';
import { shownTables } from './table/store.ts';
import type { Pool, PoolDesk, WriteParams } from './use-pool.ts';

const texts = strings.files;

/** A file that was chosen. */
interface Chosen {
  format: 'csv' | 'bplist';
  /** The text of a table, or what a playlist holds. */
  content: unknown;
}

async function read(file: File): Promise<Chosen | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (/[.]csv$/i.test(file.name)) return { format: 'csv', content: text };
    return { format: 'bplist', content: JSON.parse(text) };
  } catch {
    return null;
  }
}

interface Sent extends WriteParams {
  dryRun: boolean;
  categoryGuid: string;
}

function send({ format, content }: Chosen, { dryRun, categoryGuid, ...written }: Sent) {
  const params = {
    ...written,
    query: { dryRun: `${dryRun}` as const, ...(categoryGuid && { categoryGuid }) },
  };
  return format === 'csv'
    ? ask(
        api.POST('/pools/{poolGuid}/import.csv', {
          params,
          headers: { 'content-type': 'text/csv' },
          body: content as string,
          bodySerializer: String,
        }),
      )
    : ask(
        api.POST('/pools/{poolGuid}/import.bplist', {
          params,
          body: content as Shapes['ImportedPlaylist'],
        }),
      );
}

/** The maps of a file, or of the whole pool. */
interface Maps {
  maps: readonly Shapes['PoolMap'][];
}

/** Whether a pool has all these maps with the same values. */
function areIn(maps: Maps['maps'], pool: Maps): boolean {
  const { removed, changed } = differenceOf(maps, pool.maps);
  return removed.length + changed.length === 0;
}

/** Those maps of an answer that a file added. The answer has all maps of the pool when that of the import was lost. */
const addedOf = ({ maps }: Maps, wouldAdd: Maps['maps']) =>
  maps.filter((map) =>
    wouldAdd.some(
      ({ hash, characteristic, difficulty }) =>
        map.hash === hash && map.characteristic === characteristic && map.difficulty === difficulty,
    ),
  );

/** The problems of rows that a refusal names. */
function RowProblems({ problem }: { problem: Problem | null }) {
  const rows = problem?.details?.rows ?? [];
  return (
    <ul data-rows>
      {rows.map(({ index, code, message }) => (
        <li key={index} data-code={code}>
          {texts.row(index)} {plain(message, 300)}
        </li>
      ))}
    </ul>
  );
}

interface CategoryFieldProps {
  value: string;
  disabled: boolean;
  set(categoryGuid: string): void;
}

function CategoryField(field: CategoryFieldProps) {
  const categories = useCategories();
  return (
    <>
      <label>
        {texts.category}
        <Select
          name="category"
          {...field}
          options={[
            { value: '', text: texts.noCategory },
            ...(categories.data ?? []).map(({ categoryGuid, name }) => ({
              value: categoryGuid,
              text: plain(name),
            })),
          ]}
        />
      </label>
      <ProblemNote problem={categories.problem} onRetry={categories.reload} />
    </>
  );
}

interface ImportProps {
  desk: PoolDesk;
  pool: Shapes['PoolWithMaps'];
}

/** Imports a file in two steps: first what would be added or is wrong, then the addition. */
function Import({ desk, pool: { poolGuid, revision } }: ImportProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [categoryGuid, setCategory] = useState('');
  const [wouldAdd, setWouldAdd] = useState<Maps['maps'] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const [isSending, setSending] = useState(false);
  const outcome = useOutcome();
  const again = (): void => {
    setWouldAdd(null);
    setProblem(null);
    setUnreadable(false);
  };
  const choose = async (file: File | undefined): Promise<void> => {
    again();
    // Nothing can be sent while the next file is read.
    setChosen(null);
    const found = file === undefined ? null : await read(file);
    setChosen(found);
    setUnreadable(file !== undefined && found === null);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (chosen === null) return;
    const path = { poolGuid };
    setSending(true);
    if (wouldAdd === null) {
      const answer = await send(chosen, { path, header: {}, dryRun: true, categoryGuid });
      setWouldAdd(answer.data?.maps ?? null);
      setProblem(answer.problem);
    } else {
      const found = await desk.write(
        (params) =>
          outcome<Maps>({
            send: () => send(chosen, { ...params, dryRun: false, categoryGuid }),
            now: () => ask(api.GET('/pools/{poolGuid}/maps', { params: { path } })),
            isDone: (pool) => areIn(wouldAdd, pool),
          }),
        (data) => {
          const imported = { revision, maps: addedOf(data, wouldAdd) };
          shownTables.get(poolGuid)?.send({ do: 'imported', imported });
          notify(texts.added(wouldAdd.length));
        },
      );
      setProblem(found);
      // The service may have added the maps: the same file is sent again, not previewed.
      if (found?.kind !== 'unreachable') setWouldAdd(null);
    }
    setSending(false);
  };
  return (
    <form class="stacked" aria-label={texts.import} onSubmit={(event) => void submit(event)}>
      <label>
        {texts.file}
        <input
          type="file"
          name="file"
          accept=".csv,.bplist,.json"
          disabled={isSending}
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
      </label>
      <CategoryField
        value={categoryGuid}
        disabled={isSending}
        set={(guid) => {
          again();
          setCategory(guid);
        }}
      />
      {isUnreadable && <p class="warning">{texts.unreadable}</p>}
      <ProblemNote problem={problem} />
      <RowProblems problem={problem} />
      {wouldAdd !== null && <p role="status">{texts.checked(wouldAdd.length)}</p>}
      <button type="submit" {...pressable(chosen !== null && !isSending)}>
        {wouldAdd === null ? texts.check : texts.add(wouldAdd.length)}
      </button>
    </form>
  );
}

interface FilesProps {
  desk: PoolDesk;
  pool: Pool;
}

/** A pool as files: exports, the playlist of players, and for a draft the import. */
export function Files({ desk, pool: { whole, alone } }: FilesProps) {
  const { may } = useMe();
  const address = (format: string) => publicAddress(`/pools/${whole.poolGuid}/export.${format}`);
  return (
    <section data-files>
      <h2>{texts.title}</h2>
      <ul class="links">
        {may('GET /pools/{poolGuid}/export.csv') && (
          <>
            <li>
              <a href={address('csv')} download>
                {texts.exportCsv}
              </a>
            </li>
            <li>
              <a href={address('bplist')} download>
                {texts.exportBplist}
              </a>
            </li>
          </>
        )}
        {alone.playlistUrl !== null && (
          <li>
            <a href={alone.playlistUrl}>{texts.playlist}</a>
          </li>
        )}
        {alone.oneClickUrl !== null && (
          <li>
            <a href={alone.oneClickUrl}>{texts.oneClick}</a>
          </li>
        )}
      </ul>
      {whole.status === 'draft' && may('POST /pools/{poolGuid}/import.csv') && (
        <details>
          <summary>{texts.import}</summary>
          <Import desk={desk} pool={whole} />
        </details>
      )}
    </section>
  );
}
