/** Rules of the service itself that the console applies to what is typed: which modifiers do not go together, and bounds of numbers. */
export { POSITION_BOUNDS } from '../../domains/categories/rules.ts';
export { speedConflict } from '../../domains/pools/rules.ts';
export { type Bounds, RULE_BOUNDS } from '../../domains/queues/rules.ts';
