import { isDeepStrictEqual } from 'node:util';
import type { MatchContext, MatchesOptions } from './context.ts';
import * as logStore from './log-store.ts';
import type { MatchCache } from './match-cache.ts';
import type { Cause } from './match-events.ts';
import { type NonEmpty, type PlayedStep, type Rules, statesOf } from './play.ts';
import { type MatchState, playersOf, SEATS, type SeatName, seatOf } from './state.ts';
import type { StoredMatch } from './store.ts';
import { causeFor, type DownloadProgress, type ViewExtras, viewFor } from './view.ts';

/** One change of a match: the state it led to, and why. */
export type Step = Pick<PlayedStep, 'state' | 'cause'>;

/** Changes of one match that were stored and are to be delivered to its players. */
export interface Announcement {
  sequence: number;
  steps: NonEmpty<Step>;
  extras: ViewExtras;
}

/** A stored match to which its log does not lead. */
export interface BrokenLog {
  matchGuid: string;
  /** The stored version, from which the match goes on. */
  version: number;
  reason: string;
}

export interface DeliveryOptions extends Omit<MatchContext, 'cache'>, Pick<MatchesOptions, 'send'> {
  cache: Pick<MatchCache, 'remember'>;
  progressIn(match: MatchState): DownloadProgress;
  onBroken(broken: BrokenLog): void;
  /** A match was delivered to a player for the first time, or to a new connection, while players may still join it. */
  onFirstDelivery(playerGuid: string): void;
}

/** The last change that was delivered to a player. */
interface Position {
  /** Of its match, in the database's order of matches. The matches of a player are delivered in this order. */
  sequence: number;
  /** The match as it was delivered; null once its end was delivered. */
  last: Pick<StoredMatch, 'state' | 'replays'> | null;
}

/**
 * A match that was made and ended between two reads of a node has no seats any more. It is found by its end for this
 * time, which is longer than a node may be silent.
 */
const ENDED_LATELY_MS = 15_000;

/** Nothing was delivered yet: before the first match. */
const START: Position = { sequence: Number.NEGATIVE_INFINITY, last: null };

/**
 * The newest version of a match that was delivered to the player: 0 before the first, infinite when the match is over for
 * the player, because its end or a later match was delivered.
 */
function deliveredVersion(position: Position, { sequence }: { sequence: number }): number {
  if (position.sequence < sequence) return 0;
  return position.sequence === sequence && position.last !== null
    ? position.last.state.version
    : Number.POSITIVE_INFINITY;
}

/**
 * The changes of a match after the state that was delivered last.
 * @param delivered null: nothing was delivered, and the changes begin with the first
 * @throws Error when they do not lead to what is stored
 */
export function stepsSince(delivered: MatchState | null, match: logStore.ChangedMatch, rules: Rules): Step[] {
  const states = statesOf(match.events, rules, delivered);
  const steps = match.events.map(({ version, cause }, at) => {
    const state = states[at];
    if (state?.version !== version) throw new Error(`the line of version ${state?.version} is missing`);
    return { state, cause };
  });
  if (!isDeepStrictEqual(states.at(-1) ?? delivered, match.state))
    throw new Error('the log leads to another state than the stored one');
  return steps;
}

/**
 * The steps that players are told: the last end alone. After an end they are told no more, and only the ratings of the stored
 * version are known, which staff may have changed meanwhile.
 */
function toldOf(steps: readonly Step[]): readonly Step[] {
  const firstEnd = steps.findIndex(({ state }) => state.endedAt !== null);
  return firstEnd === -1 ? steps : [...steps.slice(0, firstEnd), ...steps.slice(-1)];
}

export type Delivery = ReturnType<typeof createDelivery>;

/**
 * Delivers every change of a match to its players, once and in order. Changes that this node stored are delivered at
 * once. Changes of other nodes, and changes that arrive out of order, are computed from the state that was delivered last
 * and the new events in the log.
 */
