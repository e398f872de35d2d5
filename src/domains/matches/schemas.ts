import { z } from 'zod';
import { givenInstant, guid, isoInstant, page, pageQuery } from '../../platform/http/schemas.ts';
import { line } from '../../platform/http/text.ts';
import { shownPlatformId } from '../players/index.ts';
import { poolMap } from '../pools/index.ts';
import { CAUSES, ENDED, OUTCOMES, READY_STATES, RESULT_REASONS, RUNNING } from './state.ts';

/** The shapes of a match on the wire: for its two players, and for everybody. */

export const matchStatus = z.enum([...RUNNING, ...ENDED]).meta({ id: 'MatchStatus' });
const resultReason = z.enum(RESULT_REASONS).meta({ id: 'ResultReason' });
export const readyState = z.enum(READY_STATES).meta({ id: 'ReadyState' });
export const presence = z
  .enum(['present', 'away', 'absent'])
  .describe('`away`: the connection is lost, a grace runs. `absent`: the grace has ended')
  .meta({ id: 'Presence' });
export const matchOutcome = z.enum(OUTCOMES).meta({ id: 'MatchOutcome' });
const replayVerdict = z
  .enum(['missing', 'verified', 'mismatch'])
  .describe('Whether a replay was published, and whether it agrees with the score')
  .meta({ id: 'ReplayStatus' });
export type ReplayVerdict = z.output<typeof replayVerdict>;

/** 32 bytes as they are shown. */
export const sha256 = z.string().meta({ pattern: '^[0-9a-f]{64}$' });

export const matchPlayer = z
  .object({
    playerGuid: guid,
    platformId: shownPlatformId,
    username: z.string(),
    avatarUrl: z.string().nullable(),
  })
  .meta({ id: 'MatchPlayer' });
export type MatchPlayer = z.output<typeof matchPlayer>;

export const card = z.object({ cardGuid: guid, map: poolMap }).meta({ id: 'Card' });
export type CardView = z.output<typeof card>;

export const seat = z
  .object({
    player: matchPlayer.nullable().describe('Null: the opponent in `waiting_players`'),
    rating: z.int().nullable().describe('When the match was made. Null: the opponent in `waiting_players`'),
    provisional: z.boolean().describe('False for the opponent in `waiting_players`'),
    health: z.number().min(0).max(1).describe('1 at the start; 0 loses'),
    presence,
    awayDeadlineAt: isoInstant
      .nullable()
      .describe('When the grace ends; null unless away in a running match'),
    discarded: z.boolean().describe('Whether the discard was answered'),
    ready: readyState.nullable().describe('The last `setReady` of the round'),
    progress: z.number().min(0).max(1).nullable().describe('Null unless downloading'),
    scoreSubmitted: z.boolean().describe('Whether the score of the round is in'),
    hand: z.array(card).nullable().describe('Null for the opponent, and for both in `waiting_players`'),
    handSize: z.int(),
  })
  .meta({ id: 'Seat' });
export type SeatView = z.output<typeof seat>;

/** A play as its player reports it. */
export const submittedScore = z
  .object({
    rawScore: z.int(),
    modifiedScore: z.int(),
    missCount: z.int(),
    badCutCount: z.int(),
    fullCombo: z.boolean(),
    noFailTriggered: z.boolean(),
    failed: z.boolean(),
  })
  .meta({ id: 'SubmittedScore' });

const roundScore = z
  .object({
    playerGuid: guid,
    rawScore: z.int().nullable().describe('Null: none was submitted'),
    modifiedScore: z.int().nullable().describe('Null: none was submitted'),
    accuracy: z.number().min(0).max(1).describe('The number that decided the round'),
    submitted: z.boolean(),
    failed: z.boolean(),
    replay: replayVerdict,
  })
  .meta({ id: 'RoundScore' });

