import { useLayoutEffect, useState } from 'preact/hooks';
import { useMe } from '../session.ts';

/** Raised when something that is kept has another form. */
const FORM = 1;

/**
 * A state that the browser tab keeps, so that it is there after another view or a reload. Another tab has its own, and
 * another person who signs in does not get it.
 * @param subject what it is about, such as `reports`
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
  // Before the next event, which may leave the view.
  useLayoutEffect(() => {
    try {
      if (state === initial) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, JSON.stringify(state));
    } catch {
      // The browser keeps nothing, or no more.
    }
  }, [state]);
  return [state, setState] as const;
}
