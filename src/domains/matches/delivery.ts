import { isDeepStrictEqual } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import * as logStore from './log-store.ts';
import type { LooksOfMatches } from './looks.ts';
import type { Rules } from './machine.ts';
import type { Rulebook } from './rulebook.ts';
import { type Cause, type MatchState, SEATS, type SeatName, seatOf } from './state.ts';
import type { StoredMatch } from './store.ts';
import { type Beside, causeFor, type DownloadProgress, viewFor } from './view.ts';

/**
 * Tells players of every change of their match exactly once and in order. What this node stored it tells at
 * once; what another node stored, or what came out of order, follows from what was told last and the events
 * that are new in the log.
 */
export interface Delivery {
  /** Changes this node has just stored. @returns the players who are to be told and are not connected here */
  tell(told: Told): string[];
  /** Whether a player is connected here. */
  holds(playerGuid: string): boolean;
  /** Tells a player of this node how far a download of the running round is: the version told last, once more. */
  tellProgress(playerGuid: string, of: { matchGuid: string; reporterGuid: string }): Promise<void>;
  /**
   * A player connected here and will ask for the whole state: only what comes after it is told.
   * @param at the player's running match, or else the last one that ended; null: there was none lately
   */
  begin(playerGuid: string, at: StoredMatch | null): void;
  /** A player's connection here ended. */
  end(playerGuid: string): void;
  /** Tells what other nodes stored for players of this node. */
  catchUp(nodeGuid: string): Promise<void>;
}

/** Changes of one match, each with the state it led to. */
export interface Told {
  sequence: number;
  steps: readonly { state: MatchState; cause: Cause }[];
  beside: Beside;
}

/** A stored match that does not follow from what was told of it and its log. */
export interface BrokenLog {
  matchGuid: string;
  /** Stored, and told from there. */
  version: number;
  reason: string;
}

export interface DeliveryOptions {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  rulebook: Rulebook;
  looks: Pick<LooksOfMatches, 'seen'>;
  progressIn(match: MatchState): DownloadProgress;
  /** Sends to a connection of this node. */
  send(playerGuid: string, event: 'matchUpdated', payload: unknown): void;
  onBroken(broken: BrokenLog): void;
}

/** The last change a player was told of. */
interface Position {
  matchGuid: string;
  /** The database's order of matches: a player's matches come one after the other. */
  sequence: number;
  version: number;
  /** As it was told; null once the match is over. */
  last: Pick<StoredMatch, 'state' | 'replays'> | null;
}

