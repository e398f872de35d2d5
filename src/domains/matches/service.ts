import type { Db } from '../../platform/database/database.ts';
import { withoutDeadline } from '../../platform/database/deadline.ts';
import { createBatches } from './batch.ts';
import { createBrokenLogs } from './broken-logs.ts';
import type { MatchesOptions } from './context.ts';
import { createCreation } from './creation.ts';
import { type Announcement, createDelivery } from './delivery.ts';
import { createDeliveryTimes } from './delivery-times.ts';
import { createDisplayCache, loadDisplay } from './display.ts';
import { createEvidence } from './evidence.ts';
import { createFollowing } from './following.ts';
import { periodSince, recentMeetings } from './history-store.ts';
import { createLimits } from './limits.ts';
import { createLogChecks } from './log-checks.ts';
import { createMatchCache } from './match-cache.ts';
import type { PlayEvent } from './match-events.ts';
import { createModeration } from './moderation.ts';
import { lastOf } from './play.ts';
import { createProgressReports } from './progress.ts';
import { createReading } from './reading.ts';
import { createReadyReports, type ReadyReport } from './ready-reports.ts';
import { createRunner, type MakeEvent, type Seated, seatedIn } from './runner.ts';
import { playedVersions, runningSeatOf, runningSeatsOf } from './seats-store.ts';
import { createSettlement } from './settlement.ts';
import type { MatchState, SeatName } from './state.ts';
import { createStatistics } from './statistics.ts';
import { countRunning, loadMatch, type StoredMatch } from './store.ts';
import { type DisplayData, viewFor } from './view.ts';

/** How long `lastMatch` is shown. */
export const LAST_MATCH_MS = 24 * 3_600_000;

/** The matches of a player that a new connection has to know of. */
export interface LatestMatches {
  /** The match in which the player sits. */
  runningGuid: string | null;
  /** The last that ended within {@link LAST_MATCH_MS}. */
  lastEnded: { sequence: number } | null;
}

/** The parts of the use cases, each with the parts it depends on. */
function createParts(options: MatchesOptions) {
  const display = createDisplayCache(options);
  const cache = createMatchCache(options);
  const context = { ...options, cache, display };

  const brokenLogs = createBrokenLogs(options);
  const progress = createProgressReports({
    ...options,
    // The timer of a delivery has the deadline of the command that set it.
    deliver: (matchGuid, due) => void withoutDeadline(() => readyReports.deliverProgress(matchGuid, due)),
  });
  const delivery = createDelivery({
    ...context,
    progressIn: progress.in,
    onBroken: brokenLogs.report,
    onFirstDelivery: createDeliveryTimes(options),
  });
  const following = createFollowing({ ...context, progressIn: progress.in });
  const announce = (announcement: Announcement): void => {
    const elsewhere = delivery.announce(announcement);
    const { state } = lastOf(announcement.steps);
    options.hint([...elsewhere, state.matchGuid]);
    following.announce(announcement);
    limits.wakeFor(state);
  };

  const runner = createRunner({ ...context, ...createSettlement(options), announce });
  const batches = createBatches({ ...context, apply: runner.apply, announce });
  const limits = createLimits({ ...context, apply: runner.apply });
  const readyReports = createReadyReports({ ...context, progress, delivery, runner, following });

  return {
    ...context,
    brokenLogs,
    progress,
    delivery,
    following,
    announce,
    runner,
    batches,
    limits,
    readyReports,
  };
}

type Parts = ReturnType<typeof createParts>;

/** Stored matches, and what their players were told, for other domains. */
function createForOtherDomains({ database, cache, delivery }: Parts) {
  return {
    awaitsEnd: delivery.awaitsEnd,
    hasToldLater: delivery.hasToldLater,
    /** The match and a player's seat in it, running or ended. @throws MATCH_NOT_FOUND, also: not theirs */
    seated: async (playerGuid: string, matchGuid: string) =>
      seatedIn(await cache.current(matchGuid), playerGuid),
    /** The match as it is stored; null when there is none. */
    stored: (matchGuid: string) => loadMatch(database, matchGuid),
    /** The display data of matches as it is stored. */
    displayOf: (matches: readonly MatchState[]) => loadDisplay(database.prisma, matches),
    playedVersions: (matchGuid: string, playerGuid: string) =>
      playedVersions(database, matchGuid, playerGuid),
    /** Makes the views show a verdict that was stored. It is no change of the match and is not delivered. */
    addVerdict: cache.addVerdict,
  };
}

