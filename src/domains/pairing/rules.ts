import { Alarms, inOrder } from './order.ts';

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
  /** An integer. */
  rating: number;
  /** Since when, whole milliseconds since 1970. */
  joinedAt: number;
}

export interface Pairing<W extends Waiting> {
  /** The one who waited longer first. */
  pairs: [W, W][];
}

export interface Moment {
  now: number;
  /** When the last match of these two ended, if that is within the rematch time; else null. */
  recentEnd(a: string, b: string): number | null;
}

export interface PairingOptions extends Moment {
  rules: PairingRules;
}

/** Whom nobody else was in range of for this long may meet a recent opponent again. */
export const REMATCH_WAY_OUT_MS = 60_000;

/** The rating gap a player accepts after waiting `waitingMs`. */
export function windowAfter(rules: PairingRules, waitingMs: number): number {
  const gap = rules.initialGap + (rules.gapPerSecond * Math.max(0, waitingMs)) / 1000;
  return rules.maxGap === null ? gap : Math.min(gap, rules.maxGap);
}

/** The other way round: how long a player must wait to accept a gap, in ms; -∞: not at all, ∞: for ever. */
function patienceFor(rules: PairingRules, gap: number): number {
  if (rules.maxGap !== null && gap > rules.maxGap) return Number.POSITIVE_INFINITY;
  if (gap <= rules.initialGap) return Number.NEGATIVE_INFINITY;
  return ((gap - rules.initialGap) * 1000) / rules.gapPerSecond;
}

/** Answers when two last met, from the matches of late. Asked for most pairs, so it must be quick to say no. */
export function recentEnds(
  meetings: readonly { redGuid: string; blueGuid: string; endedAt: number }[],
): Moment['recentEnd'] {
  const endsOf = new Map<string, Map<string, number>>();
  const note = (one: string, other: string, endedAt: number): void => {
    const ends = endsOf.get(one) ?? new Map<string, number>();
    endsOf.set(one, ends.set(other, Math.max(endedAt, ends.get(other) ?? endedAt)));
  };
  for (const { redGuid, blueGuid, endedAt } of meetings) {
    note(redGuid, blueGuid, endedAt);
    note(blueGuid, redGuid, endedAt);
  }
  return (a, b) => endsOf.get(a)?.get(b) ?? null;
}

/** Pairs as many as the rules allow; who is in no pair goes on waiting. */
export function pair<W extends Waiting>(waiting: readonly W[], options: PairingOptions): Pairing<W> {
  const line = new PairingLine<W>(options.rules);
  for (const entry of waiting) line.add(entry);
  return line.pair(options);
}

/** Somebody's place in a line. */
export interface Place<W extends Waiting> {
  readonly entry: W;
  readonly rating: number;
  readonly joinedAt: number;
  /** Grows with every place given: of two who joined in the same millisecond, who comes first. */
  readonly turn: number;
  /** The neighbours by rating; of equals the one who waits longer is the lower one. */
  lower: Place<W> | null;
  higher: Place<W> | null;
  state: 'arriving' | 'waiting' | 'called' | 'gone';
  /** Before this moment nobody this place was measured with can be its opponent. */
  nextChance: number;
}

/**
 * Everybody who waits in a queue, in order of rating, kept from one tick to the next. What `pair` finds is
 * what the function of that name finds among the same players, but only those are looked at for whom
 * something changed.
 *
 * After a tick no two of the line may be paired. Two of them may later, when the window of the one who
 * joined last has grown to the gap between them: a moment known at once, since windows only grow with time.
 * One of the two remembers it (`nextChance`). So a tick calls who arrived, whose chance has come, and
 * whom these may meet; nobody else can be in a pair.
 */
