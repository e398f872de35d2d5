import { expect, test } from 'vitest';
import { line, optionalLine, remark } from '../../src/platform/http/text.ts';

const breaks = {
  'line feed': '\n',
  'carriage return': '\r',
  'line separator': '\u2028',
  'paragraph separator': '\u2029',
};

test.each(Object.entries(breaks))(
  'a %s is not allowed in one line, and is allowed in a remark',
  (_name, character) => {
    const text = `one${character}two`;
    expect(line(20).safeParse(text).success).toBe(false);
    expect(optionalLine(20).safeParse(text).success).toBe(false);
    expect(remark(20).parse(text)).toBe(text);
  },
);

test('other control characters and broken characters are allowed in neither', () => {
  for (const character of ['\0', '\u0007', '\u0085', '\ud800']) {
    expect(line(20).safeParse(`one${character}`).success).toBe(false);
    expect(remark(20).safeParse(`one${character}`).success).toBe(false);
  }
});

test('a line is trimmed and composed, and an optional one of only spaces is null', () => {
  expect(line(20).parse('  Cafe\u0301 ')).toBe('Café');
  expect(optionalLine(20).parse('   ')).toBeNull();
  expect(line(20).safeParse('   ').success).toBe(false);
});
