import { expect, test } from 'vitest';
import { RemainingTime } from '../../src/platform/http/remaining-time.ts';
import { BOUNDS } from '../../src/platform/limits.ts';

const SECOND = 1000;
const KIB = 1024;

const remainingOfUploads = (): RemainingTime => {
  const remaining = new RemainingTime({
    allowanceMs: BOUNDS.uploadAllowance.value,
    mostMs: BOUNDS.uploadSilence.value,
    bytesPerSecond: BOUNDS.uploadRate.value,
  });
  remaining.start(0);
  return remaining;
};

/** When an upload is given up that brings so many bytes every so often; null: not within an hour. */
function givenUpAt(remaining: RemainingTime, from: number, everyMs: number, bytes: number): number | null {
  for (let at = from; at <= 3600 * SECOND; at += everyMs) {
    if (remaining.left(at) <= 0) return at;
    remaining.came(bytes, at);
  }
  return null;
}

test('a silent sender has the allowance; one at the minimum rate is never cancelled', () => {
  expect(remainingOfUploads().left(30 * SECOND)).toBe(0);
  expect(givenUpAt(remainingOfUploads(), SECOND, SECOND, BOUNDS.uploadRate.value)).toBe(null);
});

test('a sender below the minimum rate is cancelled when the allowance is used', () => {
  expect(givenUpAt(remainingOfUploads(), SECOND, SECOND, 1)).toBe(31 * SECOND);
  expect(givenUpAt(remainingOfUploads(), SECOND, SECOND, 4 * KIB)).toBe(59 * SECOND);
});

test('a sender that stops has the time its bytes have earned, two minutes at most', () => {
  const half = remainingOfUploads();
  half.came(512 * KIB, 0);
  expect(half.left(0)).toBe(94 * SECOND);
  const large = remainingOfUploads();
  large.came(50 * KIB * KIB, 0);
  expect(large.left(0)).toBe(120 * SECOND);
});

test('time in which the service does not read the body does not count', () => {
  const remaining = remainingOfUploads();
  remaining.stop(10 * SECOND);
  expect(remaining.left(1000 * SECOND)).toBe(20 * SECOND);
  remaining.start(1000 * SECOND);
  expect(remaining.left(1005 * SECOND)).toBe(15 * SECOND);
});

test('a sender under the short limit builds up no credit', () => {
  const remaining = remainingOfUploads();
  remaining.shortenSilence(10 * SECOND, 5 * SECOND);
  expect(remaining.left(5 * SECOND)).toBe(10 * SECOND);
  remaining.came(KIB * KIB, 6 * SECOND);
  expect(remaining.left(6 * SECOND)).toBe(10 * SECOND);
});

test('bytes that arrived while the process was suspended keep the upload alive', () => {
  const remaining = remainingOfUploads();
  remaining.came(64 * KIB, 40 * SECOND);
  expect(remaining.left(40 * SECOND)).toBe(8 * SECOND);
});

test('the rate is a moving average: an old burst does not count, and a new upload is not slow', () => {
  const [burst, steady, young] = [remainingOfUploads(), remainingOfUploads(), new RemainingTime({ ...BASE })];
  burst.came(512 * KIB, SECOND);
  for (let at = SECOND; at <= 30 * SECOND; at += SECOND) steady.came(32 * KIB, at);
  young.start(30 * SECOND);
  young.came(64 * KIB, 30 * SECOND);
  const rates = [burst, steady, young].map((remaining) => remaining.rate(30 * SECOND));
  expect(rates[0]).toBeLessThan(5 * KIB);
  expect(rates[1]).toBeGreaterThan(30 * KIB);
  expect(rates[1]).toBeLessThan(40 * KIB);
  expect(rates[2]).toBeGreaterThan(60 * KIB);
  expect(new RemainingTime({ ...BASE }).rate(0)).toBe(0);
});

const BASE = { allowanceMs: SECOND, mostMs: SECOND, bytesPerSecond: 1 };
