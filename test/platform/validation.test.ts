import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newSeason } from '../../src/domains/seasons/schemas.ts';
import { firstSentence } from '../../src/platform/validation.ts';

const SOURCES = path.resolve(import.meta.dirname, '../../src');
const WRONG: readonly unknown[] = [
  ...[undefined, null, '', ' ', 'x', 'x'.repeat(5000), '\0', -1, 1.5, 1e9, Number.NaN, true],
  ...[[], ['x'], [1, 1], Array(500).fill('x'), {}, { nothing: 1 }, { nothing: 1, more: 2 }],
];
/** Words that only who wrote the library understands. */
const JARGON =
  /invalid|expected|received|unrecognized|too (small|big)|undefined|nan\b|>=|<=|regex|pattern|input/i;

/** Every shape that the domains export, and those of commands of the socket. */
async function shapes(): Promise<[string, z.ZodType][]> {
  const files = globSync('{domains/*/{schemas,events},platform/http/{schemas,staff}}.ts', { cwd: SOURCES });
  const all: [string, z.ZodType][] = [];
  for (const file of files) {
    const exported = (await import(path.join(SOURCES, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (value instanceof z.ZodType) all.push([`${file} ${name}`, value]);
      if (name !== 'toServer') continue;
      for (const [event, { payload }] of Object.entries(value as Record<string, { payload: z.ZodType }>))
        all.push([`${file} ${event}`, payload]);
    }
  }
  return all;
}

/** Wrong values as a whole, then each wrong value at each name. */
function* wrongValues(shape: z.ZodType): Generator<unknown> {
  yield* WRONG;
  const fields = 'shape' in shape ? Object.keys(shape.shape as object) : [];
  for (const field of fields) for (const wrong of WRONG) yield { [field]: wrong };
}

test('every schema gives a sentence that names the field and what is wrong', async () => {
  const all = await shapes();
  expect(all.length).toBeGreaterThan(100);
  const sentences = new Set<string>();
  const bad: [shape: string, sentence: string][] = [];
  for (const [name, shape] of all)
    for (const wrong of wrongValues(shape)) {
      const { error } = shape.safeParse(wrong);
      for (const issue of error?.issues ?? []) {
        const sentence = firstSentence(new z.core.$ZodRealError([issue]));
        sentences.add(sentence);
        const named = issue.path.length === 0 ? 'The payload' : issue.path.join('.');
        const isGood =
          sentence.startsWith(`${named} `) &&
          !JARGON.test(sentence.slice(named.length)) &&
          /[a-z"\])0-9]\.$/i.test(sentence) &&
          sentence.length < 400;
        if (!isGood) bad.push([name, sentence]);
      }
    }
  expect(bad).toEqual([]);
  expect(sentences.size).toBeGreaterThan(50);
});

test.each<[unknown, string]>([
  [{}, 'name is missing.'],
  [{ name: '' }, 'name must not be empty.'],
  [{ name: 'a', limit: 0 }, 'limit must be at least 1.'],
  [{ name: 'a', limit: 'x' }, 'limit must be a number.'],
  [{ name: 'a', limit: 1.5 }, 'limit must be a whole number.'],
  [{ name: 'a', kind: 'c' }, 'kind must be one of a, b.'],
  [{ name: 'a', id: 'x' }, 'id must be a UUID.'],
  [{ name: 'a', list: [1] }, 'list.0 must be text.'],
  [{ name: 'a', list: ['a', 'b', 'c'] }, 'list must have at most 2 entries.'],
  [{ name: 'abcdef' }, 'name must have at most 5 characters.'],
  [{ name: 'a', at: 'x' }, 'at must be a time such as 2026-03-01T12:00:00Z.'],
  [{ name: 'a', color: 'x' }, 'color must be #RRGGBB.'],
  [{ name: 'a', foo: 1 }, 'The body has an unknown field: "foo".'],
  [{ name: 'a', foo: 1, bar: 2, baz: 3 }, 'The body has unknown fields: "foo" and 2 others.'],
  [[], 'The body must be an object.'],
  [undefined, 'The body is missing.'],
])('%j: %s', (value, sentence) => {
  const shape = z.strictObject({
    name: z.string().min(1).max(5),
    limit: z.int().min(1).optional(),
    kind: z.enum(['a', 'b']).optional(),
    id: z.guid().optional(),
    list: z.array(z.string()).max(2).optional(),
    at: z.iso.datetime().optional(),
    color: z.string().regex(/^#/, 'must be #RRGGBB').optional(),
  });
  const { error } = shape.safeParse(value);
  expect(firstSentence(error as z.core.$ZodError, 'body')).toBe(sentence);
});

test('the message about a large invalid value is short', () => {
  const much = Object.fromEntries(
    Array.from({ length: 32_768 }, (_, n) => [`key ${n} ${'x'.repeat(100)}`, n]),
  );
  const { error } = z.strictObject({}).safeParse(much);
  const sentence = firstSentence(error as z.core.$ZodError);
  expect(sentence).toMatch(/^The payload has unknown fields: "key 0 x+…" and 32767 others\.$/);
  expect(sentence.length).toBeLessThan(150);
});

test('a text that is no time gets one message only', () => {
  const { error } = newSeason.safeParse({ name: 'Winter', startsAt: '2026-01-01T00:00:00Z', endsAt: 'x' });
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['endsAt', 'must be a time such as 2026-03-01T12:00:00Z'],
  ]);
});
