import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import { newGuid } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import type { PageQuery } from '../../platform/http/schemas.ts';
import { type Loop, repeat } from '../../platform/loop.ts';
import { recordAudit } from '../audit/index.ts';
import type { Outages } from '../outages/index.ts';
import { recordOf } from '../penalties/index.ts';
import { playerErrors, playersByGuid } from '../players/index.ts';
import { loadPoolMaps } from '../pools/index.ts';
import type { Queue, QueueEntry } from '../queues/index.ts';
import { ratingOf } from '../ratings/index.ts';
import { createBatches } from './batch.ts';
import { type BrokenLog, createDelivery, type Told } from './delivery.ts';
import { matchErrors } from './errors.ts';
import { createEvidence } from './evidence.ts';
import * as historyStore from './history-store.ts';
import * as listStore from './list-store.ts';
import { createLooks, loadLooks } from './looks.ts';
import { createModeration } from './moderation.ts';
import { createProgressReports, isDownloadProgress, type ProgressReport } from './progress.ts';
import { createRecentMatches } from './recent.ts';
import type { Rulebook } from './rulebook.ts';
import { createRunner, type MakeEvent, type Seated, seatedIn } from './runner.ts';
import type { MatchFilter } from './schemas.ts';
import * as seatsStore from './seats-store.ts';
import { createSettlement } from './settlement.ts';
import {
  type Limits,
  type MatchSetup,
  type MatchState,
  type PlayEvent,
  type ReadyState,
  SEATS,
  type SeatName,
  type SetupPlayer,
} from './state.ts';
import { createStatistics } from './statistics.ts';
import * as store from './store.ts';
import { type Looks, publicView, viewFor } from './view.ts';

/** How often the limits are looked at, beside the hint that the next one is due. */
const LIMITS_EVERY_MS = 250;
/** A look at the limits that comes this late was held up, and with it everything else. */
const STOOD_STILL_MS = 1000;
/** A node that claims a passed limit has this long to act on it before another one may. */
const CLAIM_LEASE_MS = 5000;
const CLAIM_AT_ONCE = 100;
/** How long `lastMatch` is shown. */
export const LAST_MATCH_MS = 24 * 3_600_000;
const EARLY_FORFEITS_MS = 24 * 3_600_000;
/** From the fourth match of the same two within this time on they play unrated. */
const MEETINGS_MS = 24 * 3_600_000;
const RATED_MEETINGS = 3;
/** How old the number of spectators may be that a match shows. */
const SPECTATORS_SHOWN_MS = 1000;
/** Progress of one player is told at most this often. */
const PROGRESS_EVERY_MS = 500;

export interface MatchesOptions {
  config: Config;
  database: Database;
  clock: Clock;
  randomness: Randomness;
  logger: FastifyBaseLogger;
  rulebook: Rulebook;
  /** The current period in which no other node writes, an object for each; null while one may. */
  exclusivePeriod(): object | null;
  /** Waits until this node knows where it stands. @throws OutOfReach */
  confirm(): Promise<void>;
  outages: Pick<Outages, 'missedBy' | 'last'>;
  /** Stores whom this node has put off, before limits are passed. @throws OutOfReach */
  storePutOff(): Promise<void>;
  /** Sends to a player's live connection on this node, if there is one. */
  send(playerGuid: string, event: 'matchUpdated', payload: unknown): void;
  /** A change was stored that these players are to be told of, and they are not connected to this node. */
  onToldElsewhere(playerGuids: readonly string[]): void;
  /** A player who is not connected to this node is to be told of a download, if connected to another. */
  relayProgress(playerGuid: string, report: ProgressReport): Promise<void>;
  /** How many connections watch these players live. */
  spectatorsOf(platformIds: readonly string[]): Promise<number>;
  /** The innocent player of a match that was left waits again. Called after the commit. */
  onRequeued(entry: QueueEntry): Promise<void>;
}

export interface ReadyReport {
  roundNumber: number;
  state: ReadyState;
  /** 0…1 of a download; null when not said. */
  progress: number | null;
}

