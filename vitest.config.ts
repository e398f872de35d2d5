import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import SecondAttempts from './scripts/second-attempts.ts';

/** The files that take longest, as `node scripts/slowest-tests.ts` lists their tests. */
const SLOWEST = [
  'outages/nodes',
  'journeys/crash',
  'contract/socket-bounds',
  'console/pools',
  'kit/journey',
  'pages/browser',
  'observers/two-nodes',
  'console/pool-table',
  'exploration/promises',
  'kit/page',
  'console/matches',
  'console/pool-table-size',
  'console/queues',
  'console/reviews',
  'pages/match-live',
  'load/run',
  'matches/moderation',
  'console/players',
  'local/demo',
  'maps/map-host-limits',
  'journeys/stop',
  'console/shell',
  'console/reports',
  'journeys/late-service',
  'local/dev',
  'sessions/provider',
  'pools/checks',
  'storage/storage',
  'journeys/standing-still',
];

/** Starts the longest files first, so that no worker is left alone with one of them at the end of a run. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = SLOWEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? SLOWEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/references-setup.ts'],
    // Test files of one worker share its modules: without this each file would load the service again.
    isolate: false,
    // Node loads the modules as it does in production. Transformed by Vite they take a tenth more processor time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // A test without an assertion may have gone through an empty list. A busy machine may need long; a poll that fails takes
    // this long, one that succeeds does not.
    expect: { poll: { timeout: 20_000 }, requireAssertions: true },
    // A machine may stand still for a moment. What passes at the second attempt only is listed at the end of the run.
    retry: 1,
    reporters: ['default', new SecondAttempts()],
    sequence: { sequencer: SlowestFirst },
    // Tests wait for time to pass and for the database: four workers keep two cores busy. Each of them loads the service
    // and warms up, which takes processor time.
    maxWorkers: 4,
    // Garbage of the tests is short-lived: with a larger young generation little of it is copied and marked. One thread
    // beside the main one collects and compiles: more of them take time from the other workers.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64', '--v8-pool-size=1'],
  },
});