export class PairingLine<W extends Waiting> {
  readonly #rules: PairingRules;
  #lowest: Place<W> | null = null;
  #highest: Place<W> | null = null;
  #arriving: Place<W>[] = [];
  #turns = 0;
  /** When to look at whom again; an alarm of somebody who left, or looks later by now, means nothing. */
  #alarms = new Alarms<Place<W>>();
  /** Those who stood in the line some time ago, in its order: where a search for a place begins. */
  #signposts: Place<W>[] = [];
  /** How many came or left since the signposts were put up. */
  #changes = 0;

  constructor(rules: PairingRules) {
    this.#rules = rules;
  }

  /** Lets a player wait. Whoever is paired leaves by that; `remove` is for everybody else. */
  add(entry: W): Place<W> {
    const { rating, joinedAt } = entry;
    const place: Place<W> = {
      entry,
      rating,
      joinedAt,
      turn: this.#turns++,
      lower: null,
      higher: null,
      state: 'arriving',
      nextChance: Number.POSITIVE_INFINITY,
    };
    this.#arriving.push(place);
    return place;
  }

  /** Takes a player out; nothing happens when the place was left already. */
  remove(place: Place<W>): void {
    if (place.state === 'waiting' || place.state === 'called') {
      if (place.lower) place.lower.higher = place.higher;
      else this.#lowest = place.higher;
      if (place.higher) place.higher.lower = place.lower;
      else this.#highest = place.lower;
      this.#changes += 1;
    }
    place.state = 'gone';
  }

  /** One tick: takes as many pairs out of the line as the rules allow. */
  pair(moment: Moment): Pairing<W> {
    const called = this.#call(moment.now);
    const longestFirst = inOrder(called, ({ joinedAt }) => joinedAt);
    const pairs: [W, W][] = [];
    for (const [at, place] of longestFirst.entries()) {
      const next = longestFirst[at + 1];
      if (place.state === 'gone' || next === undefined) continue;
      // Of those who were not served yet, the next one has the widest window: beyond it there is nobody.
      const opponent = this.#opponentOf(place, this.#windowOf(next, moment.now), moment);
      if (opponent === null) continue;
      this.remove(place);
      this.remove(opponent);
      pairs.push([place.entry, opponent.entry]);
    }
    for (const place of called) if (place.state === 'called') this.#goOnWaiting(place);
    return { pairs };
  }

  #windowOf(place: Place<W>, now: number): number {
    return windowAfter(this.#rules, now - place.joinedAt);
  }

  /** The nearest in range; who was met of late only when there is nobody else, and after a time. */
  #opponentOf(place: Place<W>, reach: number, { now, recentEnd }: Moment): Place<W> | null {
    let recent: Place<W> | null = null;
    const around = new Outwards(place);
    for (let other = around.next(); other !== null; other = around.next()) {
      const gap = Math.abs(other.rating - place.rating);
      if (gap > reach) break;
      if (gap > this.#windowOf(other, now)) continue;
      const endedAt = recentEnd(place.entry.playerGuid, other.entry.playerGuid);
      if (endedAt === null) return other;
      // Who still waits had nobody else in range: the longest waiter is served with anybody there is.
      const alone = now - Math.max(place.joinedAt, other.joinedAt, endedAt);
      if (alone >= REMATCH_WAY_OUT_MS) recent ??= other;
    }
    return recent;
  }

