import { expect, test } from 'vitest';
import {
  admit,
  afterFailure,
  afterRequest,
  type Breaker,
  closedBreaker,
} from '../../src/domains/maps/breaker.ts';

const failing = (times: number, breaker: Breaker = closedBreaker, now = 0): Breaker =>
  times === 0 ? breaker : failing(times - 1, afterFailure(breaker, now), now);
/** A breaker after a request that it lets through. */
const asked = (breaker: Breaker, now: number): Breaker => {
  expect(admit(breaker, now)).toBe('go');
  return afterRequest(breaker, now);
};

test('the fifth failure in a row opens the breaker for five seconds', () => {
  expect(admit(failing(4), 0)).toBe('go');
  expect(admit(failing(5), 0)).toBe('refuse');
  expect(admit(failing(5), 4_999)).toBe('refuse');
  expect(admit(failing(5), 5_000)).toBe('go');
});

test('after that time one probe is sent, and other requests wait for its result', () => {
  const probing = asked(failing(5), 5_000);
  expect(probing.state).toBe('half_open');
  expect(admit(probing, 5_001)).toBe('wait');
});

test('each failed probe opens the breaker for longer, 30 s at most', () => {
  let breaker = failing(5);
  let now = 0;
  const lengths: number[] = [];
  for (let opening = 0; opening < 5; opening++) {
    expect(admit(breaker, now)).toBe('refuse');
    lengths.push(breaker.until - now);
    now = breaker.until;
    breaker = afterFailure(asked(breaker, now), now);
  }
  expect(lengths).toEqual([5_000, 10_000, 20_000, 30_000, 30_000]);
});

test('failures of requests that were running when the breaker opened do not count', () => {
  expect(failing(5, failing(5))).toEqual(failing(5));
});

test('after a probe without a result another one is sent', () => {
  const probing = asked(failing(5), 5_000);
  expect(admit(probing, 60_000)).toBe('go');
});

test('a clock that was set back lets the next probe through', () => {
  expect(admit(failing(5, closedBreaker, 3_600_000), 0)).toBe('go');
});
