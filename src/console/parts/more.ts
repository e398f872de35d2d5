import { useLayoutEffect, useRef } from 'preact/hooks';
import type { List } from '../read.ts';
import { strings } from '../strings.ts';
import { say } from './said.tsx';

interface MoreOptions {
  of: List<unknown>;
  /** The text for an empty list. */
  nothing: string;
  /** Whether the list answers what the person has just searched for. */
  isAnswer: boolean;
}

/** The last row of the list before a button. */
function lastRow(button: Element): Element | null {
  const list = button.previousElementSibling;
  const rows = list?.matches('ul, ol') ? list : list?.querySelector('ul, ol, tbody');
  return rows?.lastElementChild ?? list;
}

function focusOn(row: Element | null | undefined): void {
  if (!(row instanceof HTMLElement)) return;
  if (row.tabIndex < 0) row.tabIndex = -1;
  row.focus();
}

/**
 * Has screen readers say how many there are when the list is read for another question, and how many came by the button. The
 * focus stays on the button, and goes to the first new row when all are there.
 * @returns to be called when the button is pressed
 */
export function useMore({ of, nothing, isAnswer }: MoreOptions) {
  const count = of.data?.length ?? null;
  const isSaid = useRef(!isAnswer);
  const before = useRef<number | null>(null);
  const pressed = useRef<{ count: number; last: Element | null } | null>(null);
  // While the page is asked for again the problem of the last time stays.
  if (of.problem !== null && !of.isLoading) pressed.current = null;
  useLayoutEffect(() => {
    const was = pressed.current;
    if (count === null) {
      // Another question is asked, unless it is the first one of the view.
      if (before.current !== null) isSaid.current = false;
      pressed.current = null;
    } else if (!isSaid.current) {
      isSaid.current = true;
      say(count === 0 ? nothing : strings.listed(count, of.hasMore));
    } else if (was !== null && count > was.count) {
      pressed.current = null;
      say(strings.came(count - was.count, count, of.hasMore));
      if (document.activeElement === document.body) focusOn(was.last?.nextElementSibling);
    }
    before.current = count;
  }, [count]);
  return ({ currentTarget }: Event): void => {
    pressed.current = { count: count ?? 0, last: lastRow(currentTarget as Element) };
    of.more();
  };
}
