import type { Reporter, TestModule } from 'vitest/node';

/** Lists the tests that failed once and passed when they were run again, so that a race is not overlooked. */
export default class SecondAttempts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
    );
    if (flaky.length > 0) console.log(`Passed at the second attempt only:\n${flaky.join('\n')}`);
  }
}
