import { z } from 'zod';
import { isoInstant } from '../../platform/http/schemas.ts';

/** What earns a queue time-out. */
export const penaltyReason = z.enum([
  'not_joined',
  'disconnected',
  'not_ready',
  'left_before_first_pick',
  'dodged',
  'repeated_forfeit',
]);
export type PenaltyReason = z.output<typeof penaltyReason>;

/** A time-out as its player sees it. */
export const penalty = z.object({ reason: penaltyReason, until: isoInstant }).meta({ id: 'Penalty' });
