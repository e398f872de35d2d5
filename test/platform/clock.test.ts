import { describe, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';

describe('a new identifier', () => {
  // More than a millisecond has numbers for, so that the next one is begun early too.
  const made = Array.from({ length: 50_000 }, newGuid);

  test('is a UUID of version 7 with the time in front', () => {
    const before = Date.now();
    const one = newGuid();
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(one.replace('-', '').slice(0, 12), 16)).toBeGreaterThanOrEqual(before);
    expect(
      made.every((guid) => guid.length === 36 && guid[14] === '7' && '89ab'.includes(guid[19] ?? '')),
    ).toBe(true);
  });

  test('is greater than the one before, also within a millisecond', () => {
    const wrong = made.findIndex((guid, at) => at > 0 && guid <= (made[at - 1] ?? ''));
    expect(wrong).toBe(-1);
  });

  test('shares its random part with no other', () => {
    expect(new Set(made.map((guid) => guid.slice(19))).size).toBe(made.length);
  });
});
