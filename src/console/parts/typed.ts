import { useLayoutEffect, useState } from 'preact/hooks';

/** The text of an input field. It starts with the given text, and starts again when another text is given. */
export function useTyped(given: string): [typed: string, set: (typed: string) => void] {
  const [typed, setTyped] = useState(given);
  useLayoutEffect(() => setTyped(given), [given]);
  return [typed, setTyped];
}
