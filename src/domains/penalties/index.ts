export { type PenaltyReason, penalty } from './schemas.ts';
export {
  countEarlyLeaves,
  expirePenalties,
  type Penalty,
  penalizedAmong,
  penaltyOf,
  recordOffence,
} from './store.ts';
