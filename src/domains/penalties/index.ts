export { type PenaltyReason, penalty, penaltyReason } from './schemas.ts';
export { activePenalty, type Penalty, penalizedAmong, recordOf, recordOffence } from './store.ts';
