/**
 * Mutation testing of the pure rules: every change Stryker makes to them should fail a test.
 * What survives is explained in docs/mutation.md.
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  mutate: [
    'src/domains/matches/{machine,play,deal,scoring,presence,rounds,endings,staff-decisions,repeats}.ts',
    'src/domains/matches/phases/*.ts',
    'src/domains/pairing/rules.ts',
    'src/domains/ratings/rules.ts',
  ],
  coverageAnalysis: 'perTest',
  // Only what changed since the last run is run again; `npm run mutation -- --force` runs everything.
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  concurrency: 2,
  // A limit that never passes makes an endless match: cut off, and counted as found.
  timeoutMS: 10_000,
  tempDirName: 'reports/mutation/sandbox',
  ignorePatterns: ['data', 'docs', 'bench', 'reports'],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
};
