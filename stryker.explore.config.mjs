import base from './stryker.config.mjs';

/**
 * Mutation testing by the exploration alone: every change of the rules of a match breaks a promise in some state of a small
 * match. Texts are left out, each by what it is for (scripts/mutation-texts.ts). What survives is explained in docs/mutation.md.
 */
export default {
  ...base,
  vitest: { configFile: 'vitest.explore.config.ts' },
  mutate: [
    'src/domains/matches/{machine,play,presence,rounds,endings,staff-decisions,repeats}.ts',
    'src/domains/matches/phases/*.ts',
  ],
  plugins: ['@stryker-mutator/*', './scripts/mutation-texts.ts'],
  ignorers: ['texts'],
  incrementalFile: 'reports/mutation/explore-incremental.json',
  // A limit that never passes makes states without end.
  timeoutMS: 60_000,
  tempDirName: 'reports/mutation/explore-sandbox',
  jsonReporter: { fileName: 'reports/mutation/explore.json' },
};
