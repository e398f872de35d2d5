import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AdmissionLine, createAdmissionLine } from '../../src/platform/admission-line.ts';
import { OutOfReach } from '../../src/platform/database/out-of-reach.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** On a node whose event loop has time. */
const idleLine = () => createAdmissionLine({ loopShare: () => 0 });
const sleep: Sleep = (ms) => new Promise((resolve) => void setTimeout(resolve, ms));
/** Turns that end when the test says so. */
function heldTurns() {
  const begun: string[] = [];
  const held: (() => void)[] = [];
  return {
    begun,
    work: (subject: string) => () => {
      begun.push(subject);
      return new Promise<void>((resolve) => void held.push(resolve));
    },
    /** Ends the turns that run, and lets the next ones begin. */
    end: async (): Promise<void> => {
      for (const end of held.splice(0)) end();
      await vi.advanceTimersByTimeAsync(1);
    },
  };
}

type Sleep = (ms: number) => Promise<void>;

/**
 * Sleep for a large crowd: only the first to wake has a timer, because fake timers search all pending timers at every
 * step.
 */
function crowdSleep(): Sleep {
  /** The first to wake first. */
  const sleepers: { at: number; wake: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const setAlarm = (): void => {
    clearTimeout(timer);
    const [first] = sleepers;
    if (first !== undefined) timer = setTimeout(ring, first.at - performance.now());
  };
  const ring = (): void => {
    const asleep = sleepers.findIndex(({ at }) => at > performance.now());
    for (const { wake } of sleepers.splice(0, asleep < 0 ? sleepers.length : asleep)) wake();
    setAlarm();
  };
  return (ms) =>
    new Promise((wake) => {
      const at = performance.now() + Math.max(1, Math.trunc(ms));
      const place = sleepers.findLastIndex((one) => one.at <= at) + 1;
      sleepers.splice(place, 0, { at, wake });
      if (place === 0) setAlarm();
    });
}

/** Lets so many players come, one every so many milliseconds. */
async function arrive(
  sleep: Sleep,
  count: number,
  everyMs: number,
  come: (subject: string) => Promise<void>,
): Promise<void> {
  const begunAt = performance.now();
  const crowd: Promise<void>[] = [];
  for (const [nth, subject] of names(count).entries()) {
    await sleep(begunAt + nth * everyMs - performance.now());
    crowd.push(come(subject));
  }
  await Promise.all(crowd);
}

const names = (count: number, kind = 'player'): string[] =>
  Array.from({ length: count }, (_, nth) => `${kind} ${nth}`);
const refusalOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'let in',
    (error: unknown) => error,
  );

describe('a line', () => {
  test('admits a limited number at once, and the others in the order of arrival', async () => {
    const line = idleLine();
    const turns = heldTurns();
    const all = names(30);
    const asked = all.map((subject) => line.admit(subject, turns.work(subject)));
    expect(turns.begun).toEqual(all.slice(0, 12));
    expect(line.waiting()).toBe(18);
    while (line.waiting() > 0) await turns.end();
    expect(turns.begun).toEqual(all);
    await turns.end();
    await Promise.all(asked);
  });

  test('starts the next turn after the follow-up work of the one before; that work does not wait', async () => {
    const line = idleLine();
    const turns = heldTurns();
    const following = names(12, 'seat').map((seat) => line.follow(turns.work(seat)));
    const one = line.follow(turns.work('one more'));
    expect(turns.begun).toHaveLength(13);
    const asked = line.admit('newcomer', turns.work('newcomer'));
    expect(turns.begun).toHaveLength(13);
    await turns.end();
    expect(turns.begun).toContain('newcomer');
    await turns.end();
    await Promise.all([...following, one, asked]);
  });

  test('gives a later connection of a player the place of the earlier one', async () => {
    const line = idleLine();
    const turns = heldTurns();
    const busy = names(12).map((subject) => line.admit(subject, turns.work(subject)));
    const early = refusalOf(line.admit('Anna', turns.work('Anna, early')));
    const other = line.admit('Bert', turns.work('Bert'));
    const late = line.admit('Anna', turns.work('Anna, late'));
    expect(line.waiting()).toBe(2);
    expect(await early).toMatchObject({ name: 'OutOfReach', retryAfterMs: null });
    await turns.end();
    expect(turns.begun.slice(12)).toEqual(['Anna, late', 'Bert']);
    await turns.end();
    await Promise.all([...busy, other, late]);
  });

  test('passes on the error of a turn, and continues', async () => {
    const line = idleLine();
    const gone = new OutOfReach(new Error('full'));
    const failing = names(40).map((subject) => refusalOf(line.admit(subject, () => Promise.reject(gone))));
    expect(new Set(await Promise.all(failing))).toEqual(new Set([gone]));
    expect(line.waiting()).toBe(0);
  });
});

