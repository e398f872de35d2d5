import { readFileSync } from 'node:fs';

/** `node scripts/test-summary.ts REPORT` tells Vitest's JSON report in one line. */

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

/** @returns such as `123 passed, 0 failed, 2 skipped`. */
export function summarise(report: Report): string {
  // A file that could not be loaded has no tests to count, but is a failure.
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + unloaded;
  return `${report.numPassedTests} passed, ${failed} failed, ${report.numPendingTests + report.numTodoTests} skipped`;
}

if (import.meta.main) {
  const [file = ''] = process.argv.slice(2);
  console.log(summarise(JSON.parse(readFileSync(file, 'utf8')) as Report));
}
