import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { useList } from '../read.ts';
import { deskStrings } from './desk-strings.ts';
import { Person } from './person.tsx';
import { Listing } from './reading.tsx';
import { Select } from './select.tsx';

const texts = deskStrings.filters;
const GUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
/** How many players are shown at once. */
const PAGE = 8;

interface SelectProps<Value extends string> {
  label: string;
  values: readonly Value[];
  labels: Readonly<Record<Value, string>>;
  /** Undefined: all. */
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** One of the values of an enumeration, or all. */
export const SelectFilter = <Value extends string>({
  label,
  values,
  labels,
  value = '',
  onChange,
}: SelectProps<Value>) => (
  <label>
    {label}{' '}
    <Select
      value={value}
      set={(chosen) => onChange(chosen || undefined)}
      options={[{ value: '', text: texts.all }, ...values.map((one) => ({ value: one, text: labels[one] }))]}
    />
  </label>
);

interface GuidFilterProps {
  guid: string | undefined;
  onChange(guid: string | undefined): void;
}

interface ChosenProps {
  /** What is filtered by. */
  what: string;
  onClear(): void;
  children: ComponentChildren;
}

/** The one that is chosen, and a button that ends the filter. */
const Chosen = ({ what, onClear, children }: ChosenProps) => (
  <p class="chosen">
    {what}: {children}{' '}
    <button type="button" class="plain" onClick={onClear}>
      {texts.clear(what.toLowerCase())}
    </button>
  </p>
);

interface FoundProps {
  name: string;
  onChoose(guid: string): void;
}

/** A button for each player whose name has a text in it, page by page. */
const Found = ({ name, onChoose }: FoundProps) => (
  <Listing of={useList('/players', { query: { query: name, limit: PAGE } })} nothing={texts.nobody} isAnswer>
    {(players) =>
      players.map(({ playerGuid, username }) => (
        <button key={playerGuid} type="button" class="plain" onClick={() => onChoose(playerGuid)}>
          <Name text={username} most={30} />
        </button>
      ))
    }
  </Listing>
);

/** Finds a player by name, and filters by that one. */
export function PlayerFilter({ guid, onChange }: GuidFilterProps) {
  const [name, setName] = useState('');
  const [searched, setSearched] = useState('');
  if (guid !== undefined)
    return (
      <Chosen what={texts.player} onClear={() => onChange(undefined)}>
        <Person playerGuid={guid} />
      </Chosen>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setSearched(name.trim());
      }}
    >
      <label>
        {texts.player}{' '}
        <input
          required
          placeholder={texts.playerHint}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit" class="plain">
        {texts.find}
      </button>
      {searched !== '' && (
        <Found
          name={searched}
          onChoose={(playerGuid) => {
            setSearched('');
            onChange(playerGuid);
          }}
        />
      )}
    </form>
  );
}

/** Filters by a match, of which an address or the id is pasted. */
export function MatchFilter({ guid, onChange }: GuidFilterProps) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const hint = useId();
  if (guid !== undefined)
    return (
      <Chosen what={texts.match} onClear={() => onChange(undefined)}>
        <code>{guid}</code>
      </Chosen>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const pasted = GUID.exec(text)?.[0];
        setWrong(pasted === undefined);
        if (pasted !== undefined) onChange(pasted.toLowerCase());
      }}
    >
      <label>
        {texts.match}{' '}
        <input
          required
          placeholder={texts.matchHint}
          autocomplete="off"
          aria-invalid={isWrong}
          aria-describedby={hint}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" class="plain">
        {texts.apply}
      </button>
      <span id={hint} role="status">
        {isWrong && texts.noMatch}
      </span>
    </form>
  );
}
