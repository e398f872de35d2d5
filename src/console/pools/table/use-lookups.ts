import { useEffect, useState } from 'preact/hooks';
import { api, ask, type Problem } from '../../api.ts';
import { createLookups } from './lookups.ts';
import { questionOf } from './rows.ts';
import type { Store } from './store.ts';

function sleep(ms: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const wake = () => {
    clearTimeout(timer);
    resolve();
  };
  return { done: promise, wake };
}

const isHash = (question: string): boolean => question.length === 40;

/** Looks up what is added, and what the table asks for again, as long as it is shown. */
export function useLookups(store: Store): {
  lookUp(questions: readonly string[]): void;
  waiting: Problem | null;
} {
  const [waiting, setWaiting] = useState<Problem | null>(null);
  const [lookups] = useState(() =>
    createLookups({
      ask: (question) =>
        ask(
          api.GET('/maps/lookup', {
            params: { query: isHash(question) ? { hash: question } : { key: question } },
          }),
        ),
      learn: (question, lookup) => store.send({ do: 'lookedUp', question, lookup }),
      waits: setWaiting,
      sleep,
    }),
  );
  useEffect(() => {
    // The person comes back from the tab with the sign-in, or the connection works again.
    const events = ['focus', 'online'] as const;
    for (const event of events) addEventListener(event, lookups.wake);
    return () => {
      for (const event of events) removeEventListener(event, lookups.wake);
      lookups.stop();
    };
  }, []);
  const lookUp = (questions: readonly string[]): void => {
    const known = store.get().lookups;
    const asked = [...new Set(questions)].filter((question) => known.get(question)?.state !== 'waiting');
    store.send({ do: 'lookUp', questions: asked });
    lookups.add(asked);
  };
  const { additions } = store.get().edits;
  useEffect(() => {
    const known = store.get().lookups;
    const missing = additions.map(questionOf).filter((question) => !known.has(question));
    if (missing.length > 0) lookUp(missing);
  }, [additions]);
  return { lookUp, waiting };
}
