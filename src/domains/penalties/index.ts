export { type PenaltyReason, penalty } from './schemas.ts';
export { activePenalty, countEarlyLeaves, type Penalty, penalizedAmong, recordOffence } from './store.ts';
