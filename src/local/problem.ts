/** Said to a person at a terminal: what is wrong and the way out of it. */
export class LocalProblem extends Error {}