/** The version of a match a player was told last, 0 before the first. Of an earlier one, or one that is over, nothing is left to tell. */
function toldVersion(position: Position | null, { sequence }: { sequence: number }): number {
  if (position === null || position.sequence < sequence) return 0;
  return position.sequence === sequence && position.last !== null
    ? position.version
    : Number.POSITIVE_INFINITY;
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { database, clock, logger, rulebook, looks: looksOf, progressIn, send, onBroken } = options;
  /** The players connected here, and the last change each was told of; null: none since the connection began. */
  const positions = new Map<string, Position | null>();

  const show = (state: MatchState, seat: SeatName, cause: Cause, beside: Beside): void =>
    send(state.seats[seat].playerGuid, 'matchUpdated', {
      match: viewFor(state, seat, clock.now(), { ...beside, progress: progressIn(state) }),
      cause: causeFor(state, seat, cause),
    });

  /** @returns false when something before it has not been told; `isNext`: then it is told all the same */
  const tellSeat = (
    { state, cause }: Told['steps'][number],
    seat: SeatName,
    { sequence, beside }: Pick<Told, 'sequence' | 'beside'>,
    isNext: boolean,
  ): boolean => {
    const { playerGuid } = state.seats[seat];
    const position = positions.get(playerGuid);
    if (position === undefined) return true;
    const known = toldVersion(position, { sequence });
    if (state.version <= known) return true;
    const hasEarlier = position !== null && position.sequence < sequence && position.last !== null;
    if (!isNext && (hasEarlier || state.version > known + 1)) return false;
    const { matchGuid, version, endedAt } = state;
    const last = endedAt === null ? { state, replays: beside.replays } : null;
    positions.set(playerGuid, { matchGuid, sequence, version, last });
    show(state, seat, cause, beside);
    return true;
  };

  const notHere = ({ seats }: MatchState): string[] =>
    SEATS.map((seat) => seats[seat].playerGuid).filter((playerGuid) => !positions.has(playerGuid));

  /** The positions of the players of a match who are connected here. */
  const positionsIn = (playerGuids: readonly string[]): (Position | null)[] =>
    playerGuids.flatMap(
      (playerGuid) => positions.get(playerGuid) ?? (positions.has(playerGuid) ? [null] : []),
    );

  const tell: Delivery['tell'] = ({ steps, ...about }) => {
    for (const step of steps) {
      const told = SEATS.map((seat) => tellSeat(step, seat, about, false));
      if (told.every(Boolean)) continue;
      const players = SEATS.map((seat) => step.state.seats[seat].playerGuid);
      // The end of an earlier match may be what is missing.
      const watched = positionsIn(players).flatMap((one) => (one?.last ? [one.matchGuid] : []));
      tellStored([...new Set([...watched, step.state.matchGuid])]).catch((error: unknown) =>
        logger.error({ err: error, matchGuid: step.state.matchGuid }, 'changes could not be told'),
      );
      break;
    }
    const [first] = steps;
    return first === undefined ? [] : notHere(first.state);
  };

  /** What was told last of a match to whoever of its players is furthest behind. */
  const baseOf = (match: logStore.StoredPlace): { version: number; state: MatchState | null } => {
    const behind = positionsIn([match.redGuid, match.blueGuid])
      .map((position) => ({ position, version: toldVersion(position, match) }))
      .toSorted((a, b) => a.version - b.version)[0];
    if (behind === undefined || behind.version === 0) return { version: 0, state: null };
    return { version: behind.version, state: behind.position?.last?.state ?? null };
  };

  /** The changes since what was told last, or why they do not lead to what is stored. */
  const stepsSince = (
    base: MatchState | null,
    match: logStore.ChangedMatch,
    rules: Rules,
  ): Told['steps'] | string => {
    let state = base;
    const steps: { state: MatchState; cause: Cause }[] = [];
    try {
      for (const { version, at, event, cause } of match.events) {
        if (event.type === 'created') state = rules.createMatch(event.setup, at);
        else {
          const outcome = state && rules.transition(state, event, at);
          if (outcome?.kind !== 'changed') return `${event.type} does not lead to version ${version}`;
          state = outcome.state;
        }
        if (state.version !== version) return `the entry of version ${state.version} is missing`;
        steps.push({ state, cause });
      }
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    if (!isDeepStrictEqual(state, match.state)) return 'the log leads to another state than the stored one';
    return steps;
  };

  /** Tells one match from where its players stand here to what is stored. */
  const tellChanges = async (match: logStore.ChangedMatch, base: MatchState | null): Promise<void> => {
    const { sequence, state, ratings, replays } = match;
    const beside = { ratings, replays, looks: await looksOf.seen(state) };
    const rules = rulebook.find(state.rulesVersion);
    let steps: Told['steps'] | string = 'its rules are newer than this node';
    if (rules !== null) {
      steps = stepsSince(base, match, rules);
      if (typeof steps === 'string')
        onBroken({ matchGuid: state.matchGuid, version: state.version, reason: steps });
    }
    if (typeof steps === 'string') {
      const type = state.endedAt === null ? 'presenceChanged' : 'finished';
      steps = [{ state, cause: match.events.at(-1)?.cause ?? { type, seat: null } }];
    }
    for (const step of steps) for (const seat of SEATS) tellSeat(step, seat, { sequence, beside }, true);
  };

  const tellStored = async (matchGuids: readonly string[]): Promise<void> => {
    const places = await logStore.placesOf(database, matchGuids);
    await tellBehind(places);
  };

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
    for (const match of changed)
      await tellChanges(match, bases.get(match.state.matchGuid) ?? null).catch((error: unknown) =>
        logger.error({ err: error, matchGuid: match.state.matchGuid }, 'changes could not be told'),
      );
  };

  const tellProgress: Delivery['tellProgress'] = async (playerGuid, { matchGuid, reporterGuid }) => {
    const position = positions.get(playerGuid);
    if (position?.matchGuid !== matchGuid || position.last === null) return;
    const { state, replays } = position.last;
    const [seat, reporter] = [seatOf(state, playerGuid), seatOf(state, reporterGuid)];
    if (seat === null || reporter === null || !progressIn(state).has(reporterGuid)) return;
    const looks = await looksOf.seen(state);
    // What was told meanwhile said it already.
    if (positions.get(playerGuid)?.last?.state !== state) return;
    show(state, seat, { type: 'readyChanged', seat: reporter }, { ratings: null, replays, looks });
  };

  return {
    tell,
    holds: (playerGuid) => positions.has(playerGuid),
    tellProgress,
    begin: (playerGuid, at) =>
      void positions.set(
        playerGuid,
        at && {
          matchGuid: at.state.matchGuid,
          sequence: at.sequence,
          version: at.state.version,
          last: at.state.endedAt === null ? at : null,
        },
      ),
    end: (playerGuid) => void positions.delete(playerGuid),
    catchUp: async (nodeGuid) => {
      const watched = [...positions.values()].flatMap((one) => (one?.last ? [one.matchGuid] : []));
      await tellBehind(await logStore.placesOfNode(database, nodeGuid, [...new Set(watched)]));
    },
  };
}
