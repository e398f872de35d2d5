export { type PenaltyReason, penalty } from './schemas.ts';
export { activePenalty, type Penalty, recordOf, recordOffence } from './store.ts';
