/** Which modifiers do not go together, by the rule of the service itself. */
export { speedConflict } from '../../domains/pools/rules.ts';