export const round = z
  .object({
    roundNumber: z.int(),
    pickerGuid: guid,
    map: poolMap,
    scores: z.array(roundScore).length(2).describe('Red first'),
    winnerGuid: guid.nullable().describe('Null: equal, or void. A seat that was not ready has lost'),
    damage: z.number().describe('Gap × multiplier: what the loser’s health was lowered by, at most to 0'),
    multiplier: z.number().describe('0 when void'),
    void: z.boolean().describe('Neither was ready: the card is spent, the round counts for nothing'),
  })
  .meta({ id: 'Round' });
export type RoundView = z.output<typeof round>;

const playerOutcome = z.enum(['win', 'loss', 'draw', 'no_contest']).meta({ id: 'PlayerOutcome' });

export const matchResult = z
  .object({
    outcome: playerOutcome.describe('Yours'),
    reason: resultReason,
    winnerGuid: guid.nullable(),
    ratingBefore: z.int(),
    ratingAfter: z.int(),
  })
  .meta({ id: 'MatchResult' });
export type ResultView = z.output<typeof matchResult>;

/** A match as one of its players may see it. */
export const matchView = z
  .object({
    matchGuid: guid,
    queueGuid: guid,
    version: z.int().describe('Grows by one per change'),
    status: matchStatus,
    time: isoInstant.describe('When this was made'),
    deadlineAt: isoInstant
      .nullable()
      .describe('When the phase ends at the latest; null once the match has ended'),
    remainingMs: z.int().nullable().describe('From `time` to `deadlineAt`, never below 0'),
    roundNumber: z.int().describe('0 until the first pick begins'),
    pickerGuid: guid.nullable().describe('The picker of this round; null until the first pick begins'),
    you: seat,
    opponent: seat,
    seedHash: sha256.describe('SHA-256 of the seed of the deal, hexadecimal; the seed is shown at the end'),
    rated: z.boolean(),
    currentMap: poolMap.nullable().describe('In `preparing`, `playing` and `round_results`'),
    startsAt: isoInstant
      .nullable()
      .describe('When the map starts: during the countdown of `preparing`, and in `playing`'),
    startsInMs: z.int().nullable().describe('From `time` to `startsAt`, 0 once it has started'),
    rounds: z.array(round).describe('Finished rounds only'),
    result: matchResult.nullable(),
  })
  .meta({ id: 'Match' });
export type MatchView = z.output<typeof matchView>;

/** A rating before and after a match. */
export const ratingChange = z
  .object({ playerGuid: guid, before: z.int(), after: z.int() })
  .meta({ id: 'RatingChange' });

export const liveSeat = z
  .object({
    playerGuid: guid,
    rating: z.int().describe('When the match was made'),
    ...seat.pick({
      provisional: true,
      health: true,
      presence: true,
      awayDeadlineAt: true,
      handSize: true,
      discarded: true,
      ready: true,
      progress: true,
      scoreSubmitted: true,
    }).shape,
  })
  .meta({ id: 'LiveSeat' });

/** A running match as everybody may see it. */
export const liveMatch = z
  .object({
    status: matchStatus,
    roundNumber: z.int().describe('0 until the first pick begins'),
    pickerGuid: guid.nullable().describe('The picker of this round; null until the first pick begins'),
    currentMap: poolMap.nullable().describe('In `preparing`, `playing` and `round_results`'),
    deadlineAt: isoInstant.nullable().describe('When the phase ends at the latest'),
    startsAt: isoInstant.nullable().describe('When the map starts or started'),
    seats: z.array(liveSeat).describe('Red, blue; empty in `waiting_players`, while the players are hidden'),
  })
  .meta({ id: 'LiveMatch' });
export type LiveView = z.output<typeof liveMatch>;

