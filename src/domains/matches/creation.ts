import { newGuid } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { countEarlyLeaves } from '../penalties/index.ts';
import type { Queue, QueueEntry } from '../queues/index.ts';
import { ratingsOf } from '../ratings/index.ts';
import type { MatchContext, MatchesOptions } from './context.ts';
import { countEarlyForfeits, periodSince, recentMeetings } from './history-store.ts';
import { matchLimits } from './log-schemas.ts';
import type { RunnerOptions } from './runner.ts';
import type { MatchSetup, SetupPlayer } from './state.ts';
import { insertMatches, rulesForAll } from './store.ts';
import { matchMapsOf } from './stored-state.ts';

const EARLY_FORFEITS_MS = 24 * 3_600_000;
/** From the fourth match of the same two within this time on they play unrated. */
const MEETINGS_MS = 24 * 3_600_000;
const RATED_MEETINGS = 3;

/** Two waiting players. */
export type Pair = readonly [QueueEntry, QueueEntry];

type CreationOptions = MatchContext &
  Pick<MatchesOptions, 'config' | 'outages' | 'randomness'> &
  Pick<RunnerOptions, 'announce'>;

/** The facts from the database that new matches of a queue are made from. */
async function load(
  db: Db,
  queue: Queue,
  pairs: readonly Pair[],
  { now, outages }: { now: number; outages: MatchesOptions['outages'] },
) {
  const guids = pairs.flat().map(({ playerGuid }) => playerGuid);
  const ratingOf = await ratingsOf(db, queue, guids);
  const earlyLeaves = await countEarlyLeaves(db, guids, now);
  const earlyForfeits = await countEarlyForfeits(db, guids, periodSince(now - EARLY_FORFEITS_MS, outages));
  const meetings = await recentMeetings(db, guids, periodSince(now - MEETINGS_MS, outages));
  const pool = [...(await matchMapsOf(db, queue.poolGuid)).values()];

  const setupPlayer = ({ playerGuid, disconnectedAt }: QueueEntry): SetupPlayer => {
    const { rating, provisional } = ratingOf(playerGuid);
    const record = {
      leftBeforeFirstPick: earlyLeaves.get(playerGuid) ?? 0,
      earlyForfeits: earlyForfeits.get(playerGuid) ?? 0,
    };
    return { playerGuid, rating, provisional, connected: disconnectedAt === null, record };
  };
  const isRated = (a: string, b: string): boolean =>
    meetings.filter(
      ({ redGuid, blueGuid, isCompleted }) =>
        isCompleted && ((redGuid === a && blueGuid === b) || (redGuid === b && blueGuid === a)),
    ).length < RATED_MEETINGS;
  return { pool, setupPlayer, isRated };
}

/** Makes matches: loads the facts, lets the rules decide, and stores the matches. */
export function createCreation(options: CreationOptions) {
  const { config, clock, outages, rulebook, display, randomness, announce } = options;

  return {
    /**
     * Makes a match of each of these pairs, inside the transaction that takes their players out of the queue. The
     * number of statements does not grow with the number of pairs.
     * @returns a function that delivers the matches to the players, to be called after the commit
     * @throws a unique violation when one of them already sits in a match; no match is made then
     */
    create: async (db: Db, queue: Queue, pairs: readonly Pair[]): Promise<() => Promise<void>> => {
      const now = clock.now();
      const rules = rulebook.of(await rulesForAll(db, rulebook.newest));
      const { queueGuid, seasonGuid, poolGuid } = queue;
      const { maxDiscards, replaysRequired } = queue.rules;
      const limits = matchLimits.parse(config);
      const { pool, setupPlayer, isRated } = await load(db, queue, pairs, { now, outages });
      const matches = pairs.map(([a, b]) => {
        const setup: Omit<MatchSetup, 'pool'> = {
          rulesVersion: rules.version,
          matchGuid: newGuid(),
          queueGuid,
          seasonGuid,
          poolGuid,
          rated: isRated(a.playerGuid, b.playerGuid),
          maxDiscards,
          replaysRequired,
          limits,
          seed: Buffer.from(randomness.bytes(32)).toString('hex'),
          players: [setupPlayer(a), setupPlayer(b)],
        };
        const state = rules.createMatch({ ...setup, pool }, now);
        const cause = { type: 'created', seat: null } as const;
        const seats = [a, b].map(({ playerGuid, joinedAt, pluginVersion, gameVersion }) => ({
          playerGuid,
          queuedSince: joinedAt,
          pluginVersion,
          gameVersion,
        }));
        const created = { event: { type: 'created', setup } as const, state, cause };
        return { created, dueAt: rules.dueAt(state), seats };
      });
      const sequences = await insertMatches(db, matches);
      return async () => {
        const shown = await display.cached(...matches.map(({ created }) => created.state));
        for (const { created } of matches)
          announce({
            sequence: sequences.get(created.state.matchGuid) ?? 0,
            steps: [created],
            extras: { ratings: null, replays: [], display: shown },
          });
      };
    },
  };
}
