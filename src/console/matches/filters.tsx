import { useState } from 'preact/hooks';
import { plain } from '../../pages/parts/text.ts';
import { VALUES } from '../contract.ts';
import { PlayerFilter } from '../parts/filters.tsx';
import { instantOf, localOf } from '../parts/instants.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { type Option, Select } from '../parts/select.tsx';
import { useGet } from '../read.ts';
import type { MatchQuery } from './query.ts';
import { strings } from './strings.ts';

const texts = strings.filters;
const MOST = 100;

interface FilterProps {
  query: MatchQuery;
  /** Changes the filter in the address, so that it can be kept and passed on. */
  change(changes: MatchQuery): void;
}

interface ThingProps {
  label: string;
  /** The id of the one that is chosen; undefined: any. */
  chosen: string | undefined;
  things: readonly Option[];
  set(chosen: string | undefined): void;
}

/** A filter by one of some things. One that is in the address and not on the first page of its list stays chosen. */
const Thing = ({ label, chosen, things, set }: ThingProps) => (
  <label>
    {label}{' '}
    <Select
      value={chosen ?? ''}
      set={(value) => set(value || undefined)}
      options={[
        { value: '', text: texts.any },
        ...things,
        ...(chosen === undefined || things.some(({ value }) => value === chosen)
          ? []
          : [{ value: chosen, text: chosen }]),
      ]}
    />
  </label>
);

interface InstantProps {
  label: string;
  /** ISO 8601. */
  at: string | undefined;
  onChange(at: string | undefined): void;
}

/** An instant. It counts with Enter, or once the field is left: while a year is typed it is another year. */
function Instant({ label, at, onChange }: InstantProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const take = (): void => {
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
        onKeyDown={({ key }) => key === 'Enter' && take()}
        onBlur={take}
      />
    </label>
  );
}

/** The filters of the list. */
export function Filters({ query, change }: FilterProps) {
  const queues = useGet('/queues', { query: { limit: MOST } });
  const seasons = useGet('/seasons', { query: { limit: MOST } });
  const states = [...VALUES.MatchState, 'all' as const];
  return (
    <section class="filters" aria-label={texts.label}>
      <label>
        {texts.state}{' '}
        <Select
          value={query.state ?? 'running'}
          set={(state) => change({ state: state === 'running' ? undefined : state })}
          options={states.map((state) => ({ value: state, text: texts.states[state] }))}
        />
      </label>
      <Thing
        label={texts.queue}
        chosen={query.queueGuid}
        things={(queues.data?.items ?? []).map(({ queueGuid, name }) => ({
          value: queueGuid,
          text: plain(name, 40),
        }))}
        set={(queueGuid) => change({ queueGuid })}
      />
      <Thing
        label={texts.season}
        chosen={query.seasonGuid}
        things={(seasons.data?.items ?? []).map(({ seasonGuid, name }) => ({
          value: seasonGuid,
          text: plain(name, 40),
        }))}
        set={(seasonGuid) => change({ seasonGuid })}
      />
      <Instant label={texts.since} at={query.since} onChange={(since) => change({ since })} />
      <Instant label={texts.until} at={query.until} onChange={(until) => change({ until })} />
      <PlayerFilter guid={query.playerGuid} onChange={(playerGuid) => change({ playerGuid })} />
      <ProblemNote problem={queues.problem} onRetry={queues.reload} />
      <ProblemNote problem={seasons.problem} onRetry={seasons.reload} />
    </section>
  );
}
