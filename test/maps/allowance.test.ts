import { expect, test } from 'vitest';
import { pauseOf } from '../../src/domains/maps/allowance.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const inSeconds = (seconds: number) => NOW / 1000 + seconds;
const dateIn = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString();

test.each<[string, number, Record<string, string>, number]>([
  ['nothing said', 200, {}, 0],
  ['seconds', 429, { 'retry-after': '7' }, 7_000],
  ['a date', 429, { 'retry-after': dateIn(7) }, 7_000],
  ['a date that is past', 429, { 'retry-after': dateIn(-7) }, 5_000],
  ['a date that is past, not over the limit', 503, { 'retry-after': dateIn(-7) }, 0],
  [
    'over, with an end that is past',
    429,
    { 'rate-limit-remaining': '0', 'rate-limit-reset': String(inSeconds(-1)) },
    5_000,
  ],
  ['no time to wait', 429, { 'retry-after': '0' }, 0],
  ['unavailable for some seconds', 503, { 'retry-after': '3' }, 3_000],
  ['nonsense', 429, { 'retry-after': 'soon' }, 5_000],
  ['a negative number', 429, { 'retry-after': '-5' }, 5_000],
  ['over the limit and nothing more', 429, {}, 5_000],
  ['a year', 429, { 'retry-after': '31536000' }, 3_600_000],
  ['seconds that would be an instant', 429, { 'retry-after': '1000000000' }, 3_600_000],
  ['seconds that would be one in milliseconds', 503, { 'retry-after': String(NOW + 2_500) }, 3_600_000],
  ['some left', 200, { 'rate-limit-remaining': '1', 'rate-limit-reset': String(inSeconds(9)) }, 0],
  ['none left', 200, { 'rate-limit-remaining': '0', 'rate-limit-reset': String(inSeconds(9)) }, 9_000],
  ['a window that ended', 200, { 'rate-limit-remaining': '0', 'rate-limit-reset': String(inSeconds(-1)) }, 0],
  [
    'over, with its end',
    429,
    { 'rate-limit-remaining': '0', 'rate-limit-reset': String(inSeconds(4)) },
    4_000,
  ],
  [
    'both, the later',
    429,
    { 'retry-after': '2', 'rate-limit-remaining': '0', 'rate-limit-reset': String(inSeconds(4)) },
    4_000,
  ],
  ['seconds to wait', 200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '6' }, 6_000],
  ['another name', 200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(inSeconds(5)) }, 5_000],
  [
    'milliseconds since 1970',
    200,
    { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(NOW + 2_500) },
    2_500,
  ],
  ['the fields of a draft', 200, { ratelimit: 'limit=10, remaining=0, reset=8' }, 8_000],
  ['those of a later one', 200, { ratelimit: '"default";r=0;t=3' }, 3_000],
  ['those, with some left', 200, { ratelimit: '"default";r=2;t=3' }, 0],
  ['none left, and no end', 200, { 'rate-limit-remaining': '0' }, 0],
])('%s', (_what, status, headers, expected) => {
  expect(pauseOf(status, new Headers(headers), NOW)).toBe(expected);
});

test('instants are compared by the clock that wrote them', () => {
  const ahead = { date: dateIn(3_000), 'retry-after': dateIn(3_010) };
  expect(pauseOf(429, new Headers(ahead), NOW)).toBe(10_000);
});
