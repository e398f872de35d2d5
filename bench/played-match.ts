import { randomBytes } from 'node:crypto';
import { createMatch } from '../src/domains/matches/machine.ts';
import {
  type MatchSetup,
  type MatchState,
  RULES_VERSION,
  type SetupPlayer,
} from '../src/domains/matches/state.ts';
import { insertMatches } from '../src/domains/matches/store.ts';
import type { Play } from '../src/local/play.ts';
import { newGuid } from '../src/platform/clock.ts';
import type { Database } from '../src/platform/database/database.ts';
import { storePool } from '../test/harness/pools.ts';
import { benchMap } from './replays-play.ts';

/** A player, and how the first round was played. */
export interface Played {
  playerGuid: string;
  platformId: string;
  play: Play;
}

const { stale: _, ...playedMap } = benchMap;
/** The pool of all these matches. Its first map is the one that is played. */
const ofPool = {
  seasonGuid: newGuid(),
  poolGuid: newGuid(),
  pool: Array.from({ length: 10 }, (_, nth) =>
    nth === 0 ? playedMap : { ...playedMap, mapGuid: newGuid(), hash: String(nth).padStart(40, '0') },
  ),
};

/** A match in which both have played and submitted one round. The rest of the match does not matter here. */
function playedMatch(players: readonly [Played, Played]): { state: MatchState; setup: MatchSetup } {
  const now = Date.now();
  const seated = ({ playerGuid }: Played): SetupPlayer => ({
    playerGuid,
    rating: 1000,
    provisional: true,
    connected: true,
    record: { leftBeforeFirstPick: 0, earlyForfeits: 0 },
  });
  const limit = 1000;
  const setup: MatchSetup = {
    matchGuid: newGuid(),
    queueGuid: newGuid(),
    ...ofPool,
    rulesVersion: RULES_VERSION,
    rated: false,
    maxDiscards: 0,
    replaysRequired: false,
    limits: {
      joinMs: limit,
      discardMs: limit,
      pickMs: limit,
      prepareMs: limit,
      countdownMs: limit,
      scoreGraceMs: limit,
      roundResultsMs: limit,
      scoreEarliestShare: 0,
      reconnectGraceMs: limit,
      reconnectBudgetMs: limit,
    },
    seed: randomBytes(32).toString('hex'),
    players: [seated(players[0]), seated(players[1])],
  };
  const state = createMatch(setup, now);
  const scoreOf = (playerGuid: string) => {
    const found = players.find((one) => one.playerGuid === playerGuid) ?? players[0];
    const { replay: _replay, ...score } = found.play;
    return { ...score, modifiedScore: score.rawScore, noFailTriggered: false, failed: false };
  };
  const { red, blue } = state.seats;
  state.status = 'awaiting_pick';
  state.rounds = [
    {
      roundNumber: 1,
      pickerSeat: 'red',
      pickedByPlayer: true,
      card: { cardGuid: newGuid(), map: playedMap },
      startedAt: now,
      scores: { red: scoreOf(red.playerGuid), blue: scoreOf(blue.playerGuid) },
      accuracy: { red: 1, blue: 1 },
      ready: { red: null, blue: null },
      readyStates: { red: [], blue: [] },
      winner: null,
      damage: 0,
      multiplier: 1,
      void: false,
    },
  ];
  return { state, setup };
}

/** Puts such a match into the database. @returns its guid */
export async function insertPlayedMatch(
  database: Database,
  players: readonly [Played, Played],
): Promise<string> {
  const { state, setup } = playedMatch(players);
  const cause = { type: 'created', seat: null } as const;
  const created = { event: { type: 'created', setup } as const, state, cause, effects: [] };
  await storePool(database, ofPool);
  await insertMatches(database.prisma, [{ created, dueAt: null, seats: [] }]);
  return state.matchGuid;
}
