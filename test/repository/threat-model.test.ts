import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/threat-model.md'), 'utf8');
const threats = page
  .slice(page.indexOf('## Threats'), page.indexOf('## Not covered'))
  .split('\n')
  .filter((line) => /^\| (?!Threat |---)/.test(line) && !line.startsWith('|---'));

describe('the threat model', () => {
  test('names a test for every threat, and the tests that it names exist', () => {
    expect(threats.length).toBeGreaterThan(30);
    const wrong: string[] = [];
    for (const line of threats) {
      const [threat = '', , shown = ''] = line.split(' | ');
      const named = [...shown.matchAll(/`(test\/[^`]+)`: ([^;|]+)/g)];
      if (named.length === 0) wrong.push(`${threat}: no test`);
      for (const [, file = '', phrase = ''] of named) {
        const found = existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : '';
        if (!found.includes(phrase.trim())) wrong.push(`${file}: ${phrase.trim()}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
