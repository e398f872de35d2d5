import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { statesOf } from './machine.ts';
import { SEATS, type SeatName } from './state.ts';
import * as store from './store.ts';
import { causeFor, viewFor } from './view.ts';

/**
 * Tells players of every change of their match exactly once and in order. The log is the outbox: what this
 * node stored it tells at once; what another node stored, or what came out of order, is read from the log.
 */
export interface Delivery {
  /** Changes this node has just stored. @returns the players who are to be told and are not connected here */
  tell(steps: readonly Told[], beside: Beside): string[];
  /** A player connected here and will ask for the whole state: only what comes after it is told. */
  begin(playerGuid: string, at: { matchGuid: string; version: number } | null): void;
  /** A player's connection here ended. */
  end(playerGuid: string): void;
  /** Tells what other nodes stored for players of this node. */
  catchUp(nodeGuid: string): Promise<void>;
}

type Told = Pick<store.Step, 'state' | 'cause'>;

/** What is stored beside a state and shown with it. */
export type Beside = Omit<store.StoredMatch, 'state'>;

export interface DeliveryOptions {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** Sends to a connection of this node. */
  send(playerGuid: string, event: 'matchUpdated', payload: unknown): void;
}

/** The last change a player was told of; null: of no match since the connection began. */
type Position = { matchGuid: string; version: number; isOver: boolean } | null;

/**
 * The version of a match a player was told last, 0 before the first. A player's matches come one after the
 * other and guids grow with time: of an earlier match than the last there is nothing left to tell.
 */
function toldVersion(position: Position, matchGuid: string): number {
  if (position === null || position.matchGuid < matchGuid) return 0;
  return position.matchGuid === matchGuid ? position.version : Number.POSITIVE_INFINITY;
}

export function createDelivery({ database, clock, logger, send }: DeliveryOptions): Delivery {
  /** The players connected here, and the last change each was told of. */
  const positions = new Map<string, Position>();

  const tellSeat = ({ state, cause }: Told, seat: SeatName, { ratings, replays }: Beside): boolean => {
    const { playerGuid } = state.seats[seat];
    const position = positions.get(playerGuid);
    if (position === undefined) return true;
    const known = toldVersion(position, state.matchGuid);
    if (state.version <= known) return true;
    // A change before this one is stored and not yet told: both are told from the log, in order.
    if (state.version > known + 1) return false;
    const { matchGuid, version, endedAt } = state;
    positions.set(playerGuid, { matchGuid, version, isOver: endedAt !== null });
    send(playerGuid, 'matchUpdated', {
      match: viewFor(state, seat, clock.now(), ratings, replays),
      cause: causeFor(state, seat, cause),
    });
    return true;
  };

  const tell: Delivery['tell'] = (steps, beside) => {
    for (const step of steps) {
      const told = SEATS.map((seat) => tellSeat(step, seat, beside));
      if (told.every(Boolean)) continue;
      tellFromLog(step.state.matchGuid).catch((error: unknown) =>
        logger.error(
          { err: error, matchGuid: step.state.matchGuid },
          'changes could not be told from the log',
        ),
      );
      break;
    }
    const { seats } = steps[0]?.state ?? {};
    return SEATS.flatMap((seat) => seats?.[seat].playerGuid ?? []).filter((one) => !positions.has(one));
  };

  /** A replay of a whole match takes a few milliseconds, and is needed only where nodes share a match. */
  const tellFromLog = async (matchGuid: string): Promise<void> => {
    const log = await store.logOf(database.prisma, matchGuid);
    const found = await store.loadMatch(database, matchGuid);
    const states = statesOf(log);
    tell(
      log.flatMap(({ cause }, at) => {
        const state = states[at];
        return state ? [{ state, cause }] : [];
      }),
      found ?? { ratings: null, replays: [] },
    );
  };

  return {
    tell,
    begin: (playerGuid, at) => void positions.set(playerGuid, at && { ...at, isOver: false }),
    end: (playerGuid) => void positions.delete(playerGuid),
    catchUp: async (nodeGuid) => {
      const watched = [...positions.values()].flatMap((one) => (one && !one.isOver ? one.matchGuid : []));
      const current = await store.matchesOfNode(database, nodeGuid, [...new Set(watched)]);
      // The end of a match before the beginning of the next.
      const inOrder = current.toSorted((a, b) => (a.matchGuid < b.matchGuid ? -1 : 1));
      for (const { matchGuid, version, redGuid, blueGuid } of inOrder) {
        const isBehind = [redGuid, blueGuid].some((playerGuid) => {
          const position = positions.get(playerGuid);
          return position !== undefined && toldVersion(position, matchGuid) < version;
        });
        if (isBehind) await tellFromLog(matchGuid);
      }
    },
  };
}
