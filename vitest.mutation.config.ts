import { defineConfig } from 'vitest/config';

/** The tests of the pure rules alone: they need no database, so a mutant is judged in a second or two. */
export default defineConfig({
  test: {
    setupFiles: ['test/harness/mutation-setup.ts'],
    // Stryker counts what it has changed in every test: on a busy machine that takes its time.
    testTimeout: 60_000,
    include: [
      'test/matches/{deal,golden,phases,play,presence,properties,refusals,scoring,table,view}.test.ts',
      'test/pairing/rules.test.ts',
      'test/ratings/rules.test.ts',
    ],
  },
});
