import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import type { Shapes } from '../api.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { Reading } from '../parts/reading.tsx';
import { Select } from '../parts/select.tsx';
import { Table } from '../parts/table.tsx';
import { type Read, useGet } from '../read.ts';
import { usePools } from './choices.ts';
import { type Difference, differenceOf, type Field, isSame } from './difference.ts';
import { strings } from './strings.ts';

const texts = strings.difference;
type PoolMap = Shapes['PoolMap'];
type PoolWithMaps = Shapes['PoolWithMaps'];

interface RowProps {
  kind: 'added' | 'removed' | 'changed';
  map: PoolMap;
  /** The value before; left out: the row is new, or it is gone. */
  before?: PoolMap;
  fields?: readonly Field[];
  nameOf(categoryGuid: string): string;
  /** Begins a comment on a map of the pool. */
  onComment?(map: PoolMap): void;
}

const difficultyOf = ({ characteristic, difficulty }: PoolMap): string => `${characteristic} ${difficulty}`;
const modifiersOf = ({ modifiers }: PoolMap): string => modifiers.join(' ') || texts.noModifiers;

/** A value, and what it was before where it differs. */
const Value = ({ was, now }: { was: ComponentChildren | null; now: ComponentChildren }) =>
  was === null ? (
    now
  ) : (
    <>
      <span class="unseen">{texts.was} </span>
      <del>{was}</del> <span class="unseen">{texts.now} </span>
      <ins>{now}</ins>
    </>
  );

function DifferenceRow({ kind, map, before, fields = [], nameOf, onComment }: RowProps) {
  const was = (field: Field, value: (of: PoolMap) => ComponentChildren) =>
    before !== undefined && fields.includes(field) ? value(before) : null;
  const category = ({ categoryGuid }: PoolMap) => <Name text={nameOf(categoryGuid)} />;
  return (
    <tr class={kind} data-difference={kind}>
      <th scope="row">
        <Name text={map.name} /> <span class="quiet">{map.key}</span>
        {fields.includes('upload') && <span class="quiet"> {texts.upload}</span>}
      </th>
      <td>{texts[kind]}</td>
      <td>
        <Value was={was('difficulty', difficultyOf)} now={difficultyOf(map)} />
      </td>
      <td>
        <Value was={was('category', category)} now={category(map)} />
      </td>
      <td>
        <Value was={was('modifiers', modifiersOf)} now={modifiersOf(map)} />
      </td>
      {onComment && (
        <td>
          {kind !== 'removed' && (
            <button
              type="button"
              class="plain"
              aria-label={strings.review.addOf(map.name)}
              onClick={() => onComment(map)}
            >
              {strings.review.comment}
            </button>
          )}
        </td>
      )}
    </tr>
  );
}

interface TableProps {
  of: Difference;
  categories: readonly Shapes['MapCategory'][];
  onComment?(map: PoolMap): void;
}

/** The rows that differ. */
export function DifferenceTable({ of: { added, removed, changed }, categories, onComment }: TableProps) {
  const names = new Map(categories.map(({ categoryGuid, name }) => [categoryGuid, name]));
  const nameOf = (categoryGuid: string): string => names.get(categoryGuid) ?? '';
  const beside = { nameOf, onComment };
  return (
    <Table
      class="difference"
      label={texts.table}
      heads={[
        texts.map,
        texts.what,
        texts.difficulty,
        texts.category,
        texts.modifiers,
        ...(onComment
          ? [
              <span key="comment" class="unseen">
                {strings.review.comment}
              </span>,
            ]
          : []),
      ]}
    >
      {added.map((map) => (
        <DifferenceRow key={map.mapGuid} kind="added" map={map} {...beside} />
      ))}
      {removed.map((map) => (
        <DifferenceRow key={map.mapGuid} kind="removed" map={map} {...beside} />
      ))}
      {changed.map(({ before, after, fields }) => (
        <DifferenceRow
          key={after.mapGuid}
          kind="changed"
          map={after}
          before={before}
          fields={fields}
          {...beside}
        />
      ))}
    </Table>
  );
}

interface ComparedProps {
  before: PoolWithMaps;
  after: PoolWithMaps;
  onComment?(map: PoolMap): void;
}

/** How a pool differs from another one. */
function Compared({ before, after, onComment }: ComparedProps) {
  const difference = differenceOf(before.maps, after.maps);
  const { added, removed, changed, same } = difference;
  if (isSame(difference)) return <p data-difference="none">{texts.same}</p>;
  return (
    <>
      <p>{texts.counts(added.length, removed.length, changed.length, same)}</p>
      <DifferenceTable
        of={difference}
        categories={[...before.categories, ...after.categories]}
        onComment={onComment}
      />
    </>
  );
}

function Chosen({ poolGuid, ...beside }: Omit<ComparedProps, 'before'> & { poolGuid: string }) {
  const path = { poolGuid };
  const read = useGet('/pools/{poolGuid}/maps', { path });
  return <Reading of={read}>{(before) => <Compared before={before} {...beside} />}</Reading>;
}

interface DifferencesProps {
  pool: PoolWithMaps;
  /** The pool that it was copied from. */
  origin: Read<PoolWithMaps | null>;
  onComment?(map: PoolMap): void;
}

/** The difference to the pool it was copied from, or to another one that is chosen. */
export function Differences({ pool, origin, onComment }: DifferencesProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const all = usePools();
  const pools = all.data ?? [];
  const from = origin.data;
  const baseGuid = chosen ?? from?.poolGuid ?? '';
  const others = pools.filter(({ poolGuid }) => poolGuid !== pool.poolGuid && poolGuid !== from?.poolGuid);
  return (
    <section data-differences>
      <h2>{texts.title}</h2>
      <form onSubmit={(event) => event.preventDefault()}>
        <label class="difference-base">
          {texts.against}{' '}
          <Select
            name="base"
            value={baseGuid}
            set={(guid) => setChosen(guid || null)}
            options={[
              from
                ? { value: from.poolGuid, text: texts.origin(from.name) }
                : { value: '', text: texts.none },
              ...others.map(({ poolGuid, name, status }) => ({
                value: poolGuid,
                text: `${plain(name)} · ${strings.status[status]}`,
              })),
            ]}
          />
        </label>
      </form>
      <ProblemNote problem={origin.problem} onRetry={origin.reload} />
      <ProblemNote problem={all.problem} onRetry={all.reload} />
      {baseGuid === '' && !origin.isLoading && origin.problem === null && <p class="quiet">{texts.hint}</p>}
      {from && baseGuid === from.poolGuid && <Compared before={from} after={pool} onComment={onComment} />}
      {baseGuid !== '' && baseGuid !== from?.poolGuid && (
        <Chosen poolGuid={baseGuid} after={pool} onComment={onComment} />
      )}
    </section>
  );
}
