import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { List } from '../read.ts';
import { sameVisit } from '../visits.tsx';
import { deskStrings as texts } from './desk-strings.ts';
import { useKeySwitch, useKeys } from './keys.ts';
import { Listing } from './reading.tsx';

/** The query of the address, and a way to change it without leaving the view. */
export function useQuery(): {
  query: Readonly<Record<string, string>>;
  /** Sets parameters; undefined removes one. */
  change(changes: Readonly<Record<string, string | undefined>>): void;
  /** The address with these changes. */
  addressWith(changes: Readonly<Record<string, string | undefined>>): string;
} {
  const { path, query, route } = useLocation();
  const addressWith = (changes: Readonly<Record<string, string | undefined>>): string => {
    const given = Object.entries({ ...query, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const asked = new URLSearchParams(given).toString();
    return asked === '' ? path : `${path}?${asked}`;
  };
  return { query, addressWith, change: (changes) => sameVisit(() => route(addressWith(changes), true)) };
}

/** The next page is read when so many items are left. */
const READ_AHEAD = 5;

interface DeskOptions<Item> {
  list: List<Item>;
  guidOf(item: Item): string;
  isDone(item: Item): boolean;
}

export interface Desk<Item> extends DeskOptions<Item> {
  /** The selected item; null: the list is empty. */
  guid: string | null;
  /** The same as the list has it; undefined: it is not on the list. */
  item: Item | undefined;
  /** Further pages are read, as the item may be on one of them. */
  isLooking: boolean;
  move(by: 1 | -1): void;
  /**
   * Goes from an item that was decided to the next one that is not done, from the beginning where none follows. It stays
   * where it is when the person has selected another one meanwhile, or has left the view.
   * @returns false when there is no next one
   */
  advance(decided: string): boolean;
  addressOf(guid: string): string;
}

/** A list with one selected item. The address (`at`) names it; left out: the first item that is not done. */
export function useDesk<Item>({ list, guidOf, isDone }: DeskOptions<Item>): Desk<Item> {
  const { query, change, addressWith } = useQuery();
  const items = list.data ?? [];
  // It stays selected when it is decided, until `advance` or the person selects another one.
  const first = useRef<string | null>(null);
  const isFirstThere = items.some((item) => guidOf(item) === first.current);
  if (!isFirstThere) {
    const found = items.find((item) => !isDone(item)) ?? items[0];
    first.current = found === undefined ? null : guidOf(found);
  }
  const guid = query.at ?? first.current;
  const index = items.findIndex((item) => guidOf(item) === guid);
  const select = (item: Item): void => change({ at: guidOf(item) });
  // An answer may come long after the rendering in which its request was sent.
  const newest = useRef({ guid, items, index, isDone, select });
  newest.current = { guid, items, index, isDone, select };
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  useEffect(() => {
    // After a failure the person asks again.
    const mayRead = list.hasMore && !list.isLoading && list.problem === null;
    // An address may name an item of a page that was not read yet.
    if (mayRead && (index === -1 || index >= items.length - READ_AHEAD)) list.more();
  }, [index, items.length, list.hasMore, list.isLoading, list.problem]);
  return {
    list,
    guidOf,
    isDone,
    guid,
    item: items[index],
    isLooking: index === -1 && list.problem === null && (list.isLoading || list.hasMore),
    move: (by) => {
      const item = items[index === -1 && by === 1 ? 0 : index + by];
      if (item !== undefined) select(item);
    },
    advance: (decided) => {
      const now = newest.current;
      if (!isShown.current || now.guid !== decided) return true;
      const next = [...now.items.slice(now.index + 1), ...now.items.slice(0, Math.max(0, now.index))].find(
        (item) => !now.isDone(item) && guidOf(item) !== decided,
      );
      if (next !== undefined) now.select(next);
      return next !== undefined;
    },
    addressOf: (one) => addressWith({ at: one }),
  };
}

/** The switch of the keys, and what each does. @param keys what a view has beside going forth and back */
function Keys({ keys }: { keys: Readonly<Record<string, string>> }) {
  const { areKeysOn, setKeysOn } = useKeySwitch();
  const all = {
    J: texts.keys.next,
    K: texts.keys.previous,
    ...keys,
    Enter: texts.keys.send,
    Esc: texts.keys.leave,
  };
  return (
    <div class="keys quiet">
      <label>
        <input
          type="checkbox"
          checked={areKeysOn}
          onChange={({ currentTarget }) => setKeysOn(currentTarget.checked)}
        />{' '}
        {texts.keys.on}
      </label>
      <ul aria-label={texts.keys.legend}>
        {Object.entries(all).map(([key, what]) => (
          <li key={key}>
            <kbd>{key}</kbd> {what}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface DeskViewProps<Item> {
  desk: Desk<Item>;
  nothing: string;
  /** The keys of this view beside next and previous, with their meaning. */
  keys: Readonly<Record<string, string>>;
  /** One line of the list. */
  line(item: Item): ComponentChildren;
  /** The selected item. */
  children: ComponentChildren;
}

/** A list, and beside it the selected item. J and K go to the next and the previous one. */
export function DeskView<Item>({ desk, nothing, keys, line, children }: DeskViewProps<Item>) {
  const { list, guidOf } = desk;
  useKeys({ j: () => desk.move(1), k: () => desk.move(-1) });
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    place.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [desk.guid]);
  return (
    <>
      <Keys keys={keys} />
      <div class="desk">
        <nav class="desk-list" aria-label={texts.list} ref={place}>
          <Listing of={list} nothing={nothing}>
            {(items) => (
              <ol>
                {items.map((item) => (
                  <li key={guidOf(item)}>
                    <a
                      href={desk.addressOf(guidOf(item))}
                      aria-current={guidOf(item) === desk.guid ? 'true' : undefined}
                    >
                      {line(item)}
                    </a>
                  </li>
                ))}
              </ol>
            )}
          </Listing>
          <button type="button" class="plain" onClick={list.reload}>
            {texts.reload}
          </button>
        </nav>
        <div class="desk-one">{children}</div>
      </div>
    </>
  );
}

/** The heading of the selected item. It takes the focus when the selection changes, so that screen readers read it. */
export function DeskHeading({ guid, children }: { guid: string; children: ComponentChildren }) {
  const place = useRef<HTMLHeadingElement>(null);
  const shown = useRef(guid);
  // At once: later it would take the focus from a comment that is begun meanwhile.
  useLayoutEffect(() => {
    if (shown.current !== guid) place.current?.focus();
    shown.current = guid;
  }, [guid]);
  return (
    <h2 ref={place} tabIndex={-1} class="desk-heading">
      {children}
    </h2>
  );
}
