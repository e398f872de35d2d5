import { useId, useState } from 'preact/hooks';
import { useQuery } from '../parts/desk.tsx';
import { Heading } from '../parts/heading.tsx';
import { instantOrNone, localOf } from '../parts/instants.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { Listing } from '../parts/reading.tsx';
import { useTyped } from '../parts/typed.ts';
import { PersonOf } from '../players/person.tsx';
import { PersonPicker } from '../players/search.tsx';
import { useGet, useList } from '../read.ts';
import { EntryView } from './entry.tsx';
import { GUID } from './places.ts';
import { strings } from './strings.ts';

/** The filters, by the names that they have in the address and in the API. */
interface Filters {
  actorGuid?: string;
  action?: string;
  target?: string;
  since?: string;
  until?: string;
}

/** The filters in the address, each of them a member. Malformed ones are undefined. */
const filtersOf = (asked: Readonly<Record<string, string | undefined>>): Filters => ({
  actorGuid: GUID.test(asked.actorGuid ?? '') ? asked.actorGuid : undefined,
  action: asked.action || undefined,
  target: asked.target || undefined,
  since: instantOrNone(asked.since ?? ''),
  until: instantOrNone(asked.until ?? ''),
});
const NO_FILTER = filtersOf({});

interface FilterProps {
  filters: Filters;
  onChange(filters: Filters): void;
}

function Who({ filters, onChange }: FilterProps) {
  if (filters.actorGuid === undefined)
    return (
      <PersonPicker label={strings.whoField} onPick={(actorGuid) => onChange({ ...filters, actorGuid })} />
    );
  return (
    <p data-actor={filters.actorGuid}>
      {strings.who}: <PersonOf playerGuid={filters.actorGuid} />{' '}
      <button type="button" class="plain" onClick={() => onChange({ ...filters, actorGuid: undefined })}>
        {strings.anybody}
      </button>
    </p>
  );
}

interface FieldProps {
  name: string;
  label: string;
  value: string;
  hint?: string;
  type?: 'text' | 'datetime-local';
  list?: string;
  onInput(value: string): void;
}

const Field = ({ name, label, value, hint, type = 'text', list, onInput }: FieldProps) => (
  <label class="filter-field">
    {label}
    <input
      type={type}
      name={name}
      list={list}
      placeholder={hint}
      autocomplete="off"
      maxLength={200}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </label>
);

/** The filters by action, target and time. A button applies them, so that the page is not read again with every letter. */
function Others({ filters, onChange, onClear }: FilterProps & { onClear(): void }) {
  const [action, setAction] = useTyped(filters.action ?? '');
  const [target, setTarget] = useTyped(filters.target ?? '');
  const [since, setSince] = useTyped(localOf(filters.since ?? ''));
  const [until, setUntil] = useTyped(localOf(filters.until ?? ''));
  const actions = useGet('/audit-log/actions', { query: { limit: 100 } });
  const clear = (): void => {
    // This also removes what was typed and not applied.
    for (const set of [setAction, setTarget, setSince, setUntil]) set('');
    onClear();
  };
  const list = useId();
  const submit = (event: Event): void => {
    event.preventDefault();
    onChange({
      ...filters,
      action: action.trim() || undefined,
      target: target.trim().replace(/(?<=.)\/+$/, '') || undefined,
      since: instantOrNone(since),
      until: instantOrNone(until),
    });
  };
  return (
    <form class="fields" aria-label={strings.filters} onSubmit={submit}>
      <Field
        name="action"
        label={strings.what}
        hint={strings.whatHint}
        list={list}
        value={action}
        onInput={setAction}
      />
      <datalist id={list}>
        {actions.data?.items.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <ProblemNote problem={actions.problem} onRetry={actions.reload} />
      <Field
        name="target"
        label={strings.target}
        hint={strings.targetHint}
        value={target}
        onInput={setTarget}
      />
      <Field name="since" label={strings.since} type="datetime-local" value={since} onInput={setSince} />
      <Field name="until" label={strings.until} type="datetime-local" value={until} onInput={setUntil} />
      <p class="actions">
        <button type="submit">{strings.filter}</button>
        <button type="button" class="plain" onClick={clear}>
          {strings.clear}
        </button>
      </p>
    </form>
  );
}

/** The audit log, filtered by the address. */
export function Audit() {
  const { query, change: changeQuery } = useQuery();
  const filters = filtersOf(query);
  const list = useList('/audit-log', { query: { ...filters, limit: 50 } });
  const change = (wanted: Filters): void => changeQuery({ ...NO_FILTER, ...wanted });
  const [timesCleared, setTimesCleared] = useState(0);
  const clear = (): void => {
    change({});
    setTimesCleared(timesCleared + 1);
  };
  return (
    <>
      <Heading title={strings.title} />
      <p class="quiet">{strings.lead}</p>
      <Who key={timesCleared} filters={filters} onChange={change} />
      <Others filters={filters} onChange={change} onClear={clear} />
      <Listing of={list} nothing={strings.nothing}>
        {(entries) => (
          <ul class="matches" data-entries>
            {entries.map((entry, at) => (
              <EntryView key={at} entry={entry} />
            ))}
          </ul>
        )}
      </Listing>
    </>
  );
}
