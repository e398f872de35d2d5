import { useState } from 'preact/hooks';
import { plain } from '../../pages/parts/text.ts';
import { VALUES } from '../contract.ts';
import { PlayerFilter } from '../parts/filters.tsx';
import { instantOf, localOf } from '../parts/instants.ts';
import { useGet } from '../read.ts';
import type { MatchQuery } from './query.ts';
import { strings } from './strings.ts';

const texts = strings.filters;
const MOST = 100;

interface FilterProps {
  query: MatchQuery;
  /** Changes the filter in the address, so that it can be kept and passed on. */
  change(changes: { [Name in keyof MatchQuery]: string | undefined }): void;
}

interface SelectProps {
  label: string;
  /** '': any. */
  value: string;
  options: readonly { value: string; label: string }[];
  onChange(value: string): void;
}

const Select = ({ label, value, options, onChange }: SelectProps) => (
  <label>
    {label}{' '}
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  </label>
);

const ANY = { value: '', label: texts.any };

/** Queues and seasons by name. One that is in the address and not on the first page of its list stays chosen. */
function Things({ query, change }: FilterProps) {
  const queues = useGet('/queues', { query: { limit: MOST } });
  const seasons = useGet('/seasons', { query: { limit: MOST } });
  const options = (items: readonly { value: string; label: string }[], chosen: string | undefined) => [
    ANY,
    ...items,
    ...(chosen === undefined || items.some(({ value }) => value === chosen)
      ? []
      : [{ value: chosen, label: chosen }]),
  ];
  return (
    <>
      <Select
        label={texts.queue}
        value={query.queueGuid ?? ''}
        options={options(
          (queues.data?.items ?? []).map(({ queueGuid, name }) => ({
            value: queueGuid,
            label: plain(name, 40),
          })),
          query.queueGuid,
        )}
        onChange={(queueGuid) => change({ queueGuid: queueGuid || undefined })}
      />
      <Select
        label={texts.season}
        value={query.seasonGuid ?? ''}
        options={options(
          (seasons.data?.items ?? []).map(({ seasonGuid, name }) => ({
            value: seasonGuid,
            label: plain(name, 40),
          })),
          query.seasonGuid,
        )}
        onChange={(seasonGuid) => change({ seasonGuid: seasonGuid || undefined })}
      />
    </>
  );
}

interface InstantProps {
  label: string;
  /** ISO 8601. */
  at: string | undefined;
  onChange(at: string | undefined): void;
}

/** An instant. It counts once the field is left: while a year is typed it is another year. */
function Instant({ label, at, onChange }: InstantProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const leave = (): void => {
    if (typed !== null) onChange(typed === '' ? undefined : instantOf(typed));
    setTyped(null);
  };
  return (
    <label>
      {label}{' '}
      <input
        type="datetime-local"
        value={typed ?? localOf(at ?? '')}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={leave}
      />
    </label>
  );
}

/** The filters of the list. */
export function Filters(props: FilterProps) {
  const { query, change } = props;
  const states = [...VALUES.MatchState, 'all' as const];
  return (
    <section class="filters" aria-label={texts.label}>
      <Select
        label={texts.state}
        value={query.state ?? 'running'}
        options={states.map((state) => ({ value: state, label: texts.states[state] }))}
        onChange={(state) => change({ state: state === 'running' ? undefined : state })}
      />
      <Things {...props} />
      <Instant label={texts.since} at={query.since} onChange={(since) => change({ since })} />
      <Instant label={texts.until} at={query.until} onChange={(until) => change({ until })} />
      <PlayerFilter guid={query.playerGuid} onChange={(playerGuid) => change({ playerGuid })} />
    </section>
  );
}
