import type { Problem } from '../../api.ts';
import type { RowView } from './rows.ts';
import { strings } from './strings.ts';

const texts = strings.lookups;

/** How far the look-ups are, as long as some are under way, and why they wait. */
export function LookupProgress({ rows, waiting }: { rows: readonly RowView[]; waiting: Problem | null }) {
  const asked = rows.filter(({ lookup }) => lookup !== null);
  const done = asked.filter(({ lookup }) => lookup?.state !== 'waiting').length;
  if (done === asked.length) return null;
  return (
    <p role="status" data-looking-up="">
      <progress value={done} max={asked.length} aria-label={texts.label} />{' '}
      {texts.progress(done, asked.length)}
      {waiting !== null && ` · ${texts.waits(waiting.message)}`}
    </p>
  );
}
