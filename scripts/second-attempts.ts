import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Lists the tests that failed once and passed when they were run again, and why, so that a race is not overlooked. */
export default class SecondAttempts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `  ${module.relativeModuleId} > ${test.fullName}\n${whyFailed(test)}`),
    );
    if (flaky.length > 0) console.log(`Passed at the second attempt only:\n${flaky.join('\n')}`);
  }
}

/** The messages of the first attempt, with the place in the test. */
const whyFailed = (test: TestCase): string =>
  (test.result().errors ?? [])
    .map(({ message, stacks = [] }) => {
      const at = stacks.find(({ file }) => file === test.module.moduleId) ?? stacks[0];
      return `    ${message.replaceAll('\n', '\n    ')}${at ? ` (line ${at.line})` : ''}`;
    })
    .join('\n');
