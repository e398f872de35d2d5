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

/** A look-up that waits or is under way. */
interface Asked {
  question: string;
  attempts: number;
  /** How many others were answered before it was asked first; null: it was not asked yet. */
  before: number | null;
}

export function createLookups({ ask, learn, waits, sleep }: LookupsOptions) {
  const queue: Asked[] = [];
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

  const settle = (asked: Asked, { data, problem }: Answer<Shapes['LookedUpMap']>) => {
    const { question, before } = asked;
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
    asked.attempts++;
    // Others were answered since it was asked first, so it is not the service or the host that fails.
    if (problem.kind === 'unreachable' && asked.attempts >= MOST_ATTEMPTS && answered > (before ?? 0)) {
      learn(question, { state: 'refused', message: problem.message });
      return;
    }
    queue.push(asked);
    hold(problem);
  };

  const askNext = async (asked: Asked): Promise<void> => {
    asked.before ??= answered;
    const answer = await ask(asked.question);
    underWay--;
    if (isStopped) return;
    settle(asked, answer);
    pump();
  };
  const pump = (): void => {
    while (!isStopped && pause === null && underWay < atOnce) {
      const asked = queue.shift();
      if (asked === undefined) return;
      underWay++;
      void askNext(asked);
    }
  };

  return {
    /** Looks up keys and hashes. */
    add(questions: readonly string[]): void {
      queue.push(...questions.map((question) => ({ question, attempts: 0, before: null })));
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
