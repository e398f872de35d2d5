import { partsOf } from '../batches.ts';
import { taskStop } from '../loop.ts';
import { untilAborted } from '../within.ts';

/** How long a refused upload waits until its file is removed. After this the file is removed later. */
export const REMOVAL_MS = 2_000;

/** Files that are removed at the same time: a bucket takes tens of milliseconds for each. */
const AT_ONCE = 16;

/**
 * Removes recorded files, several at once, then their records. A file that cannot be removed stays recorded and keeps no other
 * one waiting. When none of several can be removed, the storage is away: the rest waits for the next time. The stop of a
 * task waits for no file, since a bucket that does not answer takes long. A file whose removal finishes after the stop is
 * removed again later, which changes nothing.
 * @param remove removes a file; nothing happens when there is none
 * @param forget ends the records of files that are removed
 * @throws the first error of the storage, after all that could be removed is
 */
export async function removeRecorded(
  fileGuids: readonly string[],
  remove: (fileGuid: string) => Promise<unknown>,
  forget: (fileGuids: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const stop = taskStop();
  const errors: unknown[] = [];
  for (const some of partsOf(fileGuids, AT_ONCE)) {
    if (stop.aborted) break;
    const removed: string[] = [];
    const removals = some.map(async (fileGuid) => {
      try {
        await remove(fileGuid);
        removed.push(fileGuid);
      } catch (error) {
        errors.push(error);
      }
    });
    await untilAborted(stop, Promise.all(removals));
    await forget(removed);
    if (removed.length === 0) break;
  }
  if (errors.length > 0) throw errors[0];
}
