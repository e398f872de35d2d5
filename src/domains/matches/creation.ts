import { newGuid } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { recordOf } from '../penalties/index.ts';
import { loadPoolMaps } from '../pools/index.ts';
import type { Queue, QueueEntry } from '../queues/index.ts';
import { ratingOf } from '../ratings/index.ts';
import type { MatchContext, MatchesOptions } from './context.ts';
import { countEarlyForfeits, countMeetings } from './history-store.ts';
import { matchLimits } from './log-schemas.ts';
import type { RunnerOptions } from './runner.ts';
import type { MatchSetup, SetupPlayer } from './state.ts';
import { insertMatch, rulesForAll } from './store.ts';

const EARLY_FORFEITS_MS = 24 * 3_600_000;
/** From the fourth match of the same two within this time on they play unrated. */
const MEETINGS_MS = 24 * 3_600_000;
const RATED_MEETINGS = 3;

type Pair = readonly [QueueEntry, QueueEntry];

type CreationOptions = MatchContext &
  Pick<MatchesOptions, 'config' | 'randomness'> &
  Pick<RunnerOptions, 'announce'>;

/** The facts from the database that a new match is made from. */
async function load(db: Db, { queueGuid, seasonGuid, poolGuid }: Queue, [a, b]: Pair, now: number) {
  const player = async ({ playerGuid, disconnectedAt }: QueueEntry): Promise<SetupPlayer> => {
    const [{ rating, provisional }, { leftBeforeFirstPick }, earlyForfeits] = await Promise.all([
      ratingOf(db, queueGuid, seasonGuid, playerGuid),
      recordOf(db, playerGuid, now),
      countEarlyForfeits(db, playerGuid, now - EARLY_FORFEITS_MS),
    ]);
    const record = { leftBeforeFirstPick, earlyForfeits };
    return { playerGuid, rating, provisional, connected: disconnectedAt === null, record };
  };
  return {
    meetings: await countMeetings(db, a.playerGuid, b.playerGuid, now - MEETINGS_MS),
    players: [await player(a), await player(b)] satisfies MatchSetup['players'],
    pool: (await loadPoolMaps(db, poolGuid)).map(({ stale: _, ...map }) => map),
  };
}

/** Makes matches: loads the facts, lets the rules decide, and stores the match. */
export function createCreation(options: CreationOptions) {
  const { config, clock, rulebook, display, randomness, announce } = options;

  return {
    /**
     * Makes a match of two waiting players, inside the transaction that takes them out of the queue.
     * The players are told by `announce`, which is called after the commit.
     * @throws a unique violation when one of them already sits in a match
     */
    create: async (db: Db, queue: Queue, pair: Pair) => {
      const now = clock.now();
      const rules = rulebook.of(await rulesForAll(db, rulebook.newest));
      const { queueGuid, seasonGuid, poolGuid } = queue;
      const { maxDiscards, replaysRequired } = queue.rules;
      const { meetings, players, pool } = await load(db, queue, pair, now);
      const setup: MatchSetup = {
        rulesVersion: rules.version,
        matchGuid: newGuid(),
        queueGuid,
        seasonGuid,
        poolGuid,
        rated: meetings < RATED_MEETINGS,
        maxDiscards,
        replaysRequired,
        limits: matchLimits.parse(config),
        seed: Buffer.from(randomness.bytes(32)).toString('hex'),
        players,
        pool,
      };
      const state = rules.createMatch(setup, now);
      const cause = { type: 'created', seat: null } as const;
      const created = { event: { type: 'created', setup } as const, state, cause, effects: [] };
      const seats = pair.map(({ playerGuid, joinedAt, pluginVersion, gameVersion }) => ({
        playerGuid,
        queuedSince: joinedAt,
        pluginVersion,
        gameVersion,
      }));
      const sequence = await insertMatch(db, created, rules.dueAt(state), seats);
      return {
        matchGuid: state.matchGuid,
        announce: async (): Promise<void> =>
          announce({
            sequence,
            steps: [created],
            extras: { ratings: null, replays: [], display: await display.cached(state) },
          }),
      };
    },
  };
}
