export { type PenaltyReason, penalty } from './schemas.ts';
export {
  countEarlyLeaves,
  expirePenalties,
  type Penalty,
  penalizedAmong,
  recordOffence,
} from './store.ts';
