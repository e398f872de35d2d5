/** Numbers that look random and are the same on every run. */
export interface Random {
  /** From 0 to below 1, all equally likely. */
  even(): number;
  /** From the bell curve with middle 0 and deviation 1. */
  bell(): number;
  /** Waiting times of what may happen at any moment: the mean is 1. */
  lapse(): number;
}

/** A generator for one purpose (mulberry32, Tommy Ettinger, public domain). */
export function seeded(seed: number): Random {
  let state = seed;
  const even = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const lapse = () => -Math.log(1 - even());
  // Box and Muller.
  const bell = () => Math.sqrt(2 * lapse()) * Math.cos(2 * Math.PI * even());
  return { even, bell, lapse };
}
