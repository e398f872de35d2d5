import type { Waiting } from '../src/domains/pairing/rules.ts';
import { type Claim, inOwnProcess, measure, timeRatio } from './harness.ts';
import { arrivals } from './pairing-crowds.ts';
import { byTheRules, longestFirstNearestFree, neighbours, SIZES, variants } from './pairing-variants.ts';

/** Pairing with all its rules: what they cost, and what they cost in rating gap. */
export async function bench(): Promise<Claim[]> {
  const rates = await measure(
    'Pairing: a pass over everybody who waits',
    Object.keys(variants).map((name) => inOwnProcess('pairing-variants.ts', name)),
  );
  return SIZES.flatMap((size) => {
    const waiting = arrivals(size);
    const gaps = {
      rules: meanGap(byTheRules(waiting)),
      plain: meanGap(longestFirstNearestFree(waiting)),
      ideal: meanGap(neighbours(waiting)),
    };
    const shown = (points: number) => points.toFixed(4);
    return [
      {
        text: `${size} waiting: time with all rules ÷ sorting and pairing neighbours`,
        measured: timeRatio(rates, `${size}: all rules`, `${size}: sort, pair neighbours`),
        atMost: 3,
      },
      {
        text:
          `${size} waiting: mean gap with all rules (${shown(gaps.rules)}) ÷ longest first, ` +
          `nearest free (${shown(gaps.plain)}); neighbours: ${shown(gaps.ideal)}`,
        measured: gaps.rules / gaps.plain,
        atMost: 1.1,
      },
      {
        text: `${size} waiting: time of a tick with 1 % change ÷ a full one`,
        measured: timeRatio(rates, `${size}: tick with 1 % change`, `${size}: full tick`),
        atMost: 0.2,
      },
    ];
  });
}

function meanGap(pairs: readonly [Waiting, Waiting][]): number {
  return pairs.reduce((sum, [a, b]) => sum + Math.abs(a.rating - b.rating), 0) / pairs.length;
}
