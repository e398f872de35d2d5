import { useLayoutEffect, useState } from 'preact/hooks';

/** What is typed in a field. It begins with a value, and again with another one when that changes. */
export function useTyped(given: string): [typed: string, set: (typed: string) => void] {
  const [typed, setTyped] = useState(given);
  useLayoutEffect(() => setTyped(given), [given]);
  return [typed, setTyped];
}
