import { z } from 'zod';

/**
 * The socket channel as the contract writes it down, member for member, on purpose not made from `src`: what
 * a client with a strict JSON reader relies on. An unknown or a missing member fails, and so does a fraction
 * where an integer is promised.
 */

const guid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const hash = z.string().regex(/^[0-9A-F]{40}$/);
const digits = z.string().regex(/^\d+$/);
const ms = z.int().min(0);
const share = z.number().min(0).max(1);

const person = {
  playerGuid: guid,
  platformId: digits,
  username: z.string(),
  avatarUrl: z.string().nullable(),
};

/** As HTTP answers it, too. */
export const poolMap = z.strictObject({
  mapGuid: guid,
  key: z.string().regex(/^[0-9a-f]+$/),
  hash,
  name: z.string().min(1),
  characteristic: z.string(),
  difficulty: z.string(),
  categoryGuid: guid,
  modifiers: z.array(z.string()),
  durationSeconds: z.int().positive(),
  maxScore: z.int().positive(),
  coverUrl: z.url().nullable(),
  stale: z.boolean(),
  addedAt: time,
});

const reason = z.enum([
  'health',
  'cards_used_up',
  'forfeit',
  'disconnected',
  'not_ready',
  'dodged',
  'banned',
  'not_joined',
  'void_rounds',
  'left_before_first_pick',
  'aborted_by_staff',
  'decided_by_staff',
]);

const result = z.strictObject({
  outcome: z.enum(['win', 'loss', 'draw', 'no_contest']),
  reason,
  winnerGuid: guid.nullable(),
  ratingBefore: z.int(),
  ratingAfter: z.int(),
});

const seat = {
  rating: z.int().nullable(),
  provisional: z.boolean(),
  health: share,
  presence: z.enum(['present', 'away', 'absent']),
  awayDeadlineAt: time.nullable(),
  discarded: z.boolean(),
  ready: z.enum(['downloading', 'ready', 'failed']).nullable(),
  progress: share.nullable(),
  scoreSubmitted: z.boolean(),
  handSize: z.int().min(0).max(5),
};
const you = z.strictObject({
  ...seat,
  player: z.strictObject(person),
  rating: z.int(),
  hand: z.array(z.strictObject({ cardGuid: guid, map: poolMap })).nullable(),
});
const opponent = z.strictObject({ ...seat, player: z.strictObject(person).nullable(), hand: z.null() });

const round = z.strictObject({
  roundNumber: z.int().positive(),
  pickerGuid: guid,
  map: poolMap,
  scores: z
    .array(
      z.strictObject({
        playerGuid: guid,
        rawScore: z.int().nullable(),
        modifiedScore: z.int().nullable(),
        accuracy: share,
        submitted: z.boolean(),
        failed: z.boolean(),
        replay: z.enum(['missing', 'verified', 'mismatch']),
      }),
    )
    .length(2),
  winnerGuid: guid.nullable(),
  damage: z.number(),
  multiplier: z.number(),
  void: z.boolean(),
});

const match = z
  .strictObject({
    matchGuid: guid,
    queueGuid: guid,
    version: z.int().positive(),
    status: z.enum([
      'waiting_players',
      'awaiting_discards',
      'awaiting_pick',
      'preparing',
      'playing',
      'round_results',
      'completed',
      'aborted',
    ]),
    time,
    deadlineAt: time.nullable(),
    remainingMs: ms.nullable(),
    roundNumber: z.int().min(0),
    pickerGuid: guid.nullable(),
    you,
    opponent,
    seedHash: z.string().regex(/^[0-9a-f]{64}$/),
    rated: z.boolean(),
    currentMap: poolMap.nullable(),
    startsAt: time.nullable(),
    startsInMs: ms.nullable(),
    rounds: z.array(round),
    result: result.nullable(),
  })
  .superRefine((seen, context) => {
    const hidden = seen.status === 'waiting_players';
    const mustBe = (holds: boolean, what: string) => holds || context.addIssue(what);
    mustBe((seen.opponent.player === null) === hidden, 'the opponent is hidden in waiting_players, only');
    mustBe((seen.opponent.rating === null) === hidden, 'and so is the rating');
    mustBe((seen.you.hand === null) === hidden, 'the own hand is null in waiting_players, only');
    const ended = seen.status === 'completed' || seen.status === 'aborted';
    mustBe((seen.result !== null) === ended, 'a result is there when the match has ended, only');
    mustBe((seen.deadlineAt === null) === ended, 'a limit is there while the match runs');
    mustBe((seen.deadlineAt === null) === (seen.remainingMs === null), 'a limit as time and as duration');
    mustBe((seen.startsAt === null) === (seen.startsInMs === null), 'a start as time and as duration');
  });

const queueEntry = z.strictObject({
  queueGuid: guid,
  joinedAt: time,
  waitingMs: ms,
  rating: z.int(),
  gap: z.int(),
});

const penalty = z.strictObject({
  reason: z.enum([
    'not_joined',
    'disconnected',
    'not_ready',
    'left_before_first_pick',
    'dodged',
    'repeated_forfeit',
  ]),
  until: time,
});

/** The `data` of a successful acknowledgement, by message. */
export const acknowledged: Record<string, z.ZodType> = {
  hello: z.strictObject({
    player: z.strictObject({ ...person, roles: z.array(z.string()) }),
    queueEntry: queueEntry.nullable(),
    match: match.nullable(),
    lastMatch: z.strictObject({ matchGuid: guid, result, endedAt: time }).nullable(),
    penalty: penalty.nullable(),
    time,
  }),
  joinQueue: z.strictObject({ queueEntry }),
  leaveQueue: z.strictObject({}),
  joinMatch: z.strictObject({ match }),
  discardMaps: z.strictObject({ match }),
  selectMap: z.strictObject({ match }),
  setReady: z.strictObject({ match }),
  submitScore: z.strictObject({ match }),
  forfeit: z.strictObject({ match }),
  getMatchState: z.strictObject({ match }),
};

/** Both shapes of an acknowledgement of one message. */
export const envelopeOf = (event: string) =>
  z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), data: acknowledged[event] ?? z.never() }),
    z.strictObject({
      ok: z.literal(false),
      error: z.strictObject({ code: z.string().regex(/^[A-Z][A-Z_]+$/), message: z.string().min(1) }),
    }),
  ]);

/** The shapes of messages that the server sends by itself. */
export const told: Record<string, z.ZodType> = {
  queueUpdated: z.strictObject({
    queueEntry: queueEntry.nullable(),
    reason: z
      .enum([
        'joined',
        'left',
        'matched',
        'requeued',
        'queue_drained',
        'pool_retired',
        'disconnected',
        'banned',
        'maintenance',
      ])
      .nullable(),
  }),
  matchUpdated: z.strictObject({
    match,
    cause: z.strictObject({
      type: z.enum([
        'created',
        'playerJoined',
        'discarded',
        'pickStarted',
        'mapSelected',
        'readyChanged',
        'mapStarted',
        'scoreSubmitted',
        'roundFinished',
        'presenceChanged',
        'finished',
      ]),
      playerGuid: guid.nullable(),
    }),
  }),
  serverNotice: z.strictObject({
    type: z.enum([
      'draining',
      'sessionReplaced',
      'pluginVersionRetired',
      'tokenExpired',
      'banned',
      'maintenance',
    ]),
    message: z.string().min(1),
    retryAfterMs: z.int().nullable(),
  }),
};
