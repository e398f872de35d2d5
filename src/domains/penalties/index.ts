export { type PenaltyReason, penalty } from './schemas.ts';
export {
  activePenalty,
  countEarlyLeaves,
  expirePenalties,
  type Penalty,
  penalizedAmong,
  recordOffence,
} from './store.ts';
