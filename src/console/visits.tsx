import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';
import { useLocation } from 'preact-iso';

/**
 * What Back and Forward lead to: for each entry of the browser's history the rows that were read and the place on the page.
 * It is kept in memory alone, so it goes with the page, at the latest when somebody signs out.
 */

interface Visit {
  /** Lists by their requests, as they were shown last. */
  lists: Map<string, unknown>;
  /** Pixels that were scrolled. */
  top: number;
  /** The link with the focus: its address, and which one of those with this address; null: none. */
  link: { href: string; nth: number } | null;
}

/** The most entries that are kept. Those that were shown longest ago are forgotten first. */
const MOST = 30;
/** How long a page may take to become as high as it was. Afterwards it is not scrolled any more. */
const PATIENCE_MS = 10_000;

const visits = new Map<string, Visit>();
let count = 0;
/** The entry that is shown. */
let shown = '';
/** What the entry that is shown had when it was left the last time; null: it is shown for the first time. */
let before: Visit | null = null;

/** The name of the present entry of the history. An entry that has none gets one. */
function entryNow(): string {
  const { entry } = (history.state ?? {}) as { entry?: string };
  if (entry !== undefined) return entry;
  // With the time of the load it differs from names that were given before the page was loaded again.
  const made = `${performance.timeOrigin} ${++count}`;
  history.replaceState({ ...history.state, entry: made }, '');
  return made;
}

const linksTo = (href: string): HTMLAnchorElement[] =>
  [...document.querySelectorAll<HTMLAnchorElement>('.console a')].filter((link) => link.href === href);

function focused(): Visit['link'] {
  const link = document.activeElement;
  if (!(link instanceof HTMLAnchorElement)) return null;
  return { href: link.href, nth: linksTo(link.href).indexOf(link) };
}

/** Leaves the entry that is shown for another one, before anything of that one is drawn. */
function begin(entry: string): void {
  const left = visits.get(shown);
  if (left !== undefined) left.link = focused();
  shown = entry;
  before = visits.get(entry) ?? null;
  visits.delete(entry);
  visits.set(entry, { lists: new Map(), top: before?.top ?? 0, link: null });
  for (const oldest of visits.keys()) if (visits.size > MOST) visits.delete(oldest);
}

/** Forgets everything, because the person of this page is not signed in any more. */
export function forgetVisits(): void {
  visits.clear();
  before = null;
}

/**
 * Scrolls back once the page is high enough and the link is there, unless the person does something first. When the link was
 * there and goes as its row is read again, the focus goes to a heading, and the page is scrolled back once more.
 * @returns ends it
 */
function scrollBack({ top, link }: Visit): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const end = (): void => ending.abort();
  const resizes = new ResizeObserver(() => go());
  const changes = new MutationObserver(() => go());
  const timer = setTimeout(end, PATIENCE_MS);
  signal.addEventListener('abort', () => {
    resizes.disconnect();
    changes.disconnect();
    clearTimeout(timer);
  });
  let isBack = false;
  function go(): void {
    const target = link === null ? null : linksTo(link.href)[link.nth];
    if (isBack && target !== undefined) return;
    scrollTo(0, top);
    if (isBack) end();
    // The page is not as high as it was yet, or the link is not drawn.
    if (Math.abs(scrollY - top) > 1 || target === undefined) return;
    isBack = true;
    // The heading takes the focus with each change of view. Where something else has it, it stays there.
    const isFree = document.activeElement === document.body || document.activeElement?.matches('h1');
    if (isFree) target?.focus({ preventScroll: true });
  }
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(type, end, { signal, passive: true });
  resizes.observe(document.documentElement);
  changes.observe(document.body, { subtree: true, childList: true });
  go();
  return end;
}

const Entry = createContext('');

/** Draws what the address names, and keeps and shows again what the entries of the history had. */
export function Visits({ children }: { children(): ComponentChildren }) {
  // With another address it is drawn again.
  useLocation();
  const [, draw] = useReducer<number, void>((times) => times + 1, 0);
  const entry = entryNow();
  useMemo(() => begin(entry), [entry]);
  useLayoutEffect(() => (before === null ? undefined : scrollBack(before)), [entry]);
  useEffect(() => {
    // A link to the present address makes an entry as well, and the router does not tell of it.
    const look = () => entryNow() !== shown && draw();
    const note = (): void => {
      const visit = visits.get(shown);
      if (visit !== undefined) visit.top = scrollY;
    };
    const ending = new AbortController();
    const { signal } = ending;
    for (const type of ['click', 'popstate']) addEventListener(type, look, { signal });
    addEventListener('scroll', note, { signal });
    // A link may be scrolled to and pressed before the event of the scrolling.
    addEventListener('click', note, { signal, capture: true });
    return () => ending.abort();
  }, []);
  return <Entry.Provider value={entry}>{children()}</Entry.Provider>;
}

/** Takes the rows that a list had when this entry of the history was left; null: it is new, or was taken. */
export const useRowsBefore = <Rows,>(request: string): Rows | null =>
  useMemo(() => {
    const rows = before?.lists.get(request) ?? null;
    before?.lists.delete(request);
    return rows as Rows | null;
  }, [request]);

/** Keeps the rows of a list for the way back. A list that is closed or asks for something else is forgotten. */
export function useKeptRows(request: string, rows: unknown): void {
  const entry = useContext(Entry);
  useEffect(() => {
    if (rows === null) return undefined;
    visits.get(entry)?.lists.set(request, rows);
    return () => {
      if (entry === shown) visits.get(entry)?.lists.delete(request);
    };
  }, [entry, request, rows]);
}

/** Does something that replaces the present entry of the history, which stays the same visit. */
export function sameVisit(replace: () => void): void {
  const { state } = history;
  replace();
  history.replaceState(state, '');
}
