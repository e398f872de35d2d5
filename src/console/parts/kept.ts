import { useCallback, useRef, useState } from 'preact/hooks';
import { useMe } from '../session.ts';

/** Raised when something that is kept has another form. */
const FORM = 1;

/**
 * A state that the browser tab keeps, so that it is there after another view or a reload. Another tab has its own, and
 * another person who signs in does not get it.
 * @param subject what it is about, such as `reports`
 * @param initial nothing is kept while the state is equal to it
 */
export function useKept<State>(subject: string, initial: State) {
  const { playerGuid } = useMe();
  const name = `kept-${FORM}/${playerGuid}/${subject}`;
  const [state, setState] = useState<State>(() => {
    try {
      return JSON.parse(sessionStorage.getItem(name) ?? 'null') ?? initial;
    } catch {
      return initial;
    }
  });
  const newest = useRef(state);
  const set = useCallback(
    (next: State | ((before: State) => State)): void => {
      newest.current = next instanceof Function ? next(newest.current) : next;
      // At once, because the view may be left before it is drawn again, or was left already.
      try {
        const text = JSON.stringify(newest.current);
        if (text === JSON.stringify(initial)) sessionStorage.removeItem(name);
        else sessionStorage.setItem(name, text);
      } catch {
        // The browser keeps nothing, or no more.
      }
      setState(newest.current);
    },
    [name],
  );
  return [state, set] as const;
}
