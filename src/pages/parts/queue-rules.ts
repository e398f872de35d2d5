/** What the rules of a queue may be, as the service itself has it. */
export { type Bounds, RULE_BOUNDS } from '../../domains/queues/rules.ts';
