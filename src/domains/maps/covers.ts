import { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { inBatches } from '../../platform/batches.ts';
import { type Clock, newGuid } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { isOutOfReach } from '../../platform/database/out-of-reach.ts';
import { dropOldest } from '../../platform/drop-oldest.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { isStaff } from '../../platform/http/staff.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { freshFlight } from '../../platform/loop.ts';
import { createHotFiles } from '../../platform/storage/hot-files.ts';
import { removeRecorded } from '../../platform/storage/removal.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { untilAborted } from '../../platform/within.ts';
import * as store from './covers-store.ts';
import { mapErrors } from './errors.ts';
import { NoTurn } from './gate.ts';
import { type Requests, UnusableAnswer } from './requests.ts';
import { type FileHosts, pictureType } from './rules.ts';

/**
 * Covers of maps: fetched from the file host after a map was added or looked up, never while somebody waits, and kept in the
 * storage. A row says which file belongs to a hash and when the next attempt is due, so any node may go on with it.
 */

interface CoversOptions {
  database: Database;
  storage: Storage;
  clock: Clock;
  logger: FastifyBaseLogger;
  files: FileHosts;
  /** With a gate of their own: a file host that is down stops no look-ups. */
  requests: Requests;
  /** False while the map host is down or asked for a pause: no cover is asked for meanwhile. */
  isHostWell(): boolean;
}

/** How long staff see the cover of a map that was looked up. */
const LOOKED_UP_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** Until a picture is asked for again that the host does not have, or that is none. */
const UNUSABLE_RETRY_MS = DAY_MS;
/** The host or the storage failed. */
const RETRY_MS = 3_600_000;
/** The host was not asked, because it is down or asked for a pause. */
const NO_TURN_RETRY_MS = 10 * 60_000;
/** Longer than one fetch takes. */
const CLAIM_MS = 60_000;
const PATIENCE_MS = 20_000;
const AT_ONCE = 20;
const HOT_BYTES = 64 * 1024 * 1024;
/** Published covers that are remembered, so that they are found without a query. */
const MOST_PUBLIC = 10_000;

const storageKeyOf = (fileGuid: string): string => `covers/${fileGuid}`;

export function createMapCovers({
  database,
  storage,
  clock,
  logger,
  files,
  requests,
  isHostWell,
}: CoversOptions) {
  const { prisma } = database;
  const hot = createHotFiles({ storage, maxBytes: HOT_BYTES });
  const stopping = new AbortController();
  /** By hash. A pool that was published stays so, and its maps never change. */
  const published = new Map<string, Pick<store.FoundCover, 'fileGuid' | 'type' | 'isPublic'>>();

  /** The picture at an address. @throws HostUnavailable, UnusableAnswer */
  const fetchPicture = async (sourceUrl: string) => {
    // The configured hosts may have changed since the map host named the address.
    const address = files.accept(sourceUrl);
    if (address === null) throw new UnusableAnswer('the cover lies on a host that is not allowed');
    const { status, body } = await requests.ask(address, BOUNDS.mapCover.value, {
      rank: 'check',
      deadline: performance.now() + PATIENCE_MS,
      signal: stopping.signal,
    });
    if (status !== 200) throw new UnusableAnswer(`the file host answered ${status}`);
    const type = pictureType(body);
    if (type === null) throw new UnusableAnswer('the cover is no JPEG, PNG or WebP');
    return { body, type };
  };

  const removeFiles = (fileGuids: readonly string[]): Promise<void> =>
    removeRecorded(
      fileGuids,
      (fileGuid) => storage.delete(storageKeyOf(fileGuid)),
      (removed) => store.endCovers(prisma, removed),
    );

  const keep = async (hash: string, { body, type }: { body: Buffer; type: string }) => {
    const fileGuid = newGuid();
    await store.beginCover(prisma, fileGuid, clock.now());
    const stored = storage.put(storageKeyOf(fileGuid), Readable.from([body]));
    // A stop does not wait for a storage that does not answer. A file that is stored all the same is removed a day later.
    if ((await untilAborted(stopping.signal, stored)) === 'aborted') return;
    if (!(await store.storeCover(prisma, hash, { fileGuid, type }))) await removeFiles([fileGuid]);
  };

  const fetchOne = async ({ hash, sourceUrl }: { hash: string; sourceUrl: string }) => {
    try {
      await keep(hash, await fetchPicture(sourceUrl));
    } catch (error) {
      // The claim ends by itself.
      if (stopping.signal.aborted || isOutOfReach(error)) return;
      let retryMs = RETRY_MS;
      if (error instanceof NoTurn) retryMs = NO_TURN_RETRY_MS;
      if (error instanceof UnusableAnswer) retryMs = UNUSABLE_RETRY_MS;
      logger.info({ err: error, hash }, 'the cover of a map could not be fetched');
      await store.putOffCover(prisma, hash, clock.now() + retryMs);
    }
  };

  /** Fetches all covers that are due. */
  const fetchDue = freshFlight(async () => {
    while (isHostWell() && !stopping.signal.aborted) {
      const now = clock.now();
      const claimed = await store.claimCovers(prisma, { now, until: now + CLAIM_MS, most: AT_ONCE });
      if (claimed.length === 0) return;
      await Promise.all(claimed.map(fetchOne));
    }
  });

  const logLater = (error: unknown) => logger.debug({ err: error }, 'covers are fetched later');
  /** Fetches in the background. A failure is only logged, because the task fetches the rest. */
  const fetchSoon = () => void fetchDue().catch(logLater);

  /** @throws MAP_NOT_FOUND when this viewer may not see it */
  const seenBy = (viewer: Principal | null, found: store.FoundCover) => {
    const lookedUpAt = found.lookedUpAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    const isKnownToStaff = found.isInPool || lookedUpAt > clock.now() - LOOKED_UP_MS;
    if (!found.isPublic && !(isStaff(viewer) && isKnownToStaff)) throw mapErrors.MAP_NOT_FOUND();
    return found;
  };

  return {
    /** To be called after maps were added to a pool. */
    added: async (sources: readonly store.CoverSource[]) => {
      // After a failure the task finds the maps without a cover.
      await store.noteCovers(prisma, sources, { at: clock.now(), isLookUp: false }).then(fetchSoon, logLater);
    },

    /** To be called when staff have looked up a map: they may see its cover from now on. */
    lookedUp: async (source: store.CoverSource) => {
      await store.noteCovers(prisma, [source], { at: clock.now(), isLookUp: true });
      fetchSoon();
    },

    /**
     * The cover of a hash (upper case).
     * @returns its bytes; `isPublic`: everybody may see it, and it never changes
     * @throws MAP_NOT_FOUND unless the map is in a pool that is or was published, or for staff in any pool or looked up within
     *   the last hour
     * @throws COVER_NOT_FOUND
     */
    read: async (hash: string, viewer: Principal | null) => {
      const { fileGuid, type, isPublic } =
        published.get(hash) ?? seenBy(viewer, await store.findCover(prisma, hash));
      if (fileGuid === null || type === null) throw mapErrors.COVER_NOT_FOUND();
      const bytes = await hot.read(storageKeyOf(fileGuid), (cover) => pictureType(cover) === type);
      if (bytes === null) {
        published.delete(hash);
        logger.error({ hash }, 'the file of a cover is missing; it is fetched again');
        await store.forgetCover(prisma, fileGuid, clock.now());
        throw mapErrors.COVER_NOT_FOUND();
      }
      if (isPublic) {
        published.set(hash, { fileGuid, type, isPublic });
        dropOldest(published, MOST_PUBLIC);
      }
      return { bytes, type, tag: `"${fileGuid}"`, isPublic };
    },

    /**
     * Fetches covers that are due, and those of maps that have none yet; removes those that nobody may see any more. Run by the
     * leader.
     */
    run: async () => {
      const older = await store.mapsWithoutCover(prisma, AT_ONCE);
      await store.noteCovers(prisma, older, { at: clock.now(), isLookUp: false });
      await fetchDue();
      // A day, so that a map that is looked up again and again is fetched once.
      await inBatches(AT_ONCE, (most) => store.dropCovers(prisma, clock.now() - DAY_MS, most));
      await removeFiles(await store.coverFilesBefore(prisma, clock.now() - DAY_MS));
    },

    /** Aborts the requests under way. Another node or the next start goes on. */
    stop: async () => {
      stopping.abort();
      // A run that is under way ends soon.
      await fetchDue().catch(() => undefined);
    },
  };
}
