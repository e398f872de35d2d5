import { z } from 'zod';
import { guid, isoInstant } from '../../platform/http/schemas.ts';
import { poolMap } from '../pools/index.ts';
import { matchOutcome, matchStatus, ratingChange, readyState, sha256, submittedScore } from './schemas.ts';
import { SEATS } from './state.ts';

/** The log of a match as it travels. */

const seatName = z.enum(SEATS).meta({ id: 'SeatName' });
const milliseconds = z.int();
const seedOfMatch = z.string().regex(/^[0-9a-f]{64}$/);

/** A map without the member that may change later, which would be no evidence. */
const matchMap = poolMap.omit({ stale: true }).meta({ id: 'MatchMap' });

/** A log has nothing of a player but the guid, so that the person can be erased. */
const setupPlayer = z
  .object({
    playerGuid: guid,
    rating: z.int(),
    provisional: z.boolean(),
    connected: z.boolean(),
    record: z
      .object({ leftBeforeFirstPick: z.int(), earlyForfeits: z.int() })
      .meta({ id: 'MatchRecord' })
      .describe('Offences known when the match was made: they decide what leaving costs'),
  })
  .meta({ id: 'MatchSetupPlayer' });

/** The limits of a match, copied from the configuration when it is made. */
export const matchLimits = z
  .object({
    joinMs: milliseconds,
    discardMs: milliseconds,
    pickMs: milliseconds,
    prepareMs: milliseconds,
    countdownMs: milliseconds,
    scoreGraceMs: milliseconds,
    roundResultsMs: milliseconds,
    scoreEarliestShare: z.number(),
    reconnectGraceMs: milliseconds,
    reconnectBudgetMs: milliseconds,
  })
  .meta({ id: 'MatchLimits' });

/** Everything that a match was made from: the first line of its log. */
const matchSetup = z
  .object({
    rulesVersion: z.int().describe('Version of the rules of this match: its log is proved by those alone'),
    matchGuid: guid,
    queueGuid: guid,
    seasonGuid: guid,
    poolGuid: guid,
    rated: z.boolean(),
    maxDiscards: z.int(),
    replaysRequired: z.boolean(),
    limits: matchLimits,
    seed: seedOfMatch,
    players: z
      .tuple([setupPlayer, setupPlayer])
      .describe('In any order: red has the lower rating; of equal ones the seed draws red'),
    pool: z.array(matchMap),
  })
  .meta({ id: 'MatchSetup' });

/** One kind of event. Its shape is named after its type: `SelectMapEvent`. */
const eventOf = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z
    .object({ type: z.literal(type), ...shape })
    .meta({ id: `${type.charAt(0).toUpperCase()}${type.slice(1)}Event` });
const seat = { seat: seatName };

const matchEvent = z
  .discriminatedUnion('type', [
    eventOf('created', { setup: matchSetup }),
    eventOf('joinMatch', seat),
    eventOf('discardMaps', { ...seat, cardGuids: z.array(guid) }),
    eventOf('selectMap', { ...seat, cardGuid: guid }),
    eventOf('setReady', { ...seat, roundNumber: z.int(), state: readyState }),
    eventOf('submitScore', { ...seat, roundNumber: z.int(), score: submittedScore }),
    eventOf('forfeit', seat),
    eventOf('connected', seat),
    // The connection was lost.
    eventOf('disconnected', seat),
    // The node that held the connection died or stopped: the player has the full grace, and it costs no budget.
    eventOf('nodeLost', seat),
    // The player came back and was put off: refused, or kept waiting for more than a second,
    // because the database was full.
    eventOf('putOff', seat),
    eventOf('banned', seat),
    // A limit passed; `version` is the one it was read from, so that a late event finds nothing to do.
    eventOf('limitPassed', { version: z.int() }),
    // Everybody has answered before the limit of the phase.
    eventOf('phaseOver', {}),
    eventOf('serviceResumed', {
      outage: z.int().describe('Number of the outage that is over'),
      downMs: milliseconds.describe('The part of it within this match: every limit moves by it'),
      until: z.int().describe('When it was over, milliseconds since 1970'),
    }),
    eventOf('abortedByStaff', {}),
    eventOf('decidedByStaff', { outcome: matchOutcome, winner: seatName.nullable() }),
    eventOf('undoneByStaff', {}),
  ])
  .meta({ id: 'MatchEvent' });

export type MatchEvent = z.output<typeof matchEvent>;

const dealtCard = z.object({ cardGuid: guid, map: matchMap }).meta({ id: 'DealtCard' });
const dealtHand = z.object({ playerGuid: guid, hand: z.array(dealtCard) }).meta({ id: 'DealtHand' });

/** The evidence of a match: its setup, its events, and the state that they lead to. */
export const matchLog = z
  .object({
    matchGuid: guid,
    status: matchStatus,
    seed: seedOfMatch.describe('32 bytes, hexadecimal'),
    seedHash: sha256.describe('SHA-256 of the seed’s bytes, hexadecimal; shown since the match was made'),
    dealt: z
      .object({ red: dealtHand, blue: dealtHand, reserve: z.array(dealtCard) })
      .meta({ id: 'Deal' })
      .describe(
        'The deck as the seed shuffled it: red’s hand, blue’s hand, what may replace discarded cards',
      ),
    events: z
      .array(z.object({ version: z.int(), at: isoInstant, event: matchEvent }).meta({ id: 'LoggedEvent' }))
      .describe('Every accepted event in order, from version 1 on without a gap'),
    version: z.int().describe('Version of the state that the events lead to'),
    stateHash: sha256.describe('SHA-256 of that state as stored, in canonical JSON (RFC 8785), hexadecimal'),
    formerRatings: z
      .array(ratingChange.extend({ replacedAt: isoInstant }).meta({ id: 'FormerRatingChange' }))
      .describe('Rating changes that the match showed before staff corrected its result, the oldest first'),
  })
  .meta({ id: 'MatchLog' });
export type MatchLog = z.output<typeof matchLog>;
