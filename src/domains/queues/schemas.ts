import { z } from 'zod';
import { guid, keyInstant, page, pageQuery } from '../../platform/http/schemas.ts';
import { line } from '../../platform/http/text.ts';
import { type Bounds, RULE_BOUNDS } from './rules.ts';

const numberIn = ({ least, most, isWhole }: Bounds) => (isWhole ? z.int() : z.number()).min(least).max(most);

/** The rules without defaults; {@link queueRules} adds them. */
const pairingFields = {
  initialGap: numberIn(RULE_BOUNDS.initialGap).describe('Rating gap accepted at once'),
  gapPerSecond: numberIn(RULE_BOUNDS.gapPerSecond).describe('Added to the gap for each second of waiting'),
  maxGap: numberIn(RULE_BOUNDS.maxGap).nullable().describe('Largest gap; null: it grows without end'),
};
const ruleFields = {
  maxDiscards: numberIn(RULE_BOUNDS.maxDiscards).describe(
    'Cards that may be replaced at the start of a match',
  ),
  replaysRequired: z
    .boolean()
    .describe(
      'Whether a round is listed for review when its replay has not come 15 minutes after the match, without time in which the service was not there; results do not wait',
    ),
};

export const queueRules = z
  .strictObject({
    maxDiscards: ruleFields.maxDiscards.default(2),
    pairing: z
      .strictObject({
        initialGap: pairingFields.initialGap.default(150),
        gapPerSecond: pairingFields.gapPerSecond.default(10),
        maxGap: pairingFields.maxGap.default(null),
      })
      .meta({ id: 'PairingRules' })
      .prefault({}),
    replaysRequired: ruleFields.replaysRequired.default(false),
  })
  .meta({ id: 'QueueRules' });
export type QueueRules = z.output<typeof queueRules>;

/** Rules left out stay as they are. */
const queueRulesChange = z
  .strictObject({
    ...ruleFields,
    pairing: z.strictObject(pairingFields).partial().meta({ id: 'PairingRulesChange' }),
  })
  .partial()
  .meta({ id: 'QueueRulesChange' });

export const queueStatus = z.enum(['closed', 'open', 'draining']).meta({ id: 'QueueStatus' });
export type QueueStatus = z.output<typeof queueStatus>;

export const queueView = z
  .object({
    queueGuid: guid,
    name: z.string(),
    poolGuid: guid,
    seasonGuid: guid.describe('The season of the pool'),
    status: queueStatus,
    rules: queueRules.describe('Copied into a match when it is made'),
    waiting: z.int().describe('How many players wait'),
    playing: z.int().describe('How many players are in running matches'),
  })
  .meta({ id: 'Queue' });
export type QueueView = z.output<typeof queueView>;

export const queuePage = page('QueueList', queueView);
export const queueQuery = pageQuery.extend({
  status: queueStatus.optional(),
  seasonGuid: guid.optional(),
  poolGuid: guid.optional(),
});
export type QueueQuery = z.output<typeof queueQuery>;
/** Keyset of the list: the last queue of a page. */
export const queueKey = z.tuple([guid]);
export const queueParams = z.strictObject({ queueGuid: guid });

const ladder = z
  .object({
    queueGuid: guid,
    queueName: z.string(),
    queueStatus,
    seasonGuid: guid,
    seasonName: z.string(),
    players: z.int().describe('How many players are on it'),
    running: z.boolean().describe('Whether its season runs now'),
  })
  .meta({ id: 'Ladder' });
export type Ladder = z.output<typeof ladder>;
export const ladderPage = page('LadderList', ladder);
/** Keyset of the list: 1 while the season runs, else 0; its start; the queue. */
export const ladderKey = z.tuple([z.int().min(0).max(1), keyInstant, guid]);
export type LadderKey = z.output<typeof ladderKey>;

export const newQueue = z
  .strictObject({ name: line(100), poolGuid: guid, rules: queueRules.prefault({}) })
  .meta({ id: 'NewQueue' });
export type NewQueue = z.output<typeof newQueue>;

export const queueChange = z
  .strictObject({ name: line(100), poolGuid: guid, rules: queueRulesChange })
  .partial()
  .meta({ id: 'QueueChange' });
export type QueueChange = z.output<typeof queueChange>;
