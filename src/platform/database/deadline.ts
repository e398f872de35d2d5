import { AsyncLocalStorage } from 'node:async_hooks';

/** Until when work may begin something in the database, a time of `performance.now()`. */
const deadlines = new AsyncLocalStorage<number>();

/** Runs work that gets no connection of the database after this time. @param until a time of `performance.now()` */
export const withDeadline = <T>(until: number, work: () => Promise<T>): Promise<T> =>
  deadlines.run(until, work);

/** Runs work without a deadline: it follows from a commit and must be done, even late. */
export const withoutDeadline = <T>(work: () => T): T => deadlines.run(Number.POSITIVE_INFINITY, work);

/** How much time is left for the work that calls this, milliseconds; infinite without a deadline. */
export const timeLeft = (): number => (deadlines.getStore() ?? Number.POSITIVE_INFINITY) - performance.now();
