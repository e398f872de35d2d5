import { describe, expect, test } from 'vitest';
import { pacedEnvironment } from './pace.ts';
import { PEOPLE, type Script, scriptOf } from './people.ts';

const told = ({ arrival, connection, match, round }: Script) => ({
  arrival,
  connections: [0, 1, 2].map(connection),
  matches: [1, 2].map(match),
  rounds: [1, 2].flatMap((nth) => [1, 2, 3].map((of) => round(nth, of))),
});

describe('the script of a player', () => {
  test('is the same for the same seed and player, whatever is read of it first', () => {
    const script = scriptOf('seed', 7);
    const late = script.round(2, 3);
    expect(told(script)).toEqual(told(scriptOf('seed', 7)));
    expect(scriptOf('seed', 7).round(2, 3)).toEqual(late);
  });

  test('differs by seed and by player', () => {
    const script = told(scriptOf('seed', 7));
    expect(told(scriptOf('other seed', 7))).not.toEqual(script);
    expect(told(scriptOf('seed', 8))).not.toEqual(script);
  });
});

test('random times have the documented median and maximum', () => {
  const times = Array.from({ length: 2000 }, (_, player) => scriptOf('seed', player).match(1).discardSeconds);
  const sorted = times.toSorted((a, b) => a - b);
  expect(sorted[1000]).toBeGreaterThan(PEOPLE.discard.median * 0.9);
  expect(sorted[1000]).toBeLessThan(PEOPLE.discard.median * 1.1);
  expect(sorted.at(-1)).toBeLessThanOrEqual(PEOPLE.discard.most);
});

test.each([1, 10, 60])(
  'at pace %i no script reaches a limit, so a player who misses one was delayed',
  (pace) => {
    const environment = pacedEnvironment(pace);
    const slowest = {
      JOIN_SECONDS: PEOPLE.join.most,
      DISCARD_SECONDS: PEOPLE.discard.most,
      PICK_SECONDS: PEOPLE.pick.most,
      PREPARE_SECONDS: PEOPLE.download.most + PEOPLE.getReady.most,
      SCORE_GRACE_SECONDS: PEOPLE.finish.most,
      RECONNECT_GRACE_SECONDS: PEOPLE.shortLoss.most,
    };
    for (const [name, seconds] of Object.entries(slowest))
      expect(Number(environment[name]), name).toBeGreaterThan((seconds / pace) * 1.2);
  },
);
