import { expect, test } from 'vitest';
import { summarise } from '../../scripts/test-summary.ts';

const report = {
  numPassedTests: 123,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [],
};

test('a run is summarised in one line', () => {
  expect(summarise(report)).toBe('123 passed, 0 failed, 2 skipped');
});

test('a test file that cannot be loaded counts as a failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{}] },
    { status: 'passed', assertionResults: [] },
  ];
  expect(summarise({ ...report, numFailedTests: 1, testResults })).toBe('123 passed, 2 failed, 2 skipped');
});
