export { type PenaltyReason, penalty } from './schemas.ts';
export { activePenalty, recordOf, recordOffence } from './store.ts';
