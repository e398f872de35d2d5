import {
  type Moment,
  PairingLine,
  type Place,
  recentEnds,
  type Waiting,
} from '../src/domains/pairing/rules.ts';

/** Who waits in the measurements of pairing: the same in every process. */

export const RULES = { initialGap: 150, gapPerSecond: 10, maxGap: null };
const START = 1_700_000_000_000;

/** Numbers from 0 to 1 (a linear congruence, as in Numerical Recipes). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Ratings in a bell around 1000 with a deviation of 250; joined within the last two minutes, in no order. */
export function arrivals(size: number): Waiting[] {
  const random = seeded(size);
  return Array.from({ length: size }, (_, at) => ({
    playerGuid: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    rating: Math.round(1000 + 250 * Math.sqrt(3) * (random() + random() + random() + random() - 2)),
    joinedAt: START - Math.floor(random() * 120_000),
  }));
}

/** Now; every third met one of the twentieth next above in rating within the last ten minutes: half of all did. */
export function momentOf(waiting: readonly Waiting[]): Moment {
  const random = seeded(1);
  const byRating = waiting.toSorted((a, b) => a.rating - b.rating);
  const meetings = byRating.flatMap(({ playerGuid: redGuid }, at) => {
    const opponent = byRating[at + 1 + Math.floor((random() * waiting.length) / 20)];
    const endedAt = START - Math.floor(random() * 600_000);
    return opponent && at % 3 === 0 ? [{ redGuid, blueGuid: opponent.playerGuid, endedAt }] : [];
  });
  return { now: START, recentEnd: recentEnds(meetings) };
}

/**
 * A queue in which as many wait as before: every second one in a hundred is new, and as many left, paired or
 * not. So that many can wait at all, there are only a few players per thousand points of rating.
 */
export class StandingCrowd {
  readonly #size: number;
  readonly #random = seeded(2);
  readonly #line = new PairingLine<Waiting>(RULES);
  #places: Place<Waiting>[] = [];
  #leaving: Place<Waiting>[] = [];
  #joining: Waiting[] = [];
  #joined = 0;
  #now = START;

  constructor(size: number) {
    this.#size = size;
    for (;;) {
      const missing = size - this.#places.length;
      if (missing <= size / 100) return;
      this.#change(missing);
      this.pairOnesChanged();
    }
  }

  get moment(): Moment {
    return { now: this.#now, recentEnd: () => null };
  }

  /** A second passes. @returns who waits now */
  moveOn(): Waiting[] {
    this.#change(Math.round(this.#size / 100));
    return [...this.#places.map(({ entry }) => entry), ...this.#joining];
  }

  /** What is measured: tells the line what changed, and pairs. */
  pairOnesChanged(): [Waiting, Waiting][] {
    for (const place of this.#leaving) this.#line.remove(place);
    for (const entry of this.#joining) this.#places.push(this.#line.add(entry));
    return this.#line.pair(this.moment).pairs;
  }

  #change(joining: number): void {
    this.#now += 1000;
    this.#places = this.#places.filter(({ state }) => state !== 'gone');
    this.#leaving = [];
    while (this.#places.length + joining > this.#size) {
      const [place] = this.#places.splice(Math.floor(this.#random() * this.#places.length), 1);
      if (place) this.#leaving.push(place);
    }
    this.#joining = Array.from({ length: joining }, () => ({
      playerGuid: String(this.#joined++),
      rating: Math.floor(this.#random() * this.#size * 1500),
      joinedAt: this.#now - Math.floor(this.#random() * 1000),
    }));
  }
}
