import { z } from 'zod';
import { isoInstant } from '../../platform/http/schemas.ts';

/** Offences that earn a queue time-out. */
const penaltyReason = z
  .enum(['not_joined', 'disconnected', 'not_ready', 'left_before_first_pick', 'dodged', 'repeated_forfeit'])
  .meta({ id: 'PenaltyReason' });
export type PenaltyReason = z.output<typeof penaltyReason>;

/** A queue time-out as shown to its player. */
export const penalty = z.object({ reason: penaltyReason, until: isoInstant }).meta({ id: 'Penalty' });
