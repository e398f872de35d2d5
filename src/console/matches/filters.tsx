import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Name } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import { api, ask, type Problem, type Shapes } from '../api.ts';
import { VALUES } from '../contract.ts';
import { instantOf, localOf } from '../parts/instants.ts';
import { addressOf } from '../parts/link.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { PATHS } from '../paths.ts';
import { useRead } from '../read.ts';
import type { MatchQuery } from './query.ts';
import { strings } from './strings.ts';

const texts = strings.filters;
const MOST = 100;
const MOST_FOUND = 8;

type Change = (changes: Partial<MatchQuery>) => void;
interface FilterProps {
  query: MatchQuery;
  change: Change;
}

/** Changes the filter in the address, so that it can be kept and passed on. */
export function useFilter(query: MatchQuery): Change {
  const { route } = useLocation();
  return (changes) => {
    const given = Object.entries({ ...query, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    );
    route(addressOf(PATHS.matches, {}, Object.fromEntries(given)), true);
  };
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
  const queues = useRead(() => ask(api.GET('/queues', { params: { query: { limit: MOST } } })), []);
  const seasons = useRead(() => ask(api.GET('/seasons', { params: { query: { limit: MOST } } })), []);
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
        onChange={(queueGuid) => change({ queueGuid })}
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
        onChange={(seasonGuid) => change({ seasonGuid })}
      />
    </>
  );
}

function ChosenPlayer({ playerGuid, onForget }: { playerGuid: string; onForget(): void }) {
  const { data } = useRead(
    () => ask(api.GET('/players/{playerGuid}', { params: { path: { playerGuid } } })),
    [playerGuid],
  );
  return (
    <span>
      {texts.player}: {data === null ? <code>{playerGuid}</code> : <Name text={data.username} most={30} />}{' '}
      <button type="button" class="plain" onClick={onForget}>
        {texts.forget}
      </button>
    </span>
  );
}

/** Finds a player by name. */
function PlayerSearch({ change }: { change: Change }) {
  const [name, setName] = useState('');
  const [found, setFound] = useState<Shapes['PlayerList']['items'] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const find = async (event: Event): Promise<void> => {
    event.preventDefault();
    const query = { query: name.trim(), limit: MOST_FOUND };
    const answer = await ask(api.GET('/players', { params: { query } }));
    setProblem(answer.problem);
    setFound(answer.data?.items ?? null);
  };
  return (
    <form onSubmit={(event) => void find(event)}>
      <label>
        {texts.player}{' '}
        <input
          name="player"
          required
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit" class="plain">
        {texts.find}
      </button>
      <ProblemNote problem={problem} />
      {found?.length === 0 && <span role="status">{texts.nobody}</span>}
      {found?.map(({ playerGuid, username }) => (
        <button key={playerGuid} type="button" class="plain" onClick={() => change({ playerGuid })}>
          <Name text={username} most={30} />
        </button>
      ))}
    </form>
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

/** What of all matches is listed. */
export function Filters(props: FilterProps) {
  const { query, change } = props;
  const { playerGuid } = query;
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
      {playerGuid === undefined ? (
        <PlayerSearch change={change} />
      ) : (
        <ChosenPlayer playerGuid={playerGuid} onForget={() => change({ playerGuid: undefined })} />
      )}
    </section>
  );
}
