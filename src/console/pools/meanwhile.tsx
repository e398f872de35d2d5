import { differenceOf, isSame } from './difference.ts';
import { DifferenceTable } from './differences.tsx';
import { strings } from './strings.ts';
import type { PoolDesk } from './use-pool.ts';

const texts = strings.meanwhile;

/** Says what somebody else has changed since what was on the screen when a write was refused. */
export function Meanwhile({ desk: { before, data, forgetBefore } }: { desk: PoolDesk }) {
  const after = data?.whole;
  if (before === null || after === undefined) return null;
  const difference = differenceOf(before.maps, after.maps);
  const isRenamed = before.name !== after.name;
  const isMoved = before.status !== after.status;
  const isRevised = before.revision !== after.revision;
  if (!isRenamed && !isMoved && !isRevised && isSame(difference)) return null;
  return (
    <section class="panel" role="status" data-changed-meanwhile>
      <h3>{texts.title}</h3>
      <ul>
        {isMoved && <li>{texts.moved(before.status, after.status)}</li>}
        {isRenamed && <li>{texts.renamed(before.name, after.name)}</li>}
        {isRevised && <li>{texts.revision(before.revision, after.revision)}</li>}
      </ul>
      {!isSame(difference) && (
        <DifferenceTable of={difference} categories={[...before.categories, ...after.categories]} />
      )}
      <p class="quiet">{texts.still}</p>
      <button type="button" class="plain" onClick={forgetBefore}>
        {texts.dismiss}
      </button>
    </section>
  );
}
