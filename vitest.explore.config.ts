import { defineConfig } from 'vitest/config';

/** The promises of the rules alone, in every state of small matches: what a mutant has to break. */
export default defineConfig({
  test: {
    // Stryker counts what it has changed in every state.
    testTimeout: 240_000,
    env: { PROMISES_ALONE: 'yes' },
    include: ['test/exploration/promises.test.ts'],
  },
});
