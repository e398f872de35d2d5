import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frozen } from '../../src/platform/frozen.ts';
import { jsonOf } from '../../src/platform/json.ts';

/** Plain JSON with members that are left out, as optional fields are. */
const plainJson = fc.letrec((again) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: false }),
    fc.string({ unit: 'binary' }),
    fc.array(again('value'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,8}$/), fc.option(again('value'), { nil: undefined }), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;

describe('the JSON of plain values', () => {
  test('has the same values as that of JSON.stringify, frozen or not, cached or not', () => {
    fc.assert(
      fc.property(plainJson, (value) => {
        const expected = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(jsonOf(value))).toEqual(expected);
        const part = frozen(value);
        expect(JSON.parse(jsonOf(part))).toEqual(expected);
        expect(JSON.parse(jsonOf({ part, again: [part] }))).toEqual({ part: expected, again: [expected] });
      }),
    );
  });

  test('keeps every character within one byte', () => {
    const names = { name: 'Déjà vu ☃ 東方 🎵', map: frozen({ name: '𝄞"\\\n' }) };
    expect(jsonOf(names)).toMatch(/^[\0-\xff]*$/);
    expect(JSON.parse(jsonOf(names))).toEqual(names);
  });

  test('leaves out members without a value, as JSON does', () => {
    expect(jsonOf({ first: undefined, second: 2, third: undefined })).toBe('{"second":2}');
    expect(jsonOf({ first: undefined })).toBe('{}');
    expect(jsonOf([undefined, Number.NaN])).toBe('[null,null]');
  });
});

describe('a frozen value', () => {
  test('cannot be changed anywhere', () => {
    const match = frozen({ hand: [{ map: { modifiers: ['NF'] } }] });
    expect(() => match.hand.pop()).toThrow(TypeError);
    expect(() => match.hand[0]?.map.modifiers.push('DA')).toThrow(TypeError);
  });
});
