/** Bounds of the rules of a queue, from the service itself. */
export { type Bounds, RULE_BOUNDS } from '../../domains/queues/rules.ts';