  /** All who may be in a pair now. Who arrived stands in the line afterwards. */
  #call(now: number): Place<W>[] {
    if (this.#changes > this.#signposts.length / 4) this.#putUpSignposts();
    const arriving = inOrder(
      this.#arriving.filter(({ state }) => state === 'arriving'),
      ({ joinedAt }) => joinedAt,
    );
    this.#arriving = [];
    const called: Place<W>[] = [];
    for (let due = this.#alarms.takeDue(now); due !== null; due = this.#alarms.takeDue(now)) {
      if (due.state !== 'waiting' || due.nextChance > now) continue;
      due.state = 'called';
      called.push(due);
    }
    for (const place of [...called]) this.#callAround(place, now, called);
    const byRating = inOrder(arriving, ({ rating }) => rating);
    // Before those who arrive stand in the line: they may be many, those who already wait are far apart.
    if (this.#lowest !== null)
      for (const place of byRating) {
        place.higher = this.#nextAbove(place);
        place.lower = place.higher ? place.higher.lower : this.#highest;
        this.#callAround(place, now, called);
      }
    for (const place of byRating) this.#enter(place);
    return [...inOrder(called, ({ turn }) => turn), ...arriving];
  }

  #putUpSignposts(): void {
    this.#signposts = [];
    this.#alarms = new Alarms();
    this.#changes = 0;
    for (let place = this.#lowest; place !== null; place = place.higher) {
      this.#signposts.push(place);
      if (place.nextChance < Number.POSITIVE_INFINITY) this.#alarms.set(place.nextChance, place);
    }
  }

  /** The lowest in the line whom somebody not in it comes below. */
  #nextAbove(place: Place<W>): Place<W> | null {
    let from = 0;
    let to = this.#signposts.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isLower(place, this.#signposts[middle] ?? null)) to = middle;
      else from = middle + 1;
    }
    let below = this.#signposts[--from];
    while (below?.state === 'gone') below = this.#signposts[--from];
    let above = below ? below.higher : this.#lowest;
    while (!isLower(place, above)) above = above?.higher ?? null;
    return above;
  }

  /** Hooks a place in below the neighbour that was found for it. */
  #enter(place: Place<W>): void {
    const { higher } = place;
    place.lower = higher ? higher.lower : this.#highest;
    if (place.lower) place.lower.higher = place;
    else this.#lowest = place;
    if (higher) higher.lower = place;
    else this.#highest = place;
    place.state = 'called';
    this.#changes += 1;
  }

  /** Calls who is close enough for both windows. */
  #callAround(place: Place<W>, now: number, called: Place<W>[]): void {
    const reach = this.#windowOf(place, now);
    const around = new Outwards(place);
    for (let other = around.next(); other !== null; other = around.next()) {
      const gap = Math.abs(other.rating - place.rating);
      if (gap > reach) break;
      if (other.state === 'called' || gap > this.#windowOf(other, now)) continue;
      other.state = 'called';
      called.push(other);
    }
  }

  /** Remembers when the first two windows, its own and another's, reach each other. */
  #goOnWaiting(place: Place<W>): void {
    let soonest = Number.POSITIVE_INFINITY;
    const around = new Outwards(place);
    for (let other = around.next(); other !== null; other = around.next()) {
      // Down to the millisecond before, because the window itself is rounded too; looking early is harmless.
      const patience = Math.floor(patienceFor(this.#rules, Math.abs(other.rating - place.rating)));
      if (place.joinedAt + patience >= soonest) break;
      soonest = Math.min(soonest, Math.max(place.joinedAt, other.joinedAt) + patience);
    }
    place.state = 'waiting';
    place.nextChance = soonest;
    if (soonest < Number.POSITIVE_INFINITY) this.#alarms.set(soonest, place);
  }
}

function isLower<W extends Waiting>(place: Place<W>, other: Place<W> | null): boolean {
  if (other === null) return true;
  return place.rating < other.rating || (place.rating === other.rating && place.joinedAt < other.joinedAt);
}

/** Goes away from a place in both directions at once: whoever is nearer comes first. */
class Outwards<W extends Waiting> {
  readonly #rating: number;
  #lower: Place<W> | null;
  #higher: Place<W> | null;

  constructor({ rating, lower, higher }: Place<W>) {
    this.#rating = rating;
    this.#lower = lower;
    this.#higher = higher;
  }

  next(): Place<W> | null {
    const lower = this.#lower;
    const higher = this.#higher;
    if (lower !== null && (higher === null || this.#rating - lower.rating <= higher.rating - this.#rating)) {
      this.#lower = lower.lower;
      return lower;
    }
    if (higher !== null) this.#higher = higher.higher;
    return higher;
  }
}
