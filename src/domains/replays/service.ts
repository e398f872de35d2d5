import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { type Clock, isoTime, newGuid } from '../../platform/clock.ts';
import { type Database, isCollision } from '../../platform/database/database.ts';
import type { Incoming } from '../../platform/http/incoming.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { isStaff } from '../../platform/http/staff.ts';
import type { ByteRange } from '../../platform/storage/place.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { type Matches, matchErrors } from '../matches/index.ts';
import { playersByGuid } from '../players/index.ts';
import { releaseErrors } from '../releases/index.ts';
import { publicPieces, publicSize } from './blanking.ts';
import { replayErrors } from './errors.ts';
import { type Arrival, createIntake } from './intake.ts';
import { openReading } from './reading.ts';
import { createReviews } from './reviews.ts';
import { type PlayedPart, partIn } from './rounds.ts';
import type { PublishedReplay, ReplayView } from './schemas.ts';
import * as store from './store.ts';
import { type Judgement, judge, notesOf } from './verdict.ts';

/** How long after the end of a match its replays are taken. */
const TAKEN_FOR_MS = 15 * 60_000;
const QUOTA_WINDOW_MS = 24 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const MIB = 1024 * 1024;
const FOLDER = 'replays';
const EXPIRE_AT_ONCE = 200;
/** An upload that began so long ago and has no replay was left by a process that died in it. */
const LITTER_AFTER_MS = DAY_MS;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface ReplaysOptions {
  config: Pick<Config, 'baseUrl' | 'replayRetentionDays' | 'replayQuotaMib'>;
  database: Database;
  storage: Storage;
  clock: Clock;
  logger: FastifyBaseLogger;
  matches: Matches;
  /** @throws PLUGIN_VERSION_NOT_ACCEPTED unless it may play, or is the one of a match (`running`) */
  requireAccepted(version: string, running: string | null): Promise<void>;
  /** Those a release is published for. */
  gameVersions(): Promise<readonly string[]>;
  /** Told of every replay that was published and judged. */
  onJudged(verdict: Judgement['verdict']): void;
}

export type Replays = ReturnType<typeof createService>;

const keyOf = (replayGuid: string): string => `${FOLDER}/${replayGuid}`;

const answerOf = ({ replayGuid, verdict, checks }: PublishedReplay): PublishedReplay => ({
  replayGuid,
  verdict,
  checks,
});

type Published = { replay: PublishedReplay } & (
  | { created: false }
  | { created: true; shown: store.Shown | null }
);

