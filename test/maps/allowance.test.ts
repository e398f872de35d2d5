import { expect, test } from 'vitest';
import { pauseOf } from '../../src/domains/maps/allowance.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const inSeconds = (seconds: number) => NOW / 1000 + seconds;
const dateIn = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString();

test.each<[string, number, Record<string, string>, number]>([
  ['no limit in it', 200, {}, 0],
  ['seconds in Retry-After', 429, { 'retry-after': '7' }, 7_000],
  ['a date in Retry-After', 429, { 'retry-after': dateIn(7) }, 7_000],
  ['a past date in Retry-After and 429', 429, { 'retry-after': dateIn(-7) }, 5_000],
  ['a past date in Retry-After and 503', 503, { 'retry-after': dateIn(-7) }, 0],
  [
    '429 and a window that has ended',
    429,
    { 'rate-limit-remaining': '0', 'rate-limit-reset': String(inSeconds(-1)) },
    5_000,
  ],
  ['zero seconds in Retry-After', 429, { 'retry-after': '0' }, 0],
  ['seconds in Retry-After and 503', 503, { 'retry-after': '3' }, 3_000],
  ['a word in Retry-After', 429, { 'retry-after': 'soon' }, 5_000],
  ['a negative number in Retry-After', 429, { 'retry-after': '-5' }, 5_000],
  ['429 alone', 429, {}, 5_000],
  ['a year in Retry-After', 429, { 'retry-after': '31536000' }, 3_600_000],
  ['as many seconds in Retry-After as since 1970', 429, { 'retry-after': '1000000000' }, 3_600_000],
  ['as many as milliseconds since 1970', 503, { 'retry-after': String(NOW + 2_500) }, 3_600_000],
  ['requests left', 200, { 'rate-limit-remaining': '1', 'rate-limit-reset': String(inSeconds(9)) }, 0],
  ['no requests left', 200, { 'rate-limit-remaining': '0', 'rate-limit-reset': String(inSeconds(9)) }, 9_000],
  [
    'a window that has ended',
    200,
    { 'rate-limit-remaining': '0', 'rate-limit-reset': String(inSeconds(-1)) },
    0,
  ],
  [
    '429 and the end of the window',
    429,
    { 'rate-limit-remaining': '0', 'rate-limit-reset': String(inSeconds(4)) },
    4_000,
  ],
  [
    'Retry-After and a window that ends later',
    429,
    { 'retry-after': '2', 'rate-limit-remaining': '0', 'rate-limit-reset': String(inSeconds(4)) },
    4_000,
  ],
  ['a window that ends in some seconds', 200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '6' }, 6_000],
  [
    'headers named X-RateLimit',
    200,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(inSeconds(5)) },
    5_000,
  ],
  [
    'an end in milliseconds since 1970',
    200,
    { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(NOW + 2_500) },
    2_500,
  ],
  ['the RateLimit header of an early draft', 200, { ratelimit: 'limit=10, remaining=0, reset=8' }, 8_000],
  ['the RateLimit header of a later draft', 200, { ratelimit: '"default";r=0;t=3' }, 3_000],
  ['a RateLimit header with requests left', 200, { ratelimit: '"default";r=2;t=3' }, 0],
  ['no requests left and no end', 200, { 'rate-limit-remaining': '0' }, 0],
])('the pause after an answer with %s', (_what, status, headers, expected) => {
  expect(pauseOf(status, new Headers(headers), NOW)).toBe(expected);
});

test('a date in Retry-After is compared with the date of the same answer', () => {
  const ahead = { date: dateIn(3_000), 'retry-after': dateIn(3_010) };
  expect(pauseOf(429, new Headers(ahead), NOW)).toBe(10_000);
});
