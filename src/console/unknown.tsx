import { useEffect, useState } from 'preact/hooks';
import { PATIENCE_MS } from '../pages/browser.ts';
import { api, ask, type Problem } from './api.ts';
import { ProblemNote } from './parts/problem.tsx';
import { strings } from './strings.ts';

/** Why the service does not say who is signed in; null: it does, or it says that nobody is. */
export const doubt = async (): Promise<Problem | null> => {
  const { problem } = await ask(api.GET('/auth/me', { signal: AbortSignal.timeout(PATIENCE_MS) }));
  return problem?.kind === 'signedOut' ? null : problem;
};

/** Says why nobody knows who is signed in, and asks until that is known. Then the page begins anew: nothing was entered yet. */
export function Unknown({ first }: { first: Problem }) {
  const [problem, setProblem] = useState(first);
  const look = async (): Promise<void> => {
    const found = await doubt();
    if (found === null) location.reload();
    // A copy, because a lost connection is the same object each time, and then no timer would follow.
    else setProblem({ ...found });
  };
  useEffect(() => {
    const timer = setTimeout(() => void look(), problem.retryAfterMs);
    return () => clearTimeout(timer);
  }, [problem]);
  return (
    <div data-unknown>
      <p>{strings.unknown}</p>
      <ProblemNote problem={problem} onRetry={() => void look()} />
    </div>
  );
}
