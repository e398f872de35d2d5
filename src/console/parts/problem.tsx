import type { Problem } from '../api.ts';
import { strings } from '../strings.ts';

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

/** Says what went wrong, in the words of the service. */
export function ProblemNote({ problem, onRetry }: ProblemNoteProps) {
  if (problem === null) return null;
  const fields = fieldsOf(problem);
  return (
    <div class="warning" role="alert" data-problem={problem.code}>
      <p>{problem.message}</p>
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
