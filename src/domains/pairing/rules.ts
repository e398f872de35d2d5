/**
 * Who plays whom: a pure function from the waiting players and the time to pairs.
 *
 * The longest waiter is served first, with the nearest rating among those where the gap is within both
 * windows. A window is `initialGap + gapPerSecond × seconds waited`, at most `maxGap`.
 * With the defaults (150 + 10 a second) a player of 1000 who waits 20 s accepts 650…1350.
 */

export interface PairingRules {
  initialGap: number;
  gapPerSecond: number;
  /** null: the window grows without end, so an outlier finds somebody in the end. */
  maxGap: number | null;
}

export interface Waiting {
  playerGuid: string;
  rating: number;
  /** Since when, milliseconds since 1970. */
  joinedAt: number;
}

export interface Pairing<W extends Waiting> {
  /** The one who waited longer first. */
  pairs: [W, W][];
}

export interface PairingOptions {
  rules: PairingRules;
  now: number;
  /** When the last match of these two ended, if that is within the rematch time; else null. */
  recentEnd(a: string, b: string): number | null;
}

/** Whom nobody else was in range of for this long may meet a recent opponent again. */
export const REMATCH_WAY_OUT_MS = 60_000;

/** The rating gap a player accepts after waiting `waitingMs`. */
export function windowAfter(rules: PairingRules, waitingMs: number): number {
  const gap = rules.initialGap + (rules.gapPerSecond * Math.max(0, waitingMs)) / 1000;
  return rules.maxGap === null ? gap : Math.min(gap, rules.maxGap);
}

/** Pairs as many as the rules allow; who is in no pair goes on waiting. */
export function pair<W extends Waiting>(waiting: readonly W[], options: PairingOptions): Pairing<W> {
  const { rules, now, recentEnd } = options;
  const byRating = [...waiting].sort((a, b) => a.rating - b.rating || a.joinedAt - b.joinedAt);
  const windows = byRating.map((entry) => windowAfter(rules, now - entry.joinedAt));
  const free = new FreeNeighbours(byRating.length);
  const longestFirst = byRating
    .map((_, at) => at)
    .sort((a, b) => entryAt(byRating, a).joinedAt - entryAt(byRating, b).joinedAt || a - b);

  /** A recent opponent is acceptable once both have had nobody else in range for a minute. */
  const mayMeetAgain = (a: W, b: W, endedAt: number) =>
    // Who still waits had nobody else in range: the longest waiter is served first with anybody there is.
    now - Math.max(a.joinedAt, b.joinedAt, endedAt) >= REMATCH_WAY_OUT_MS;

  const opponentOf = (at: number): number | null => {
    const self = entryAt(byRating, at);
    const own = windows[at] ?? 0;
    let recent: number | null = null;
    for (const candidate of free.outwards(at, (other) =>
      Math.abs(entryAt(byRating, other).rating - self.rating),
    )) {
      const opponent = entryAt(byRating, candidate);
      const gap = Math.abs(opponent.rating - self.rating);
      if (gap > own) break;
      if (gap > (windows[candidate] ?? 0)) continue;
      const endedAt = recentEnd(self.playerGuid, opponent.playerGuid);
      if (endedAt === null) return candidate;
      if (recent === null && mayMeetAgain(self, opponent, endedAt)) recent = candidate;
    }
    return recent;
  };

  const pairs: [W, W][] = [];
  for (const at of longestFirst) {
    if (!free.has(at)) continue;
    const opponent = opponentOf(at);
    if (opponent === null) continue;
    free.take(at);
    free.take(opponent);
    pairs.push([entryAt(byRating, at), entryAt(byRating, opponent)]);
  }
  return { pairs };
}

function entryAt<W>(entries: readonly W[], at: number): W {
  const entry = entries[at];
  if (entry === undefined) throw new RangeError(`There is no entry ${at}.`);
  return entry;
}

/** Positions in a sorted line of which some are taken: the free neighbours of one, in one step each. */
class FreeNeighbours {
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  readonly #taken: Uint8Array;

  constructor(length: number) {
    this.#left = Int32Array.from({ length }, (_, at) => at - 1);
    this.#right = Int32Array.from({ length }, (_, at) => (at + 1 < length ? at + 1 : -1));
    this.#taken = new Uint8Array(length);
  }

  has(at: number): boolean {
    return this.#taken[at] === 0;
  }

  /** A taken position is unhooked, so that its neighbours see each other. */
  take(at: number): void {
    const left = this.#left[at] ?? -1;
    const right = this.#right[at] ?? -1;
    if (left >= 0) this.#right[left] = right;
    if (right >= 0) this.#left[right] = left;
    this.#taken[at] = 1;
  }

  /** The free positions around one, nearest first. */
  *outwards(at: number, distance: (other: number) => number): Generator<number> {
    let left = this.#left[at] ?? -1;
    let right = this.#right[at] ?? -1;
    while (left >= 0 || right >= 0) {
      if (right < 0 || (left >= 0 && distance(left) <= distance(right))) {
        yield left;
        left = this.#left[left] ?? -1;
      } else {
        yield right;
        right = this.#right[right] ?? -1;
      }
    }
  }
}
