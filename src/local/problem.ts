/** A problem that is printed for a person at a terminal, with the way out of it. */
export class LocalProblem extends Error {}
