import { Readable } from 'node:stream';
import { inBatches } from '../../platform/batches.ts';
import { existing } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import { isStaff } from '../../platform/http/staff.ts';
import type { ByteRange } from '../../platform/storage/file-store.ts';
import { removeRecorded } from '../../platform/storage/removal.ts';
import { matchErrors, seatOf } from '../matches/index.ts';
import { erasedAmong } from '../players/index.ts';
import { publicPieces, publicSize } from './blanking.ts';
import { replayErrors } from './errors.ts';
import type { ReplaysOptions } from './options.ts';
import { type ReplayView, replaysOfMatchKey } from './schemas.ts';
import * as store from './store.ts';

const DAY_MS = 24 * 3_600_000;
const EXPIRE_AT_ONCE = 200;
/** An upload that began so long ago and has no replay belonged to a process that ended during it. */
const ABANDONED_AFTER_MS = DAY_MS;

export type Files = ReturnType<typeof createFiles>;

export const keyOf = (replayGuid: string): string => `replays/${replayGuid}`;

/** Stored replays: who may read them, and how long their files are kept. */
export function createFiles({ config, database, storage, clock, logger, matches }: ReplaysOptions) {
  const { prisma } = database;

  /** @throws REPLAY_NOT_FOUND unless the match has ended, or the viewer is staff and does not play in it */
  const readable = async (replayGuid: string, viewer: Principal | null) => {
    const replay = await store.findReplay(prisma, replayGuid);
    const state = replay && (await matches.stored(replay.matchGuid))?.state;
    if (replay && state?.endedAt != null) return replay;
    const plays = state && seatOf(state, viewer?.playerGuid ?? '') !== null;
    if (!replay || plays || !isStaff(viewer)) throw replayErrors.REPLAY_NOT_FOUND();
    return replay;
  };

  /** Replays that the operator was told of. */
  const reported = new Set<string>();
  const fileMissing = (replayGuid: string) => {
    if (!reported.has(replayGuid)) logger.error({ replayGuid }, 'the file of a replay is missing');
    reported.add(replayGuid);
    return replayErrors.REPLAY_FILE_MISSING();
  };

  const readFile = async (replayGuid: string, range: ByteRange) => {
    const file = await storage.get(keyOf(replayGuid), range);
    if (file === null) throw fileMissing(replayGuid);
    return file;
  };

  const publicBytes = async function* (
    { replayGuid, size, personal }: store.StoredReplay,
    range?: ByteRange,
  ) {
    for (const piece of publicPieces(size, personal, range)) {
      if ('zeros' in piece) yield Buffer.alloc(piece.zeros);
      else yield* await readFile(replayGuid, piece.file);
    }
  };

  /** Removes files, and their records as uploads. @throws what the storage throws, after all that could be removed is */
  const removeFiles = (replayGuids: readonly string[]): Promise<void> =>
    removeRecorded(
      replayGuids,
      (replayGuid) => storage.delete(keyOf(replayGuid)),
      (removed) => store.endUploads(prisma, removed),
    );

  const present = (replay: store.StoredReplay): ReplayView => {
    const { replayGuid, matchGuid, roundNumber, playerGuid, verdict, checks, size, sha256 } = replay;
    return {
      replayGuid,
      matchGuid,
      roundNumber,
      playerGuid,
      verdict,
      checks,
      uploadedAt: replay.uploadedAt.toISOString(),
      size,
      sha256,
      downloadUrl: replay.removedAt === null ? `${config.baseUrl}/replays/${replayGuid}/download` : null,
    };
  };

  return {
    present,
    removeFiles,

    /**
     * A page of the replays of a match, for staff; while it runs not for those who play in it.
     * @throws MATCH_NOT_FOUND, OWN_MATCH, VALIDATION_FAILED for a foreign cursor
     */
    ofMatch: async (matchGuid: string, viewerGuid: string, query: PageQuery) => {
      const { state } = existing(await matches.stored(matchGuid), matchErrors.MATCH_NOT_FOUND);
      if (state.endedAt === null && seatOf(state, viewerGuid) !== null) throw matchErrors.OWN_MATCH();
      return readPage(
        query,
        replaysOfMatchKey,
        async (after, limit) => (await store.replaysOfMatch(prisma, matchGuid, after, limit)).map(present),
        ({ roundNumber, playerGuid }) => [roundNumber, playerGuid],
      );
    },

    /**
     * A replay with its verdict. Only staff see the hash of the original: with it, anybody could try names and heights in
     * the public copy until the hash matches.
     * @throws REPLAY_NOT_FOUND, also before the match has ended
     */
    read: async (replayGuid: string, viewer: Principal | null): Promise<ReplayView> => {
      const replay = await readable(replayGuid, viewer);
      return isStaff(viewer) ? present(replay) : { ...present(replay), sha256: replay.publicSha256 };
    },

    /**
     * The file: for staff as it was published, for everybody else without personal data.
     * @throws REPLAY_NOT_FOUND, also before the match has ended; REPLAY_REMOVED; from its `read` REPLAY_FILE_MISSING
     */
    file: async (replayGuid: string, viewer: Principal | null) => {
      const replay = await readable(replayGuid, viewer);
      if (replay.removedAt !== null) {
        const erased = await erasedAmong(prisma, [replay.playerGuid]);
        throw erased.size > 0 ? replayErrors.REPLAY_NOT_FOUND() : replayErrors.REPLAY_REMOVED();
      }
      const { sha256, size, personal } = replay;
      if (isStaff(viewer))
        return {
          tag: `"${sha256}"`,
          size,
          read: (range?: ByteRange) => readFile(replayGuid, range ?? { start: 0, end: size - 1 }),
        };
      return {
        // The bytes of a copy never change. The hash of the original is not shown here either.
        tag: `"${replayGuid}-public"`,
        size: publicSize(size, personal),
        read: async (range?: ByteRange) => {
          // The copy may begin with zeros that are read from no file, so the file is looked for before the answer begins.
          if (!(await storage.has(keyOf(replayGuid)))) throw fileMissing(replayGuid);
          return Readable.from(publicBytes(replay, range), { objectMode: false });
        },
      };
    },

    /** Removes files whose time is over, and files of uploads that a process left behind. For the leader. */
    tidy: async () => {
      const now = clock.now();
      const uploadedBefore = now - config.replayRetentionDays * DAY_MS;
      await inBatches(EXPIRE_AT_ONCE, async (most) => {
        const expired = await database.changes.writing(
          ['Replay'],
          () => store.expireReplays(prisma, { uploadedBefore, now, most }),
          ({ length }) => length > 0,
        );
        await removeFiles(expired);
        return expired.length;
      });
      await inBatches(EXPIRE_AT_ONCE, async (most) => {
        const left = await store.uploadsBefore(prisma, now - ABANDONED_AFTER_MS, most);
        await removeFiles(left.map(({ replayGuid }) => replayGuid));
        const removed = left.filter(({ isRemoval }) => !isRemoval).length;
        if (removed > 0) logger.warn({ removed }, 'removed files of replays that nobody had recorded');
        return left.length;
      });
    },
  };
}