export type Matches = ReturnType<typeof createService>;

export function limitsFrom(config: Config): Limits {
  return {
    joinMs: config.joinMs,
    discardMs: config.discardMs,
    pickMs: config.pickMs,
    prepareMs: config.prepareMs,
    countdownMs: config.countdownMs,
    scoreGraceMs: config.scoreGraceMs,
    roundResultsMs: config.roundResultsMs,
    scoreEarliestShare: config.scoreEarliestShare,
    reconnectGraceMs: config.reconnectGraceMs,
    reconnectBudgetMs: config.reconnectBudgetMs,
  };
}

/** The use cases of a match: everything that happens to it from the deal to the result. */
export function createService(options: MatchesOptions) {
  const {
    config,
    database,
    clock,
    randomness,
    logger,
    rulebook,
    exclusivePeriod,
    outages,
    send,
    spectatorsOf,
  } = options;
  const { prisma } = database;

  const recent = createRecentMatches({ database, exclusivePeriod });
  const looks = createLooks({ database, logger });

  const progress = createProgressReports({
    clock,
    intervalMs: PROGRESS_EVERY_MS,
    tell: (report) => void tellProgress(report, true),
  });

  let brokenLogs = 0;
  /** Staff find it in the audit log, operators in the log and the metrics. */
  const reportBroken = ({ matchGuid, ...broken }: BrokenLog): void => {
    logger.error({ matchGuid, ...broken }, 'the log of a match does not fit; it is told from what is stored');
    brokenLogs += 1;
    recordAudit(prisma, {
      at: clock.now(),
      actorGuid: null,
      action: 'foundMatchLogBroken',
      target: `/matches/${matchGuid}`,
      before: null,
      after: broken,
    }).catch((error: unknown) => logger.error({ err: error, matchGuid }, 'a broken log was not recorded'));
  };

  const delivery = createDelivery({
    database,
    clock,
    logger,
    rulebook,
    looks,
    progressIn: progress.in,
    send,
    onBroken: reportBroken,
  });

  const tell = (told: Told): void => {
    const elsewhere = delivery.tell(told);
    if (elsewhere.length > 0) options.onToldElsewhere(elsewhere);
    scheduleHint((told.steps.at(-1) ?? told.steps[0])?.state);
  };

  const { missedBy } = outages;
  const runner = createRunner({
    database,
    clock,
    logger,
    rulebook,
    recent,
    looks,
    confirm: options.confirm,
    missedBy,
    ...createSettlement(options),
    tell,
  });
  const batches = createBatches({
    database,
    clock,
    logger,
    rulebook,
    recent,
    looks,
    missedBy,
    alone: runner.apply,
    tell,
  });

  /**
   * Tells both players of a match how far a download is, wherever they are connected.
   * @param here false: those of this node know it already
   */
  const tellProgress = async (report: ProgressReport, here: boolean): Promise<void> => {
    try {
      const match = recent.seen(report.matchGuid) ?? (await recent.load(report.matchGuid));
      for (const { playerGuid } of match ? SEATS.map((seat) => match.state.seats[seat]) : []) {
        if (!delivery.holds(playerGuid)) await options.relayProgress(playerGuid, report);
        else if (here) await delivery.tellProgress(playerGuid, report);
      }
    } catch (error) {
      logger.debug({ err: error, ...report }, 'the progress of a download could not be told');
    }
  };

  const applyDue = async (): Promise<void> => {
    const due = await store.claimDue(database, clock.now(), CLAIM_LEASE_MS, CLAIM_AT_ONCE, rulebook.versions);
    await Promise.all(
      due.map(({ matchGuid, version }) =>
        runner
          .apply(matchGuid, { type: 'limitPassed', version })
          .catch((error: unknown) => logger.error({ err: error, matchGuid }, 'a limit could not be applied')),
      ),
    );
    if (due.length === CLAIM_AT_ONCE) limits?.wake();
  };

  let limits: Loop | undefined;
  let hint: { at: number; timer: NodeJS.Timeout } | undefined;
  /** The table of limits is the truth; this only looks there sooner than the interval would. */
  const scheduleHint = (state: MatchState | undefined): void => {
    const at = state ? rulebook.of(state.rulesVersion).dueAt(state) : null;
    if (at === null || (hint !== undefined && hint.at <= at && hint.at > clock.now())) return;
    if (at - clock.now() > LIMITS_EVERY_MS) return;
    clearTimeout(hint?.timer);
    hint = { at, timer: setTimeout(() => limits?.wake(), Math.max(0, at - clock.now())) };
    hint.timer.unref();
  };

  /** Applies an event to the player's running match; null when there is none. */
  const applyForPlayer = async (playerGuid: string, make: MakeEvent) => {
    const running = await seatsStore.runningSeatOf(prisma, playerGuid);
    return running && (await runner.applyAs(playerGuid, running.matchGuid, make));
  };

  const setupPlayer = async (db: Db, entry: QueueEntry, queue: Queue, now: number): Promise<SetupPlayer> => {
    const [{ rating, provisional }, offences, earlyForfeits] = await Promise.all([
      ratingOf(db, queue.queueGuid, queue.seasonGuid, entry.playerGuid),
      recordOf(db, entry.playerGuid, now),
      historyStore.countEarlyForfeits(db, entry.playerGuid, now - EARLY_FORFEITS_MS),
    ]);
    return {
      playerGuid: entry.playerGuid,
      rating,
      provisional,
      connected: entry.disconnectedAt === null,
      record: { leftBeforeFirstPick: offences.leftBeforeFirstPick, earlyForfeits },
    };
  };

  const present = ({ state, seat, ratings, replays }: Seated, ofMatch: Looks) => {
    const beside = { ratings, replays, looks: ofMatch, progress: progress.in(state) };
    return viewFor(state, seat, clock.now(), beside);
  };
  /** The match as one of its players may see it: to a command, and to a question. */
  const acknowledged = async (match: Seated) => present(match, await looks.seen(match.state));
  const answered = async (match: Seated) => present(match, await looks.current(match.state));

  const command = async (playerGuid: string, matchGuid: string, make: MakeEvent) => {
    return acknowledged(await runner.applyAs(playerGuid, matchGuid, make));
  };

  /** The match as one of its players may see it. @throws MATCH_NOT_FOUND */
  const stateFor = async (playerGuid: string, matchGuid: string) => {
    return answered(seatedIn(await recent.current(matchGuid), playerGuid));
  };

  const lastEndedOf = (playerGuid: string) =>
    historyStore.lastEndedMatchOf(prisma, playerGuid, clock.now() - LAST_MATCH_MS);

  /** Matches as everybody may see them. */
  const shown = async (matches: readonly listStore.ShownMatch[]) => {
    const looksOfAll = await loadLooks(
      prisma,
      matches.map(({ state }) => state),
    );
    return matches.map(({ state, ...beside }) => publicView(state, { ...beside, looks: looksOfAll }));
  };

  const list = async (filter: MatchFilter, query: PageQuery) => {
    const { items, nextCursor } = await listStore.listMatches(prisma, filter, query);
    return { items: await shown(items), nextCursor };
  };

  return {
    /**
     * Makes a match of two waiting players, inside the transaction that takes them out of the queue.
     * Nobody is told before `announce` is called after the commit.
     * @throws a unique violation when one of them already sits in a match
     */
    create: async (db: Db, queue: Queue, pair: readonly [QueueEntry, QueueEntry]) => {
      const now = clock.now();
      const [a, b] = pair;
      const rules = rulebook.of(await store.rulesForAll(db, rulebook.newest));
      const meetings = await historyStore.countMeetings(db, a.playerGuid, b.playerGuid, now - MEETINGS_MS);
      const setup: MatchSetup = {
        rulesVersion: rules.version,
        matchGuid: newGuid(),
        queueGuid: queue.queueGuid,
        seasonGuid: queue.seasonGuid,
        poolGuid: queue.poolGuid,
        rated: meetings < RATED_MEETINGS,
        maxDiscards: queue.rules.maxDiscards,
        replaysRequired: queue.rules.replaysRequired,
        limits: limitsFrom(config),
        seed: Buffer.from(randomness.bytes(32)).toString('hex'),
        players: [await setupPlayer(db, a, queue, now), await setupPlayer(db, b, queue, now)],
        pool: (await loadPoolMaps(db, queue.poolGuid)).map(({ stale: _, ...map }) => map),
      };
      const state = rules.createMatch(setup, now);
      const created: store.Step = {
        event: { type: 'created', setup },
        state,
        cause: { type: 'created', seat: null },
        effects: [],
      };
      const sequence = await store.insertMatch(
        db,
        created,
        rules.dueAt(state),
        pair.map(({ playerGuid, joinedAt, pluginVersion, gameVersion }) => ({
          playerGuid,
          queuedSince: joinedAt,
          pluginVersion,
          gameVersion,
        })),
      );
      return {
        matchGuid: state.matchGuid,
        announce: async (): Promise<void> => {
          const beside = { ratings: null, replays: [], looks: await looks.seen(state) };
          tell({ sequence, steps: [created], beside });
        },
      };
    },

    /**
     * A player's command. A repeat has no second effect and is answered with the match as it is now.
     * @throws MATCH_NOT_FOUND (also: not yours), or what the rules refuse it with
     */
    command,

    /**
     * Says how far a player's preparation is. A share of the download alone is no change of the match: it is kept
     * in memory and told to both, what comes faster than twice a second half a second later.
     * @throws like `command`
     */
    setReady: async (playerGuid: string, matchGuid: string, { progress: share, ...said }: ReadyReport) => {
      const event: MakeEvent = (seat) => ({ type: 'setReady', seat, ...said });
      if (share === null || !isDownloadProgress(said.state, share)) {
        progress.forget(playerGuid);
        return command(playerGuid, matchGuid, event);
      }
      const unchanged = await runner.consider(playerGuid, matchGuid, event);
      const report = {
        reporterGuid: playerGuid,
        matchGuid,
        roundNumber: said.roundNumber,
        progress: share,
      };
      if (unchanged === null) {
        progress.note(report);
        const changed = await command(playerGuid, matchGuid, event);
        void tellProgress(report, false);
        return changed;
      }
      // In a later phase it is a repeat of what was said: nothing is told of it any more.
      if (unchanged.state.status === 'preparing' && unchanged.state.roundNumber === said.roundNumber)
        progress.merge(report);
      return acknowledged(unchanged);
    },

    /** Another node says how far a download is, for a player who was connected here. */
    receiveProgress: async (playerGuid: string, report: ProgressReport): Promise<void> => {
      progress.note(report);
      await delivery.tellProgress(playerGuid, report);
    },

    stateFor,

    /** A match that was just read, as one of its players may see it. @throws MATCH_NOT_FOUND when it is another's */
    viewOf: (match: store.StoredMatch, playerGuid: string) => answered(seatedIn(match, playerGuid)),

    /** Whether a player sits in a running match, and the plugin version it began with. */
    runningSeatOf: (playerGuid: string, db: Db = prisma) => seatsStore.runningSeatOf(db, playerGuid),

    /** The running matches of these players, by player. */
    runningSeatsOf: (playerGuids: readonly string[]) => seatsStore.runningSeatsOf(prisma, playerGuids),

    /** Ends of matches between these players within the last `withinMs`. */
    recentMeetings: (playerGuids: readonly string[], withinMs: number) =>
      historyStore.recentMeetings(prisma, playerGuids, clock.now() - withinMs),

    /** The player is there, here: from now on every change is told over this connection. */
    connected: async (playerGuid: string): Promise<void> => {
      const running = await seatsStore.runningSeatOf(prisma, playerGuid);
      if (running === null) {
        delivery.begin(playerGuid, await lastEndedOf(playerGuid));
        return;
      }
      await looks.renew(playerGuid);
      const connected = (seat: SeatName): PlayEvent => ({ type: 'connected', seat });
      delivery.begin(playerGuid, await runner.applyAs(playerGuid, running.matchGuid, connected));
    },
    /** The player's connection to this node ended; another one may have taken the seat. */
    gone: (playerGuid: string): void => {
      delivery.end(playerGuid);
      progress.forget(playerGuid);
    },
    /** How many logs were found since the start that do not lead to what is stored. */
    brokenLogs: () => brokenLogs,
    /** How many are under way, on all nodes. */
    running: () => store.countRunning(prisma),

    /** Tells what other nodes stored for players of this node. */
    catchUp: (nodeGuid: string) => delivery.catchUp(nodeGuid),
    disconnected: (playerGuid: string) =>
      applyForPlayer(playerGuid, (seat) => ({ type: 'disconnected', seat })),
    /** The player is connected after all, to whatever node. */
    returned: (playerGuid: string) => applyForPlayer(playerGuid, (seat) => ({ type: 'connected', seat })),
    banned: (playerGuid: string) => applyForPlayer(playerGuid, (seat) => ({ type: 'banned', seat })),

    /** The same to many players at once, in a transaction of the caller. */
    happensTo: batches.happensTo,

    /** Gives all running matches back what they lost by the last outage, and by those before it. */
    compensate: batches.compensate,

    /** The match and a player's seat in it, running or ended. @throws MATCH_NOT_FOUND, also: not theirs */
    seated: async (playerGuid: string, matchGuid: string) =>
      seatedIn(await recent.load(matchGuid), playerGuid),
    /** The match as it is stored; null when there is none. */
    stored: (matchGuid: string) => store.loadMatch(database, matchGuid),
    /** What is shown with matches and is no part of them, as it is stored. */
    looksOf: (matches: readonly MatchState[]) => loadLooks(prisma, matches),
    playedVersions: (matchGuid: string, playerGuid: string) =>
      seatsStore.playedVersions(database, matchGuid, playerGuid),
    /** The views show a verdict that was stored. Nobody is told: it is no change of the match. */
    showReplays: recent.judged,

    ...createModeration({ database, clock, runner }),
    ...createEvidence({ database, clock, rulebook }),
    ...createStatistics({ database }),

    /**
     * One match as everybody may see it, how many watch its players live, and how long that number may be shown
     * (milliseconds since 1970; null: for ever): who watches is written nowhere, so no change tells of it.
     * @throws MATCH_NOT_FOUND
     */
    read: async (matchGuid: string) => {
      const found = await store.loadMatch(database, matchGuid);
      if (found === null) throw matchErrors.MATCH_NOT_FOUND();
      const [match] = await shown([found]);
      if (match === undefined) throw matchErrors.MATCH_NOT_FOUND();
      if (match.endedAt !== null) return { match, spectators: 0, validUntil: null };
      const spectators = await spectatorsOf(match.players.map(({ platformId }) => platformId));
      return { match, spectators, validUntil: clock.now() + SPECTATORS_SHOWN_MS };
    },

    /** Matches as everybody may see them, newest first. */
    list,

    /** The same for one player. @throws PLAYER_NOT_FOUND */
    listOf: async (playerGuid: string, query: PageQuery) => {
      if (!(await playersByGuid(prisma, [playerGuid])).has(playerGuid)) throw playerErrors.PLAYER_NOT_FOUND();
      return list({ playerGuid }, query);
    },

    /**
     * Begins to watch the limits.
     * @param isInService false while this node does not know where it stands: no limit is applied meanwhile
     */
    startLimits: (isInService: () => boolean): void => {
      let lookedAt = performance.now();
      const work = async () => {
        // Whoever stood still reads first what was sent to it in time: it waits in the sockets.
        const stoodStill = performance.now() - lookedAt > STOOD_STILL_MS;
        if (isInService() && !stoodStill) {
          await options.storePutOff();
          await applyDue();
        }
        lookedAt = performance.now();
      };
      limits = repeat('limits', LIMITS_EVERY_MS, work, logger);
      limits.wake();
    },
    stopLimits: async (): Promise<void> => {
      clearTimeout(hint?.timer);
      await limits?.stop();
    },
  };
}
