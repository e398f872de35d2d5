import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Problem } from '../api.ts';
import { strings } from '../strings.ts';
import { SignInAgain } from './sign-in-again.tsx';

interface ProblemNoteProps {
  problem: Problem | null;
  /** Tries again; left out: there is nothing to try. */
  onRetry?(): void;
}

/** The problems of single fields that a refusal names. */
const fieldsOf = (problem: Problem): string[] =>
  (problem.details?.fields ?? [])
    .map(({ message }) => message)
    .filter((message) => message !== problem.message);

/** Whether it is drawn in a dialog: the link to sign in above the page is out of reach then. */
export const InDialog = createContext(false);

/** Says what went wrong, in the words of the service, and what to do when the login has ended. */
export function ProblemNote({ problem, onRetry }: ProblemNoteProps) {
  const isInDialog = useContext(InDialog);
  if (problem === null) return null;
  const fields = fieldsOf(problem);
  return (
    <div class="warning" role="alert" data-problem={problem.code}>
      {problem.kind === 'signedOut' ? (
        <p>
          {strings.loginOver} {isInDialog && <SignInAgain />}
        </p>
      ) : (
        <p>{problem.message}</p>
      )}
      {fields.length > 0 && (
        <ul>
          {fields.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {strings.retry}
        </button>
      )}
    </div>
  );
}
