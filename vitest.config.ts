import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/references-setup.ts'],
    // Test files of one worker share its modules: without this each file would load the service again.
    isolate: false,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // Some tests wait for time to pass: a third worker uses two cores better.
    maxWorkers: 3,
  },
});
