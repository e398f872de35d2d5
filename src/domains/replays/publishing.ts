import { createHash } from 'node:crypto';
import { newGuid } from '../../platform/clock.ts';
import { isCollision } from '../../platform/database/database.ts';
import { isUndecided } from '../../platform/database/out-of-reach.ts';
import type { Incoming } from '../../platform/http/incoming.ts';
import { REMOVAL_MS } from '../../platform/storage/removal.ts';
import { within } from '../../platform/within.ts';
import { matchErrors } from '../matches/index.ts';
import { replayErrors } from './errors.ts';
import { type Files, keyOf } from './files.ts';
import { createIntake, type Upload } from './intake.ts';
import { type ReplaysOptions, TAKEN_FOR_MS } from './options.ts';
import { openReading } from './reading.ts';
import { type PlayedPart, partIn } from './rounds.ts';
import type { PublishedReplay } from './schemas.ts';
import * as store from './store.ts';
import { notesOf, verify } from './verdict.ts';

const QUOTA_WINDOW_MS = 24 * 3_600_000;
const MIB = 1024 * 1024;

interface Published {
  replay: PublishedReplay;
  created: boolean;
}

const answerOf = ({ replayGuid, verdict, checks }: PublishedReplay): PublishedReplay => ({
  replayGuid,
  verdict,
  checks,
});

/** The answer to another upload of a round: the same file gets the same answer at any time. */
async function repeated(stored: store.StoredReplay, sha256: string | Promise<string>): Promise<Published> {
  if (stored.sha256 !== (await sha256)) throw replayErrors.REPLAY_EXISTS();
  return { created: false, replay: answerOf(stored) };
}

async function hashOf(upload: Upload): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of upload.pieces()) hash.update(piece);
  return hash.digest('hex');
}

