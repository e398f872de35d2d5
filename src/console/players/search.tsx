import { useState } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import type { Shapes } from '../api.ts';
import { Listing } from '../parts/reading.tsx';
import { useTyped } from '../parts/typed.ts';
import { useList } from '../read.ts';
import { strings } from './strings.ts';

const texts = strings.search;

export type Found = Shapes['FoundPlayer'];

interface SearchProps {
  /** The name or platform id to search for; '': no search. */
  query: string;
  onSearch(query: string): void;
  label?: string;
}

/** A field for a name or a platform id. */
export function PlayerField({ query, onSearch, label = texts.label }: SearchProps) {
  const [typed, setTyped] = useTyped(query);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <label>
        {label}{' '}
        <input
          type="search"
          name="player"
          autocomplete="off"
          maxLength={100}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <button type="submit">{texts.find}</button>
    </form>
  );
}

/** The players that a search finds, page by page. @param children draws one of them */
export function FoundPlayers({
  query,
  children,
}: {
  query: string;
  children(found: Found): preact.ComponentChildren;
}) {
  const list = useList('/players', { query: { query, limit: 20 } });
  return (
    <Listing of={list} nothing={texts.nobody} isAnswer>
      {(items) => (
        <ul class="matches" data-found>
          {items.map((found) => (
            <li key={found.playerGuid}>{children(found)}</li>
          ))}
        </ul>
      )}
    </Listing>
  );
}

/** Chooses one person: a search field, and a button for each result. */
export function PersonPicker({ label, onPick }: { label: string; onPick(playerGuid: string): void }) {
  const [query, setQuery] = useState('');
  return (
    <div>
      <PlayerField query={query} onSearch={setQuery} label={label} />
      {query !== '' && (
        <FoundPlayers query={query}>
          {({ playerGuid, username, platformId }) => (
            <>
              <button type="button" class="plain" onClick={() => onPick(playerGuid)}>
                <Name text={username} />
              </button>{' '}
              <span class="quiet">{platformId}</span>
            </>
          )}
        </FoundPlayers>
      )}
    </div>
  );
}
