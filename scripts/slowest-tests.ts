import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * `node scripts/slowest-tests.ts [REPORT] [COUNT]` lists the slowest tests of a run, 20 by default.
 * The report is Vitest's JSON: `npm test -- --reporter=default --reporter=json --outputFile.json=reports/vitest.json`.
 */

interface Report {
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; duration?: number | null }[];
  }[];
}

interface Timed {
  /** The path of the file, relative to the repository. */
  file: string;
  name: string;
  /** Milliseconds. */
  duration: number;
}

/** @returns the slowest tests first, at most `count` */
export function slowest({ testResults }: Report, root: string, count: number): Timed[] {
  return testResults
    .flatMap(({ name: file, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({
        file: path.relative(root, file),
        name: fullName,
        duration: duration ?? 0,
      })),
    )
    .sort((a, b) => b.duration - a.duration)
    .slice(0, count);
}

if (import.meta.main) {
  const [file = 'reports/vitest.json', count = '20'] = process.argv.slice(2);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  for (const { file: of, name, duration } of slowest(report, process.cwd(), Number(count)))
    console.log(`${(duration / 1000).toFixed(1).padStart(6)} s  ${of}  ${name}`);
}