/** Replays of rounds: published by their players, judged, shown, and looked at by staff. */
export function createService(options: ReplaysOptions) {
  const { config, database, storage, clock, logger, matches } = options;
  const { prisma } = database;
  const intake = createIntake();

  const present = (replay: store.StoredReplay): ReplayView => {
    const { replayGuid, matchGuid, roundNumber, playerGuid, verdict, checks, uploadedAt, size, sha256 } =
      replay;
    return {
      replayGuid,
      matchGuid,
      roundNumber,
      playerGuid,
      verdict,
      checks,
      uploadedAt: isoTime(uploadedAt),
      size,
      sha256,
      downloadUrl: replay.removedAt === null ? `${config.baseUrl}/replays/${replayGuid}/download` : null,
    };
  };

  const gameVersionsOf = async (matchGuid: string, playerGuid: string): Promise<readonly string[]> => {
    const published = await options.gameVersions();
    if (published.length === 0) return published;
    const played = await matches.playedVersions(matchGuid, playerGuid);
    return played?.gameVersion ? [...published, played.gameVersion] : published;
  };

  /** @throws WRONG_PHASE for a round that is not played, or not yet */
  const playedPart = (
    match: Awaited<ReturnType<Matches['seated']>>,
    roundNumber: number,
    playerGuid: string,
  ) => {
    const { status } = match.state;
    const part = partIn(match.state, roundNumber, playerGuid);
    if (part === null)
      throw matchErrors.WRONG_PHASE({
        message: `Round ${roundNumber} is not played, or your score of it is not in yet: the match is ${status}.`,
        details: { status },
      });
    return part;
  };

  /**
   * Writes down that a file is on its way.
   * @returns what was published before, if anything: then nothing is written down
   * @throws REPLAY_QUOTA_EXCEEDED
   */
  const begin = async (replayGuid: string, about: store.Part): Promise<store.StoredReplay | null> => {
    const now = clock.now();
    const upload = { replayGuid, ...about, at: now, since: now - QUOTA_WINDOW_MS };
    const { published, bytes, firstAt } = await store.beginUpload(database, upload);
    if (published !== null || bytes < config.replayQuotaMib * MIB) return published;
    await store.endUpload(prisma, replayGuid);
    const seconds = Math.max(1, Math.ceil(((firstAt ?? now) + QUOTA_WINDOW_MS - now) / 1000));
    throw replayErrors.REPLAY_QUOTA_EXCEEDED({
      message: `You have published ${config.replayQuotaMib} MiB of replays within a day. Try again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
  };

  /** Removes the file first: until it is gone it stays written down. */
  const giveUp = async (replayGuid: string): Promise<void> => {
    await storage.delete(keyOf(replayGuid));
    await store.endUpload(prisma, replayGuid);
  };

  /** The second of two uploads of a round: the same file gets the same answer, whenever it comes. */
  const repeated = (stored: store.StoredReplay, sha256: string): Published => {
    if (stored.sha256 !== sha256) throw replayErrors.REPLAY_EXISTS();
    return { created: false, replay: answerOf(stored) };
  };

  const hashOf = async (file: AsyncIterable<Uint8Array>): Promise<string> => {
    const hash = createHash('sha256');
    for await (const chunk of file) hash.update(chunk);
    return hash.digest('hex');
  };

  /**
   * Stores what nobody has published before. Its row is written last: until then the file is nobody's, and
   * whatever fails leaves nothing behind.
   */
  const publishFirst = async (part: PlayedPart, about: store.Part, arrival: Arrival): Promise<Published> => {
    const replayGuid = newGuid();
    const published = await begin(replayGuid, about);
    if (published !== null) return repeated(published, await hashOf(arrival.pieces()));
    const reading = openReading(arrival.length);
    const written = await storage
      .put(keyOf(replayGuid), arrival.pieces(reading))
      .catch(async (error: unknown) => {
        await giveUp(replayGuid);
        throw error;
      });
    try {
      const { replay, cutsSha256 } = reading.result(notesOf(part.map.maxScore));
      const player = (await playersByGuid(prisma, [about.playerGuid])).get(about.playerGuid);
      const platformId = player?.platformId ?? '';
      const gameVersions = await gameVersionsOf(about.matchGuid, about.playerGuid);
      const judgement: Judgement = judge({ ...part, platformId, gameVersions }, replay);
      const reason = part.score === null ? 'no_score' : judgement.verdict === 'mismatch' ? 'mismatch' : null;
      const { personal } = replay;
      const row = { replayGuid, ...about, ...judgement, ...written, cutsSha256, personal };
      const shown = await store.insertReplay(database, row, { reason, now: clock.now });
      return { created: true, replay: answerOf(row), shown };
    } catch (error) {
      // The connection may have broken after the commit: only the database knows whom the file belongs to.
      const stored = await store.replayOfPart(database, about);
      if (stored?.replayGuid === replayGuid) return { created: true, replay: answerOf(stored), shown: null };
      await giveUp(replayGuid);
      if (stored !== null && isCollision(error)) return repeated(stored, written.sha256);
      throw error;
    }
  };

  /** Nothing new is taken, but what was published in time is still answered. @throws REPLAY_TOO_LATE */
  const publishLate = async (about: store.Part, arrival: Arrival): Promise<Published> => {
    const stored = await store.replayOfPart(database, about);
    if (stored === null) throw replayErrors.REPLAY_TOO_LATE();
    return repeated(stored, await hashOf(arrival.pieces()));
  };

  /** Whether somebody may see a replay, and as it was published. */
  const rightsOf = async ({ matchGuid }: store.Part, viewer: Principal | null) => {
    const match = await matches.stored(matchGuid);
    const { seats, endedAt } = match?.state ?? {};
    const plays = Object.values(seats ?? {}).some(({ playerGuid }) => playerGuid === viewer?.playerGuid);
    const staff = isStaff(viewer);
    return { mayRead: endedAt != null || (staff && !plays), original: staff };
  };

  const readable = async (replayGuid: string, viewer: Principal | null) => {
    const replay = await store.findReplay(prisma, replayGuid);
    const rights = replay && (await rightsOf(replay, viewer));
    if (!replay || !rights?.mayRead) throw replayErrors.REPLAY_NOT_FOUND();
    return { replay, original: rights.original };
  };

  /** A replay is asked for by everybody, its file is brought back by one: who looks after this is told once. */
  const toldMissing = new Set<string>();
  const fileMissing = (replayGuid: string) => {
    if (!toldMissing.has(replayGuid)) logger.error({ replayGuid }, 'the file of a replay is missing');
    toldMissing.add(replayGuid);
    return replayErrors.REPLAY_FILE_MISSING();
  };

  const piecesOf = async function* ({ replayGuid, size, personal }: store.StoredReplay, range?: ByteRange) {
    for (const piece of publicPieces(size, personal, range)) {
      if ('zeros' in piece) yield Buffer.alloc(piece.zeros);
      else yield* await existing(replayGuid, piece.file);
    }
  };

  const existing = async (replayGuid: string, range?: ByteRange): Promise<Readable> => {
    const file = await storage.get(keyOf(replayGuid), range);
    if (file === null) throw fileMissing(replayGuid);
    return file;
  };

  const reviews = createReviews({ database, clock, matches, takenForMs: TAKEN_FOR_MS, present });

  /** Removes files whose time is over: first from the record, then from the disk. */
  const expire = async (): Promise<number> => {
    const now = clock.now();
    const expired = await store.expireReplays(prisma, {
      uploadedBefore: now - config.replayRetentionDays * DAY_MS,
      now,
      most: EXPIRE_AT_ONCE,
    });
    for (const replayGuid of expired) await giveUp(replayGuid);
    return expired.length;
  };

  const removeLitter = async (): Promise<number> => {
    const left = await store.uploadsBefore(prisma, clock.now() - LITTER_AFTER_MS);
    for (const replayGuid of left) await giveUp(replayGuid);
    return left.length;
  };

  return {
    /**
     * Whether a plugin of this version may publish a replay of this match: an accepted version, or the one the
     * player began the match with.
     * @param version as the plugin says it; undefined: it says none
     * @throws PLUGIN_VERSION_NOT_ACCEPTED
     */
    requirePlugin: async (
      playerGuid: string,
      matchGuid: string,
      version: string | undefined,
    ): Promise<void> => {
      if (!version)
        throw releaseErrors.PLUGIN_VERSION_NOT_ACCEPTED({
          message: 'The plugin has to say its version: X-Service-Plugin-Version.',
        });
      await options.requireAccepted(version, null).catch(async (refusal: unknown) => {
        const played = GUID.test(matchGuid) ? await matches.playedVersions(matchGuid, playerGuid) : null;
        if (played === null) throw refusal;
        await options.requireAccepted(version, played.pluginVersion);
      });
    },

    /**
     * Publishes the replay of a round by one of its players, and judges it. The same file again is answered as
     * the first time, for as long as the replay is known.
     * @returns the verdict, and whether it is a new one
     * @throws MATCH_NOT_FOUND (also: not theirs), WRONG_PHASE, REPLAY_TOO_LATE, REPLAY_QUOTA_EXCEEDED,
     * RATE_LIMITED, UPLOADS_BUSY, REPLAY_UNREADABLE, REPLAY_EXISTS, and whatever the file throws
     */
    publish: async (about: store.Part, file: Incoming) => {
      const { matchGuid, roundNumber, playerGuid } = about;
      const match = await matches.seated(playerGuid, matchGuid);
      const part = playedPart(match, roundNumber, playerGuid);
      const published = await intake.inTurn(playerGuid, file, async () => {
        const arrival = intake.arrival(file);
        try {
          const { endedAt } = match.state;
          const isLate = endedAt !== null && clock.now() > endedAt + TAKEN_FOR_MS;
          return await (isLate ? publishLate(about, arrival) : publishFirst(part, about, arrival));
        } finally {
          arrival.done();
        }
      });
      if (published.created) {
        const { replayGuid, verdict } = published.replay;
        logger.info({ matchGuid, roundNumber, playerGuid, replayGuid, verdict }, 'a replay was published');
        options.onJudged(verdict);
        await matches.showReplays(matchGuid, published.shown);
      }
      return published;
    },

    /** A replay with its verdict. @throws REPLAY_NOT_FOUND, also before the match has ended */
    read: async (replayGuid: string, viewer: Principal | null): Promise<ReplayView> =>
      present((await readable(replayGuid, viewer)).replay),

    /**
     * The file: for staff as it was published, for everybody else without the person.
     * @throws REPLAY_NOT_FOUND, also before the match has ended; REPLAY_REMOVED; from its `read` REPLAY_FILE_MISSING
     */
    file: async (replayGuid: string, viewer: Principal | null) => {
      const { replay, original } = await readable(replayGuid, viewer);
      if (replay.removedAt !== null) throw replayErrors.REPLAY_REMOVED();
      const { sha256, size, personal } = replay;
      return original
        ? { tag: `"${sha256}"`, size, read: (range?: ByteRange) => existing(replayGuid, range) }
        : {
            tag: `"${sha256}-public"`,
            size: publicSize(size, personal),
            read: async (range?: ByteRange) => {
              // Looked for before the answer begins, which may begin with what is in no file.
              if ((await storage.head(keyOf(replayGuid))) === null) throw fileMissing(replayGuid);
              return Readable.from(piecesOf(replay, range), { objectMode: false });
            },
          };
    },

    ...reviews,

    /** Removes files whose time is over, and what a process left that died. Done by one node at a time. */
    tidy: async (): Promise<void> => {
      for (let expired = EXPIRE_AT_ONCE; expired === EXPIRE_AT_ONCE; ) expired = await expire();
      const removed = await removeLitter();
      if (removed > 0) logger.warn({ removed }, 'removed files of replays that nobody had recorded');
    },
  };
}
