import { type Edits, isEmpty, type MapChange, NO_EDITS } from './edits.ts';

/**
 * Keeps unsaved rows of a pool in the browser tab, so that they are there after the page was loaded again. Another tab
 * has its own, and another person who signs in does not get them.
 */

/** Raised when unsaved rows have another form. */
const FORM = 1;

type Kept = { form: number; additions: Edits['additions']; changes: [string, MapChange][] };

/** @param store that of the tab */
export function keptEdits(
  store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  playerGuid: string,
  poolGuid: string,
) {
  const name = `pool-edits/${playerGuid}/${poolGuid}`;
  return {
    read(): Edits {
      try {
        const kept = JSON.parse(store.getItem(name) ?? 'null') as Kept | null;
        if (kept?.form !== FORM) return NO_EDITS;
        return { additions: kept.additions, changes: new Map(kept.changes) };
      } catch {
        return NO_EDITS;
      }
    },
    /** @returns false when the browser does not keep them */
    write(edits: Edits): boolean {
      const kept: Kept = { form: FORM, additions: edits.additions, changes: [...edits.changes] };
      try {
        if (isEmpty(edits)) store.removeItem(name);
        else store.setItem(name, JSON.stringify(kept));
        return true;
      } catch {
        return false;
      }
    },
  };
}