/** @returns the function that publishes a replay */
export function createPublishing(options: ReplaysOptions & { files: Pick<Files, 'removeFiles'> }) {
  const { config, database, storage, clock, logger, matches, outages, files } = options;
  const { prisma } = database;
  const intake = createIntake();

  /** Game versions that the player may have used: of releases, and the one they named when they connected. */
  const gameVersionsOf = async ({ matchGuid, playerGuid }: store.PartKey) => {
    const released = await options.gameVersions();
    if (released.length === 0) return released;
    const played = await matches.playedVersions(matchGuid, playerGuid);
    return played?.gameVersion ? [...released, played.gameVersion] : released;
  };

  /**
   * Records that a file is on its way.
   * @returns `published`: the replay that was published before; then nothing is recorded
   * @throws REPLAY_QUOTA_EXCEEDED
   */
  const begin = async (replayGuid: string, about: store.PartKey) => {
    const now = clock.now();
    const upload = { replayGuid, ...about, at: now, since: now - QUOTA_WINDOW_MS };
    const begun = await store.beginUpload(database, upload);
    const { published, bytes, firstAt } = begun;
    if (published !== null || bytes < config.replayQuotaMib * MIB) return begun;
    await store.endUploads(prisma, [replayGuid]);
    const seconds = Math.max(1, Math.ceil(((firstAt ?? now) + QUOTA_WINDOW_MS - now) / 1000));
    throw replayErrors.REPLAY_QUOTA_EXCEEDED({
      message: `You have published ${config.replayQuotaMib} MiB of replays within a day. Try again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
  };

  /** Removes the file of a refused upload. If that fails or takes long, the task that tidies replays removes it. */
  const discard = async (replayGuid: string): Promise<void> => {
    const removed = files.removeFiles([replayGuid]).catch((error: unknown) => {
      logger.warn({ err: error, replayGuid }, 'the file of a refused replay could not be removed yet');
    });
    await within(REMOVAL_MS, removed);
  };

  /** Stores a file, then its row. When there will be no row, the file is removed. */
  const publishFirst = async (part: PlayedPart, about: store.PartKey, upload: Upload) => {
    const replayGuid = newGuid();
    const { published, platformId } = await begin(replayGuid, about);
    if (published !== null) return repeated(published, hashOf(upload));
    const reading = openReading(upload.length);
    const written = await storage
      .put(keyOf(replayGuid), upload.pieces(reading))
      .catch(async (error: unknown) => {
        await discard(replayGuid);
        throw error;
      });
    try {
      const { replay, cutsSha256, publicSha256 } = reading.result(notesOf(part.map.maxScore));
      const gameVersions = await gameVersionsOf(about);
      const verification = verify({ ...part, platformId: platformId ?? '', gameVersions }, replay);
      const mismatch = verification.verdict === 'mismatch' ? 'mismatch' : null;
      const reason = part.score === null ? 'no_score' : mismatch;
      const found = { ...verification, publicSha256, cutsSha256, personal: replay.personal };
      const row = { replayGuid, ...about, ...written, ...found };
      const stored = await store.insertReplay(database, row, { reason, now: clock.now() });
      if (stored.isRemoved) await files.removeFiles([replayGuid]);
      return { created: true, replay: answerOf(stored) };
    } catch (error) {
      // The connection may have broken after the commit, or before it: then the row may still come. Its file stays, and is
      // removed later if no row came.
      const stored = await store.replayOfPart(prisma, about);
      if (stored?.replayGuid === replayGuid) return { created: true, replay: answerOf(stored) };
      if (!isUndecided(error)) await discard(replayGuid);
      if (stored !== null && isCollision(error)) return repeated(stored, written.sha256);
      throw error;
    }
  };

  /**
   * Answers an upload when no new replay is taken: only the file that was published before.
   * @throws REPLAY_TOO_LATE, REPLAY_EXISTS
   */
  const answerAgain = async (about: store.PartKey, upload: Upload) => {
    const stored = await store.replayOfPart(prisma, about);
    if (stored === null) throw replayErrors.REPLAY_TOO_LATE();
    return repeated(stored, hashOf(upload));
  };

  /**
   * Publishes the replay of a round by one of its players, and verifies it. The same file again is answered as
   * the first time, for as long as the replay is known.
   * @throws MATCH_NOT_FOUND (also: not theirs), WRONG_PHASE (the round is not played, not yet, or cut off), REPLAY_TOO_LATE,
   * REPLAY_QUOTA_EXCEEDED, RATE_LIMITED, UPLOADS_BUSY, REPLAY_UNREADABLE, REPLAY_EXISTS, and what the file throws
   */
  return async (about: store.PartKey, file: Incoming): Promise<Published> => {
    const { matchGuid, roundNumber, playerGuid } = about;
    const { state } = await matches.seated(playerGuid, matchGuid);
    const { status, endedAt } = state;
    const part = partIn(state, roundNumber, playerGuid);
    // The end of the match may have cut off a round whose replay came before it.
    if (part === null && (await store.replayOfPart(prisma, about)) === null)
      throw matchErrors.WRONG_PHASE({
        message: `Round ${roundNumber} is not played, was cut off, or your score of it is not in yet: the match is ${status}.`,
        details: { status },
      });
    const { created, replay } = await intake.inTurn(playerGuid, file, async () => {
      const upload = intake.open(file);
      try {
        const isLate = endedAt !== null && (await outages.isOver(endedAt, TAKEN_FOR_MS));
        return await (part === null || isLate
          ? answerAgain(about, upload)
          : publishFirst(part, about, upload));
      } finally {
        upload.close();
      }
    });
    if (created) {
      const { replayGuid, verdict } = replay;
      logger.info({ matchGuid, roundNumber, playerGuid, replayGuid, verdict }, 'a replay was published');
      options.onPublished(verdict);
      matches.addVerdict(matchGuid, { roundNumber, playerGuid, verdict });
    }
    return { created, replay };
  };
}