export function createDelivery(options: DeliveryOptions) {
  const { database, clock, logger, rulebook, display: displayCache, progressIn, send } = options;
  /** The players who are connected to this node, and what was delivered to each. */
  const positions = new Map<string, Position>();

  const sendUpdate = (state: MatchState, seat: SeatName, cause: Cause, extras: ViewExtras): void =>
    send(state.seats[seat].playerGuid, 'matchUpdated', {
      match: viewFor(state, seat, clock.now(), { ...extras, progress: progressIn(state) }),
      cause: causeFor(state, seat, cause),
    });

  const noteFirstDelivery = ({ status }: MatchState, playerGuid: string): void => {
    if (status === 'waiting_players') options.onFirstDelivery(playerGuid);
  };

  /**
   * Delivers a change to one player, unless the player has it or is not connected here.
   * @param after the version that the player is told before this one
   * @returns false when an earlier change has to be delivered first
   */
  const deliverTo = (
    { state, cause }: Step,
    seat: SeatName,
    { sequence, extras }: Pick<Announcement, 'sequence' | 'extras'>,
    after: number,
  ): boolean => {
    const { playerGuid } = state.seats[seat];
    const position = positions.get(playerGuid);
    if (position === undefined) return true;
    const delivered = deliveredVersion(position, { sequence });
    if (state.version <= delivered) return true;
    const isEndMissing = position.sequence < sequence && position.last !== null;
    if (isEndMissing || delivered < after) return false;
    const last = state.endedAt === null ? { state, replays: extras.replays } : null;
    positions.set(playerGuid, { sequence, last });
    sendUpdate(state, seat, cause, extras);
    if (delivered === 0) noteFirstDelivery(state, playerGuid);
    return true;
  };

  /** The positions of the connected players among these. */
  const positionsOf = (playerGuids: readonly string[]): Position[] =>
    playerGuids.flatMap((playerGuid) => positions.get(playerGuid) ?? []);

  /** The matches among these positions whose end was not delivered yet. */
  const runningIn = (those: Iterable<Position>): string[] =>
    [...those].flatMap(({ last }) => (last ? [last.state.matchGuid] : []));

  /** The last state of a match that was delivered, to the player who is furthest behind. */
  const lastDelivered = (match: logStore.StoredVersion): { version: number; state: MatchState | null } => {
    const [behind] = positionsOf([match.redGuid, match.blueGuid])
      .map((position) => ({
        version: deliveredVersion(position, match),
        state: position.last?.state ?? null,
      }))
      .toSorted((a, b) => a.version - b.version);
    return behind && behind.version > 0 ? behind : { version: 0, state: null };
  };

  /** Delivers the changes of one match from the state that was delivered last to the stored one. */
  const deliverSince = async (match: logStore.ChangedMatch, delivered: MatchState | null): Promise<void> => {
    const { sequence, state, ratings, replays } = match;
    const { matchGuid, version, endedAt } = state;
    // The next command of its players is decided from this state, which they have seen by then.
    options.cache.remember({ state, sequence, ratings, replays });
    const extras = { ratings, replays, display: await displayCache.cached(state) };
    const rules = rulebook.find(state.rulesVersion);
    // Without the rules, or with a log that does not fit, the stored state alone is delivered, whatever was told before.
    const type = endedAt === null ? 'presenceChanged' : 'finished';
    let steps: Step[] = [{ state, cause: match.events.at(-1)?.cause ?? { type, seat: null } }];
    let after = 0;
    try {
      if (rules !== null) {
        steps = stepsSince(delivered, match, rules);
        after = delivered?.version ?? 0;
      }
    } catch (error) {
      options.onBroken({
        matchGuid,
        version,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
    // A change that has to wait for an earlier one is not delivered here. The next read finds it again.
    for (const step of toldOf(steps)) {
      for (const seat of SEATS) deliverTo(step, seat, { sequence, extras }, after);
      after = step.state.version;
    }
  };

  const endedLately = (): Date => new Date(clock.now() - ENDED_LATELY_MS);

  const deliveryFailed = (error: unknown, matchGuid: string): void =>
    logger.error({ err: error, matchGuid }, 'changes could not be delivered');

  /** Delivers those of these matches that have changed since their last delivery. */
  const deliverMissing = async (places: readonly logStore.StoredVersion[]): Promise<void> => {
    const behind = places
      .map((place) => ({ ...place, delivered: lastDelivered(place) }))
      .filter(({ version, delivered }) => delivered.version < version);
    if (behind.length === 0) return;
    const states = new Map(behind.map(({ matchGuid, delivered }) => [matchGuid, delivered.state]));
    const changed = await logStore.changesSince(
      database,
      behind.map(({ matchGuid, delivered }) => ({ matchGuid, version: delivered.version })),
    );
    // In order of the matches: the end of one before the beginning of the next.
    for (const match of changed) {
      const { matchGuid } = match.state;
      await deliverSince(match, states.get(matchGuid) ?? null).catch((error: unknown) =>
        deliveryFailed(error, matchGuid),
      );
    }
  };

  /** Delivers to these players what other nodes stored. Those who are not connected here are left out. */
  const catchUpWith = async (playerGuids: readonly string[]): Promise<void> => {
    const here = playerGuids.filter((playerGuid) => positions.has(playerGuid));
    if (here.length === 0) return;
    const running = runningIn(positionsOf(here));
    await deliverMissing(await logStore.versionsOfPlayers(database, here, running, endedLately()));
  };

  return {
    /** Delivers changes that this node has just stored. @returns the players who are not connected here */
    announce: ({ steps, ...about }: Announcement): string[] => {
      const [{ state }] = steps;
      const { matchGuid } = state;
      const players = playersOf(state);
      const isEarly = steps.some((step) =>
        SEATS.map((seat) => deliverTo(step, seat, about, step.state.version - 1)).includes(false),
      );
      // The end of the match before may be missing, too.
      if (isEarly) catchUpWith(players).catch((error: unknown) => deliveryFailed(error, matchGuid));
      return players.filter((playerGuid) => !positions.has(playerGuid));
    },

    isConnected: (playerGuid: string): boolean => positions.has(playerGuid),

    /** Whether the player was told more of this running match than its state says. */
    hasToldLater: (playerGuid: string, { sequence, state }: StoredMatch): boolean => {
      const position = positions.get(playerGuid);
      return (
        position !== undefined &&
        state.endedAt === null &&
        deliveredVersion(position, { sequence }) > state.version
      );
    },

    /** Whether a player of this node is in a match whose end was not delivered to the player yet. */
    awaitsEnd: (playerGuid: string): boolean => positions.get(playerGuid)?.last != null,

    /**
     * Delivers the progress of downloads to a player, if connected here, with the version that was delivered last.
     * @param reporterGuids those with a new report, the newest last: the cause is the last one who still downloads
     */
    deliverProgress: async (
      playerGuid: string,
      matchGuid: string,
      reporterGuids: readonly string[],
    ): Promise<void> => {
      const last = positions.get(playerGuid)?.last;
      if (last?.state.matchGuid !== matchGuid) return;
      const { state, replays } = last;
      const known = progressIn(state);
      const reporterGuid = reporterGuids.findLast((guid) => known.has(guid));
      const seat = seatOf(state, playerGuid);
      const reporter = reporterGuid === undefined ? null : seatOf(state, reporterGuid);
      if (seat === null || reporter === null) return;
      const display = await displayCache.cached(state);
      // A newer state that was delivered meanwhile showed the progress, too.
      if (positions.get(playerGuid)?.last?.state !== state) return;
      sendUpdate(state, seat, { type: 'readyChanged', seat: reporter }, { ratings: null, replays, display });
    },

    /**
     * A player has connected here and will ask for the whole state: only later changes are delivered.
     * @param match the player's running match, or else the last one that ended; null: there was none lately
     */
    connect: (playerGuid: string, match: StoredMatch | { sequence: number } | null): void => {
      const last = match && 'state' in match && match.state.endedAt === null ? match : null;
      positions.set(playerGuid, match ? { sequence: match.sequence, last } : START);
      // The client asks for it with `hello`.
      if (last) noteFirstDelivery(last.state, playerGuid);
    },

    disconnect: (playerGuid: string): void => void positions.delete(playerGuid),

    /** Delivers the changes that other nodes stored. */
    catchUp: async (nodeGuid: string): Promise<void> => {
      const running = runningIn(positions.values());
      await deliverMissing(await logStore.versionsOfNode(database, nodeGuid, running, endedLately()));
    },

    catchUpWith,
  };
}
