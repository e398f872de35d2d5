import { isDeepStrictEqual } from 'node:util';
import type { MatchContext, MatchesOptions } from './context.ts';
import * as logStore from './log-store.ts';
import type { Cause } from './match-events.ts';
import { type Rules, type Some, statesOf } from './play.ts';
import { type MatchState, playersOf, SEATS, type SeatName, seatOf } from './state.ts';
import type { StoredMatch } from './store.ts';
import { causeFor, type DownloadProgress, type ViewExtras, viewFor } from './view.ts';

/** One change of a match: the state it led to, and why. */
interface ToldStep {
  state: MatchState;
  cause: Cause;
}

/** Changes of one match that were stored and that its players are told of. */
export interface Announcement {
  sequence: number;
  steps: Some<ToldStep>;
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
  progressIn(match: MatchState): DownloadProgress;
  onBroken(broken: BrokenLog): void;
  /** A player was told of a match for the first time, in time to join it. */
  onToldOfMatch(playerGuid: string): void;
}

/** The last change that a player was told of. */
interface Position {
  /** The database's order of matches: the matches of a player are told in this order. */
  sequence: number;
  /** As it was told; null once the match is over. */
  last: Pick<StoredMatch, 'state' | 'replays'> | null;
}

/** The version of a match that a player was told last: 0 before the first, infinite when nothing is left to tell. */
function toldVersion(position: Position | null, { sequence }: { sequence: number }): number {
  if (position === null || position.sequence < sequence) return 0;
  return position.sequence === sequence && position.last !== null
    ? position.last.state.version
    : Number.POSITIVE_INFINITY;
}

/**
 * The changes of a match after the state that was told last.
 * @throws Error when they do not lead to what is stored
 */
function stepsSince(base: MatchState | null, match: logStore.ChangedMatch, rules: Rules): ToldStep[] {
  const states = statesOf(match.events, rules, base);
  const steps = match.events.map(({ version, cause }, at) => {
    const state = states[at];
    if (state?.version !== version) throw new Error(`the entry of version ${state?.version} is missing`);
    return { state, cause };
  });
  if (!isDeepStrictEqual(states.at(-1) ?? base, match.state))
    throw new Error('the log leads to another state than the stored one');
  return steps;
}

export type Delivery = ReturnType<typeof createDelivery>;

/**
 * Tells players of every change of their match exactly once and in order. Changes that this node stored are told at
 * once. Changes of other nodes, and changes that came out of order, are computed from the state that was told last
 * and the new events in the log.
 */