/** A match as everybody may see it. */
export const publicMatch = z
  .object({
    matchGuid: guid,
    queueGuid: guid,
    queueName: z.string(),
    seasonGuid: guid,
    seasonName: z.string(),
    poolGuid: guid,
    poolName: z.string(),
    rated: z.boolean(),
    version: z.int().describe('Grows by one per change until the end; what staff decide later leaves it'),
    status: matchStatus,
    players: z.array(matchPlayer).describe('Red, blue; empty in `waiting_players`, while they are hidden'),
    rounds: z.array(round).describe('Finished rounds only'),
    result: z
      .object({
        outcome: matchOutcome,
        reason: resultReason,
        winnerGuid: guid.nullable(),
        ratings: z.array(ratingChange).describe('Red, blue'),
      })
      .meta({ id: 'PublicMatchResult' })
      .nullable()
      .describe('Null while the match runs'),
    seedHash: sha256.describe('SHA-256 of the seed, hexadecimal'),
    seed: sha256.nullable().describe('32 bytes, hexadecimal; null while the match runs'),
    startedAt: isoInstant,
    endedAt: isoInstant.nullable(),
    live: liveMatch.nullable().describe('Null once the match ended'),
  })
  .meta({ id: 'PublicMatch' });
export type PublicMatch = z.output<typeof publicMatch>;

export const matchList = page('MatchList', publicMatch);

/** A single match. Only this response has the number of spectators: it is not part of the version. */
export const matchWithSpectators = publicMatch
  .extend({
    spectators: z.int().min(0).describe('Connections that watch its players live now; 0 once it ended'),
  })
  .meta({ id: 'MatchWithSpectators' });

export const matchCause = z
  .object({
    type: z.enum(CAUSES).meta({ id: 'CauseType' }),
    playerGuid: guid
      .nullable()
      .describe('The player who caused it; null: a limit did, or a player who is hidden'),
  })
  .meta({ id: 'MatchCause' });
export type MatchCause = z.output<typeof matchCause>;

export const matchParams = z.strictObject({ matchGuid: guid });
export const matchesOfPlayerParams = z.strictObject({ playerGuid: guid });
export const matchQuery = pageQuery
  .extend({
    state: z
      .enum(['running', 'ended'])
      .meta({ id: 'MatchState' })
      .optional()
      .describe('Running ones wait for their players, too'),
    status: matchStatus.optional(),
    queueGuid: guid.optional(),
    seasonGuid: guid.optional(),
    playerGuid: guid.optional().describe('Never finds a match that waits for its players'),
    since: givenInstant.optional().describe('ISO 8601: matches that began then or later'),
    until: givenInstant.optional().describe('ISO 8601: matches that began before'),
  })
  .refine(({ state, status }) => state === undefined || status === undefined, {
    path: ['state'],
    message: 'cannot be combined with status',
  });
export type MatchFilter = Omit<z.output<typeof matchQuery>, 'limit' | 'cursor'>;
/** Sort key of a list of matches: `startedAt` in milliseconds, then the guid. */
export const matchListKey = z.tuple([z.int().min(0).max(8.64e15), guid]);

/** The reason that staff give; it is in the audit log. */
const staffReason = line(500).describe('Kept in the audit log');

export const abortBody = z.strictObject({ reason: staffReason }).meta({ id: 'MatchAbort' });
export const undoBody = z.strictObject({ reason: staffReason }).meta({ id: 'MatchUndo' });
const decided = {
  outcome: z.enum(['win', 'draw', 'no_contest']).meta({ id: 'DecidedOutcome' }),
  winnerGuid: guid.nullable().default(null).describe('With `win` one of the two players, else null'),
};
const namesWinner = ({ outcome, winnerGuid }: { outcome: string; winnerGuid: string | null }): boolean =>
  (outcome === 'win') === (winnerGuid !== null);
const NAMES_WINNER = {
  path: ['winnerGuid'],
  message: 'must name the winner of a win, and be null otherwise',
};
export const resultBody = z
  .strictObject({ ...decided, reason: staffReason })
  .refine(namesWinner, NAMES_WINNER)
  .meta({ id: 'MatchDecision' });
export type ResultBody = z.output<typeof resultBody>;

export const previewBody = z
  .strictObject(decided)
  .refine(namesWinner, NAMES_WINNER)
  .meta({ id: 'MatchDecisionPreview' });
export type PreviewBody = z.output<typeof previewBody>;
