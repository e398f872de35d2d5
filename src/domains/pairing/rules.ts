export interface PairingRules {
  initialGap: number;
  gapPerSecond: number;
  /** null: the window grows without a bound, so that every player is paired in the end. */
  maxGap: number | null;
}

export interface Waiting {
  playerGuid: string;
  /** An integer. */
  rating: number;
  /** Whole milliseconds since 1970. */
  joinedAt: number;
}

export interface Moment {
  /** Milliseconds since 1970. */
  now: number;
  /**
   * When the last match of these two ended, if that is within the rematch time; else null. The same for (a, b)
   * and (b, a).
   */
  recentEnd(a: string, b: string): number | null;
}

export interface PairOptions extends Moment {
  rules: PairingRules;
}

/**
 * A recent opponent is chosen when no other player is in range now, and this long has passed since both joined and since
 * their last match ended.
 */
export const RECENT_OPPONENT_AFTER_MS = 60_000;

/**
 * The rating gap that a player accepts after waiting `waitingMs`: `initialGap + gapPerSecond × seconds waited`, at
 * most `maxGap`. With the defaults (150, 10 a second) a player of 1000 who has waited for 20 s accepts 650…1350.
 */
export function windowAfter(rules: PairingRules, waitingMs: number): number {
  const gap = rules.initialGap + (rules.gapPerSecond * Math.max(0, waitingMs)) / 1000;
  return rules.maxGap === null ? gap : Math.min(gap, rules.maxGap);
}

/** Makes `recentEnd` from recent matches. */
export function recentEnds(
  meetings: readonly { redGuid: string; blueGuid: string; endedAt: number }[],
): Moment['recentEnd'] {
  const keyOf = (a: string, b: string) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const ends = new Map<string, number>();
  for (const { redGuid, blueGuid, endedAt } of meetings) {
    const key = keyOf(redGuid, blueGuid);
    ends.set(key, Math.max(endedAt, ends.get(key) ?? endedAt));
  }
  return (a, b) => ends.get(keyOf(a, b)) ?? null;
}

/**
 * Pairs the waiting players. Players without a pair go on waiting.
 *
 * The player who has waited longest chooses first (same millisecond: by `playerGuid`). Each player gets the free player
 * with the nearest rating whose gap is within both windows; of two equally near ratings the lower one, of several
 * players with that rating the one who has waited longest. A recent opponent is chosen only when there is nobody else,
 * and {@link RECENT_OPPONENT_AFTER_MS} after the later of the two joined and their last match ended.
 *
 * A player without an opponent in range is removed: being in range is mutual, so no later player could choose this one. The search
 * passes over players with narrow windows. Wide windows near each other are few, because two of them make a pair, so
 * 10,000 players take a few milliseconds.
 *
 * @returns pairs in the order in which they were chosen, the one who waited longer first
 */
export function pair<W extends Waiting>(waiting: readonly W[], options: PairOptions): [W, W][] {
  const shortestFirst = waiting.toSorted(
    (a, b) => b.joinedAt - a.joinedAt || (a.playerGuid < b.playerGuid ? 1 : -1),
  );
  const groups = groupByRating(shortestFirst);
  const pairs: [W, W][] = [];
  for (const player of shortestFirst.reverse()) {
    const group = groups.get(player.rating);
    // Players who joined earlier have been removed, so a free player has waited longest in the group.
    if (group?.free.at(-1) !== player) continue;
    take(group, player);
    const found = findOpponent(player, group, options);
    if (found === null) continue;
    take(found.group, found.opponent);
    pairs.push([player, found.opponent]);
  }
  return pairs;
}

/** The pairs of which both players are still among these, as they are now. */
export function pairsAmong<W extends Pick<Waiting, 'playerGuid'>>(
  pairs: readonly (readonly [W, W])[],
  present: readonly W[],
): [W, W][] {
  const byGuid = new Map(present.map((one) => [one.playerGuid, one]));
  return pairs.flatMap(([a, b]) => {
    const [first, second] = [byGuid.get(a.playerGuid), byGuid.get(b.playerGuid)];
    return first && second ? [[first, second]] : [];
  });
}

/** The free players with one rating. */
interface Group<W extends Waiting> {
  rating: number;
  /** The player who has waited longest is last, where removing is cheap. Never empty while linked. */
  free: W[];
  /** The groups with the next lower and the next higher rating. */
  lower: Group<W> | null;
  higher: Group<W> | null;
}

function groupByRating<W extends Waiting>(shortestFirst: readonly W[]): Map<number, Group<W>> {
  const groups = new Map<number, Group<W>>();
  for (const player of shortestFirst) {
    const group = groups.get(player.rating);
    if (group) group.free.push(player);
    else groups.set(player.rating, { rating: player.rating, free: [player], lower: null, higher: null });
  }
  let lower: Group<W> | null = null;
  for (const group of [...groups.values()].sort((a, b) => a.rating - b.rating)) {
    group.lower = lower;
    if (lower) lower.higher = group;
    lower = group;
  }
  return groups;
}

/** Removes a player. An empty group is unlinked, but keeps its own links, because a search may still begin there. */
function take<W extends Waiting>(group: Group<W>, player: W): void {
  group.free.splice(group.free.lastIndexOf(player), 1);
  if (group.free.length > 0) return;
  if (group.lower) group.lower.higher = group.higher;
  if (group.higher) group.higher.lower = group.lower;
}

/** @param group of the player, who is removed from it and has waited longer than every free player */
function findOpponent<W extends Waiting>(player: W, group: Group<W>, { rules, now, recentEnd }: PairOptions) {
  const ownWindow = windowAfter(rules, now - player.joinedAt);
  let rematch: { group: Group<W>; opponent: W } | null = null;
  for (const near of nearestFirst(group)) {
    const gap = Math.abs(near.rating - player.rating);
    if (gap > ownWindow) break;
    for (let at = near.free.length - 1; at >= 0; at -= 1) {
      const opponent = near.free[at] as W;
      // The others of the group joined later, so their windows are not wider.
      if (gap > windowAfter(rules, now - opponent.joinedAt)) break;
      const endedAt = recentEnd(player.playerGuid, opponent.playerGuid);
      if (endedAt === null) return { group: near, opponent };
      if (now - Math.max(player.joinedAt, opponent.joinedAt, endedAt) >= RECENT_OPPONENT_AFTER_MS)
        rematch ??= { group: near, opponent };
    }
  }
  return rematch;
}

/** This group and all others by distance, of two at the same distance the lower one first. */
function* nearestFirst<W extends Waiting>(group: Group<W>): Generator<Group<W>> {
  yield group;
  let { lower, higher } = group;
  while (lower !== null || higher !== null) {
    const below = lower === null ? Number.POSITIVE_INFINITY : group.rating - lower.rating;
    const above = higher === null ? Number.POSITIVE_INFINITY : higher.rating - group.rating;
    if (lower !== null && below <= above) {
      yield lower;
      lower = lower.lower;
    } else if (higher !== null) {
      yield higher;
      higher = higher.higher;
    }
  }
}