export function createDelivery(options: DeliveryOptions) {
  const { database, clock, logger, rulebook, display: displayCache, progressIn, send } = options;
  /** The players connected here, and the last change each was told of; null: none since the connection began. */
  const positions = new Map<string, Position | null>();

  const show = (state: MatchState, seat: SeatName, cause: Cause, extras: ViewExtras): void =>
    send(state.seats[seat].playerGuid, 'matchUpdated', {
      match: viewFor(state, seat, clock.now(), { ...extras, progress: progressIn(state) }),
      cause: causeFor(state, seat, cause),
    });

  const noteTold = ({ status }: MatchState, playerGuid: string): void => {
    if (status === 'waiting_players') options.onToldOfMatch(playerGuid);
  };

  /**
   * Tells one player of a change, unless the player knows it.
   * @param isNext everything before it was told
   * @returns false when an earlier change has to be told first
   */
  const tellSeat = (
    { state, cause }: ToldStep,
    seat: SeatName,
    { sequence, extras }: Pick<Announcement, 'sequence' | 'extras'>,
    isNext: boolean,
  ): boolean => {
    const { playerGuid } = state.seats[seat];
    const position = positions.get(playerGuid);
    if (position === undefined) return true;
    const known = toldVersion(position, { sequence });
    if (state.version <= known) return true;
    const hasEarlier = position !== null && position.sequence < sequence && position.last !== null;
    if (!isNext && (hasEarlier || state.version > known + 1)) return false;
    const last = state.endedAt === null ? { state, replays: extras.replays } : null;
    positions.set(playerGuid, { sequence, last });
    show(state, seat, cause, extras);
    if (known === 0) noteTold(state, playerGuid);
    return true;
  };

  /** The positions of the connected players among these. */
  const positionsOf = (playerGuids: readonly string[]): (Position | null)[] =>
    playerGuids
      .filter((playerGuid) => positions.has(playerGuid))
      .map((playerGuid) => positions.get(playerGuid) ?? null);

  /** The running matches that these positions are in. */
  const runningIn = (those: Iterable<Position | null>): string[] =>
    [...those].flatMap((position) => (position?.last ? [position.last.state.matchGuid] : []));

  /** The last state that was told of a match, for the player who is furthest behind. */
  const baseOf = (match: logStore.StoredPlace): { version: number; state: MatchState | null } => {
    const [behind] = positionsOf([match.redGuid, match.blueGuid])
      .map((position) => ({
        version: toldVersion(position, match),
        state: position?.last?.state ?? null,
      }))
      .toSorted((a, b) => a.version - b.version);
    return behind && behind.version > 0 ? behind : { version: 0, state: null };
  };

  /** Tells one match from the state that its players were told last to the stored one. */
  const tellChanges = async (match: logStore.ChangedMatch, base: MatchState | null): Promise<void> => {
    const { sequence, state, ratings, replays } = match;
    const { matchGuid, version, endedAt } = state;
    const extras = { ratings, replays, display: await displayCache.cached(state) };
    const rules = rulebook.find(state.rulesVersion);
    // Without the rules, or with a log that does not fit, the players are told the stored state alone.
    const type = endedAt === null ? 'presenceChanged' : 'finished';
    let steps: ToldStep[] = [{ state, cause: match.events.at(-1)?.cause ?? { type, seat: null } }];
    try {
      if (rules !== null) steps = stepsSince(base, match, rules);
    } catch (error) {
      options.onBroken({
        matchGuid,
        version,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
    for (const step of steps) for (const seat of SEATS) tellSeat(step, seat, { sequence, extras }, true);
  };

  const tellFailed = (error: unknown, matchGuid: string): void =>
    logger.error({ err: error, matchGuid }, 'changes could not be told');

  /** Tells those of these matches that have changed since they were told last. */
  const tellBehind = async (places: readonly logStore.StoredPlace[]): Promise<void> => {
    const behind = places
      .map((place) => ({ ...place, base: baseOf(place) }))
      .filter(({ version, base }) => base.version < version);
    if (behind.length === 0) return;
    const bases = new Map(behind.map(({ matchGuid, base }) => [matchGuid, base.state]));
    const changed = await logStore.changesSince(
      database,
      behind.map(({ matchGuid, base }) => ({ matchGuid, version: base.version })),
    );
    // In order of the matches: the end of one before the beginning of the next.
    for (const match of changed) {
      const { matchGuid } = match.state;
      await tellChanges(match, bases.get(matchGuid) ?? null).catch((error: unknown) =>
        tellFailed(error, matchGuid),
      );
    }
  };

  return {
    /** Tells changes that this node has just stored. @returns the players who are not connected here */
    announce: ({ steps, ...about }: Announcement): string[] => {
      const [{ state }] = steps;
      const { matchGuid } = state;
      const players = playersOf(state);
      const isEarly = steps.some((step) =>
        SEATS.map((seat) => tellSeat(step, seat, about, false)).includes(false),
      );
      if (isEarly) {
        // The end of the match before may be missing, too.
        const wanted = new Set([...runningIn(positionsOf(players)), matchGuid]);
        logStore
          .placesOf(database, [...wanted])
          .then(tellBehind)
          .catch((error: unknown) => tellFailed(error, matchGuid));
      }
      return players.filter((playerGuid) => !positions.has(playerGuid));
    },

    isConnected: (playerGuid: string): boolean => positions.has(playerGuid),

    /** Whether a player of this node knows of a match and was not told its end yet. */
    awaitsEnd: (playerGuid: string): boolean => positions.get(playerGuid)?.last != null,

    /** Tells a player of this node the progress of a download, with the version that was told last. */
    tellProgress: async (
      playerGuid: string,
      { matchGuid, reporterGuid }: { matchGuid: string; reporterGuid: string },
    ): Promise<void> => {
      const last = positions.get(playerGuid)?.last;
      if (last?.state.matchGuid !== matchGuid) return;
      const { state, replays } = last;
      const [seat, reporter] = [seatOf(state, playerGuid), seatOf(state, reporterGuid)];
      if (seat === null || reporter === null || !progressIn(state).has(reporterGuid)) return;
      const display = await displayCache.cached(state);
      // A newer state that was told meanwhile showed the progress, too.
      if (positions.get(playerGuid)?.last?.state !== state) return;
      show(state, seat, { type: 'readyChanged', seat: reporter }, { ratings: null, replays, display });
    },

    /**
     * A player has connected here and will ask for the whole state: only later changes are told.
     * @param match the player's running match, or else the last one that ended; null: there was none lately
     */
    connect: (playerGuid: string, match: StoredMatch | { sequence: number } | null): void => {
      const last = match && 'state' in match && match.state.endedAt === null ? match : null;
      positions.set(playerGuid, match && { sequence: match.sequence, last });
      // The client asks for it with `hello`.
      if (last) noteTold(last.state, playerGuid);
    },

    disconnect: (playerGuid: string): void => void positions.delete(playerGuid),

    /** Tells the changes that other nodes stored. An ended match has no seats any more and is found by its position. */
    catchUp: async (nodeGuid: string): Promise<void> => {
      const told = new Set(runningIn(positions.values()));
      await tellBehind(await logStore.placesOfNode(database, nodeGuid, [...told]));
    },
  };
}