describe('when turns are slow', () => {
  /** Keeps the line full for so long. */
  const crowd = async (line: AdmissionLine, turnMs: number, forMs: number) => {
    const until = performance.now() + forMs;
    const come = async (subject: string) => {
      while (performance.now() < until) {
        const answer = await refusalOf(line.admit(subject, () => sleep(turnMs)));
        if (answer instanceof OutOfReach) await sleep(answer.retryAfterMs ?? 0);
      }
    };
    const done = Promise.all(names(30).map(come));
    await vi.advanceTimersByTimeAsync(forMs + 10_000);
    await done;
  };

  test('fewer run at once, and more again when they are quick', async () => {
    const line = idleLine();
    await crowd(line, 300, 10_000);
    expect(line.atOnce()).toBe(2);
    await crowd(line, 100, 3000);
    expect(line.atOnce()).toBe(12);
  });

  test('and no turn ends, everybody gets a time to come back within the bound', async () => {
    const line = idleLine();
    const turns = heldTurns();
    const held = names(12, 'held').map((subject) => line.admit(subject, turns.work(subject)));
    const waiting = names(100).map((subject) => refusalOf(line.admit(subject, turns.work(subject))));
    await vi.advanceTimersByTimeAsync(5250);
    for (const refusal of await Promise.all(waiting))
      expect(refusal).toMatchObject({ name: 'OutOfReach', retryAfterMs: expect.any(Number) });
    expect(line.waiting()).toBe(0);
    expect(turns.begun).toHaveLength(12);
    await turns.end();
    await Promise.all(held);
  });
});

