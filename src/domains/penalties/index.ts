export { type PenaltyReason, penalty } from './schemas.ts';
export {
  countEarlyLeaves,
  expirePenalties,
  offencesOf,
  type Penalty,
  penalizedAmong,
  penaltyOf,
  recordOffence,
} from './store.ts';
