import type { Answer, Problem, Shapes } from '../../api.ts';
import type { Lookup } from './model.ts';

/** Looks up maps, some at once. A look-up that cannot be answered now is repeated later, until it is answered. */

interface LookupsOptions {
  /** @param question a key or a hash */
  ask(question: string): Promise<Answer<Shapes['LookedUpMap']>>;
  /** Called with every answer. */
  learn(question: string, lookup: Lookup): void;
  /** Called when it waits because of a problem, and with null when it continues. */
  waits(problem: Problem | null): void;
  /** Ends after a time, or earlier when it is called off. */
  sleep(ms: number): { done: Promise<void>; wake(): void };
}

/** The service asks the map host at most ten times a second, so more at once are not answered faster. */
const AT_ONCE = 6;
/** Attempts to look up one map while look-ups of other maps succeed. After that it fails. */
const MOST_ATTEMPTS = 4;

export type Lookups = ReturnType<typeof createLookups>;

export function createLookups({ ask, learn, waits, sleep }: LookupsOptions) {
  const queue: string[] = [];
  const attempts = new Map<string, number>();
  let underWay = 0;
  let atOnce = AT_ONCE;
  let answered = 0;
  let pause: ReturnType<typeof sleep> | null = null;
  let isStopped = false;

  const hold = (problem: Problem) => {
    // After a pause one request shows whether others are of use.
    atOnce = 1;
    if (pause !== null) return;
    waits(problem);
    pause = sleep(problem.retryAfterMs);
    void pause.done.then(() => {
      pause = null;
      pump();
    });
  };

  const settle = (question: string, { data, problem }: Answer<Shapes['LookedUpMap']>, before: number) => {
    if (problem === null || problem.kind === 'refused') {
      answered++;
      atOnce = AT_ONCE;
      if (pause === null) waits(null);
      learn(
        question,
        problem === null ? { state: 'found', map: data } : { state: 'refused', message: problem.message },
      );
      return;
    }
    const tried = (attempts.get(question) ?? 0) + 1;
    attempts.set(question, tried);
    // Others were answered since it was asked first, so it is not the service or the host that fails.
    if (problem.kind === 'unreachable' && tried >= MOST_ATTEMPTS && answered > before) {
      learn(question, { state: 'refused', message: problem.message });
      return;
    }
    queue.push(question);
    hold(problem);
  };

  /** How many were answered before a question was asked first. */
  const firstAsked = new Map<string, number>();
  const askNext = async (question: string): Promise<void> => {
    const before = firstAsked.get(question) ?? answered;
    firstAsked.set(question, before);
    const answer = await ask(question);
    underWay--;
    if (isStopped) return;
    settle(question, answer, before);
    pump();
  };
  const pump = (): void => {
    while (!isStopped && pause === null && underWay < atOnce) {
      const question = queue.shift();
      if (question === undefined) return;
      underWay++;
      void askNext(question);
    }
  };

  return {
    /** Looks up keys and hashes. */
    add(questions: readonly string[]): void {
      for (const question of questions) {
        attempts.delete(question);
        firstAsked.delete(question);
        queue.push(question);
      }
      pump();
    },
    /** Continues at once, because the problem is over. */
    wake: () => pause?.wake(),
    stop(): void {
      isStopped = true;
      pause?.wake();
    },
  };
}