describe('players who are put off', () => {
  test('get times in order, come back at them and are all admitted, before newcomers', async () => {
    const line = idleLine();
    const [turnMs, players] = [200, 600];
    const waits: number[][] = [];
    const told: number[] = [];
    let longestMs = 0;
    const come = async (subject: string): Promise<void> => {
      const refused: number[] = [];
      waits.push(refused);
      for (;;) {
        const askedAt = performance.now();
        const answer = await refusalOf(line.admit(subject, () => sleep(turnMs)));
        longestMs = Math.max(longestMs, performance.now() - askedAt);
        if (answer === 'let in') break;
        const { retryAfterMs } = answer as OutOfReach;
        if (refused.length === 0) told.push(performance.now() + Number(retryAfterMs));
        refused.push(Number(retryAfterMs));
        await sleep(Number(retryAfterMs));
      }
      await line.follow(() => sleep(turnMs));
    };
    const crowd = names(players).map(come);
    // Meanwhile others come for the first time.
    const trickle = names(40, 'newcomer').map(async (subject, nth) => {
      await sleep(nth * 500);
      return come(subject);
    });
    const startedAt = performance.now();
    let doneMs = 0;
    const all = Promise.all([...crowd, ...trickle]).then(() => {
      doneMs = performance.now() - startedAt;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await all;
    expect(told.length).toBeGreaterThan(300);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    // It is looked every 250 ms who waits too long.
    expect(longestMs).toBeLessThanOrEqual(5000 + 250 + turnMs);
    // Twelve at once and two turns for each: 30 a second.
    expect(doneMs).toBeLessThan(((players + 40) / 30) * 1000 * 1.3);
    expect(waits.filter((refused) => refused.length > 3)).toEqual([]);
  });

  test('do not all get the longest time after a slow moment: the line stays neither empty nor crowded', async () => {
    const line = idleLine();
    const sleep = crowdSleep();
    const [players, slowMs] = [1500, 8000];
    const startedAt = performance.now();
    const since = () => performance.now() - startedAt;
    const turn = () => sleep(since() < slowMs ? 1500 : 20);
    const inAfterMs: number[] = [];
    const come = async (subject: string): Promise<void> => {
      for (;;) {
        const answer = await refusalOf(line.admit(subject, turn));
        if (answer === 'let in') break;
        await sleep(Number((answer as OutOfReach).retryAfterMs));
      }
      await line.follow(turn);
      inAfterMs.push(since());
    };
    const crowd = arrive(sleep, players, 10_000 / players, come);
    await vi.advanceTimersByTimeAsync(150_000);
    await crowd;
    // A rate that was measured in the slow moment must not send a fifth of them away until the last second.
    expect(inAfterMs.filter((ms) => ms > 60_000).length).toBeLessThan(players / 10);
  });

  test('keep their turn when they come too early', async () => {
    const line = idleLine();
    const held = names(12, 'held').map((subject) => line.admit(subject, () => sleep(60_000)));
    /** So many that those who come after them are told soon. */
    const crowd = (name: string) =>
      names(1000, name).map((subject) => refusalOf(line.admit(subject, () => sleep(1))));
    const first = crowd('first');
    /** When somebody is to come back, by `performance.now()`. */
    const turnOf = async (subject: string): Promise<number> => {
      let turn: number | undefined;
      void refusalOf(line.admit(subject, () => sleep(1))).then((refusal) => {
        turn = performance.now() + Number((refusal as OutOfReach).retryAfterMs);
      });
      while (turn === undefined) await vi.advanceTimersByTimeAsync(50);
      return turn;
    };
    await vi.advanceTimersByTimeAsync(2000);
    const promised = await turnOf('Anna');
    expect(await turnOf('Bert')).toBeGreaterThan(promised);
    const second = crowd('second');
    expect(await turnOf('Anna')).toBe(promised);
    await vi.advanceTimersByTimeAsync(60_000);
    await Promise.all([...held, ...first, ...second]);
  });
});

describe('while the event loop is busy', () => {
  test('few of a crowd are admitted, the others soon get a time to come back, and all are in soon after', async () => {
    const sleep = crowdSleep();
    const [players, busyMs, turnMs] = [2000, 4000, 10];
    const startedAt = performance.now();
    const since = () => performance.now() - startedAt;
    const line = createAdmissionLine({ loopShare: () => (since() < busyMs ? 1 : 0.5) });
    const waits: number[] = [];
    const inAfterMs: number[] = [];
    const come = async (subject: string): Promise<void> => {
      for (;;) {
        const askedAt = since();
        const answer = await refusalOf(line.admit(subject, () => sleep(turnMs)));
        waits.push(since() - askedAt);
        if (answer === 'let in') break;
        await sleep(Number((answer as OutOfReach).retryAfterMs));
      }
      inAfterMs.push(since());
    };
    const crowd = arrive(sleep, players, busyMs / players, come);
    await vi.advanceTimersByTimeAsync(20_000);
    await crowd;
    // A hundred a second, and those who came before the loop was found busy.
    expect(inAfterMs.filter((ms) => ms < busyMs).length).toBeLessThan(800);
    expect(inAfterMs.filter((ms) => ms < busyMs).length).toBeGreaterThan(300);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5250 + turnMs);
    // 250 a second are assumed, because nothing can be measured in that time.
    expect(Math.max(...inAfterMs)).toBeLessThan(15_000);
  });

  test('a line without a crowd is as quick as ever', async () => {
    const line = createAdmissionLine({ loopShare: () => 1 });
    const startedAt = performance.now();
    for (const subject of names(20)) {
      const asked = line.admit(subject, () => sleep(1));
      await vi.advanceTimersByTimeAsync(100);
      await asked;
    }
    expect(performance.now() - startedAt).toBe(2000);
    expect(line.aSecond()).toBe(1000);
  });
});