/** The match as one of its players may see it. */
function createViews({ clock, cache, display, progress, delivery }: Parts) {
  const present = ({ state, seat, ...match }: Seated, ofMatch: DisplayData) =>
    viewFor(state, seat, clock.now(), { ...match, display: ofMatch, progress: progress.in(state) });
  /** With stored names. */
  const shownAsStored = async (match: Seated) => present(match, await display.current(match.state));

  /** The match as it is now. @throws MATCH_NOT_FOUND */
  const stateFor = async (playerGuid: string, matchGuid: string) => {
    for (;;) {
      const match = seatedIn(await cache.current(matchGuid), playerGuid);
      const view = await shownAsStored(match);
      if (!delivery.hasToldLater(playerGuid, match)) return view;
    }
  };

  return {
    shownAsStored,
    stateFor,
    /**
     * The answer to a command, with cached names: the match after it, or as it is now when the player was told of a later change
     * meanwhile.
     */
    acknowledge: async (playerGuid: string, match: Seated) => {
      const view = present(match, await display.cached(match.state));
      return delivery.hasToldLater(playerGuid, match) ? stateFor(playerGuid, match.state.matchGuid) : view;
    },
  };
}

export type Matches = ReturnType<typeof createService>;

/** The use cases of a match: everything that happens to it from the deal to the result. */
export function createService(options: MatchesOptions) {
  const parts = createParts(options);
  const { clock, outages, display, progress, delivery, following, runner, readyReports } = parts;
  const { prisma } = parts.database;
  const { stateFor, acknowledge, shownAsStored } = createViews(parts);

  /** Applies an event to the player's running match; null when there is none. */
  const applyForPlayer = async (playerGuid: string, make: MakeEvent) => {
    const running = await runningSeatOf(prisma, playerGuid);
    return running && (await runner.applyAs(playerGuid, running.matchGuid, make));
  };

  return {
    ...createCreation(parts),
    ...createModeration(parts),
    ...createEvidence(parts),
    ...createLogChecks(parts),
    ...createStatistics(parts),
    ...createReading(parts),
    ...createForOtherDomains(parts),

    /**
     * A player's command. A repeat has no second effect and is answered with the match as it is now.
     * @param arrivedAt by the service's clock: whether it is in time does not depend on when it is executed
     * @throws MATCH_NOT_FOUND (also: not yours), or what the rules refuse it with
     */
    command: async (playerGuid: string, matchGuid: string, make: MakeEvent, arrivedAt: number) =>
      acknowledge(playerGuid, await runner.applyAs(playerGuid, matchGuid, make, arrivedAt)),

    /**
     * Says how far a player's preparation is. A share of the download alone is no change of the match: it is kept
     * in memory and delivered to both, that of both downloads at most twice a second.
     * @throws like `command`
     */
    setReady: async (playerGuid: string, matchGuid: string, report: ReadyReport, arrivedAt: number) =>
      acknowledge(playerGuid, await readyReports.report(playerGuid, matchGuid, report, arrivedAt)),
    receiveProgress: readyReports.receiveProgress,

    /** A match that was just read, as one of its players may see it. @throws MATCH_NOT_FOUND when it is another's */
    viewOf: (match: StoredMatch, playerGuid: string) => shownAsStored(seatedIn(match, playerGuid)),

    stateFor,

    /** Whether a player sits in a running match, and the plugin version it began with. */
    runningSeatOf: (playerGuid: string) => runningSeatOf(prisma, playerGuid),

    /** The running matches of these players, by player. */
    runningSeatsOf: (playerGuids: readonly string[], db: Db = prisma) => runningSeatsOf(db, playerGuids),

    /** Ends of matches between these players within the last `withinMs`. */
    recentMeetings: (playerGuids: readonly string[], withinMs: number) =>
      recentMeetings(prisma, playerGuids, periodSince(clock.now() - withinMs, outages)),

    /** The player has connected to this node: from now on every change is delivered over this connection. */
    connected: async (playerGuid: string, { runningGuid, lastEnded }: LatestMatches): Promise<void> => {
      if (runningGuid === null) return delivery.connect(playerGuid, lastEnded);
      await display.refresh(playerGuid);
      const connected = (seat: SeatName): PlayEvent => ({ type: 'connected', seat });
      delivery.connect(playerGuid, await runner.applyAs(playerGuid, runningGuid, connected));
    },
    /** The player's connection to this node ended; another one may have taken the seat. */
    connectionClosed: (playerGuid: string): void => {
      delivery.disconnect(playerGuid);
      progress.forget(playerGuid);
    },
    /** Matches for people who follow them. */
    following,
    /** The number of logs found since the start that do not lead to the stored match. */
    brokenLogs: parts.brokenLogs.count,
    /** How many are under way, on all nodes. */
    running: () => countRunning(prisma),

    catchUp: delivery.catchUp,
    catchUpWith: delivery.catchUpWith,
    /** The player is connected again, to any node. */
    returned: (playerGuid: string) => applyForPlayer(playerGuid, (seat) => ({ type: 'connected', seat })),
    banned: (playerGuid: string) => applyForPlayer(playerGuid, (seat) => ({ type: 'banned', seat })),
    ...parts.batches,

    startLimits: parts.limits.startLimits,
    stopLimits: parts.limits.stopLimits,
  };
}
