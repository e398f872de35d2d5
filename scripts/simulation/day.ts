import type { Moment, Waiting } from '../../src/domains/pairing/rules.ts';
import { afterMatch, NEWCOMER, type Strength, shownRating } from '../../src/domains/ratings/rules.ts';
import { isInRange, type Matcher } from './matchers.ts';
import { seeded } from './random.ts';

/** A day of one queue, second by second. It begins at four in the morning, when fewest are awake. */

const DAY_SECONDS = 24 * 3600;
const BEGINS_AT_HOUR = 4;
const BUSIEST_HOUR = 20;
/** Players who come in the quietest hour, as a share of those in the busiest hour. */
const QUIETEST_SHARE = 0.08;
/** A player who waited this long stops playing for the day. */
const PATIENCE_SECONDS = 600;
const MATCHES_WANTED = 5;
const BREAK_SECONDS = 60;
/** Three to seven rounds of about three minutes. */
const MATCH_SECONDS = { least: 540, most: 1260 };
/** The default of `REMATCH_SECONDS`. */
export const REMATCH_SECONDS = 600;

const NEWCOMERS_SHARE = 0.2;
const MATCHES_BEFORE = 40;

/** The spread of both players' form, which decides a match, as in the model of the rating. */
const FORM = (Math.SQRT2 * 25) / 6;

interface Player {
  playerGuid: string;
  /** The strength in truth, on the scale of `mu`. */
  truth: number;
  believed: Strength;
  arrivesAt: number;
  matchesWanted: number;
}

/** Red's chance to win. */
export const chanceToWin = (red: number, blue: number): number => 1 / (1 + Math.exp((blue - red) / FORM));

/** A share of the busiest hour's arrivals: one smooth wave with its top in the evening. */
function busyness(hour: number): number {
  const wave = (1 + Math.cos(((hour - BUSIEST_HOUR) / 24) * 2 * Math.PI)) / 2;
  return QUIETEST_SHARE + (1 - QUIETEST_SHARE) * wave ** 2;
}

const hourOf = (second: number): number => (BEGINS_AT_HOUR + Math.floor(second / 3600)) % 24;

/** The deviation of a newcomer after so many matches between equals. */
function doubts(most: number): Strength[] {
  const after: Strength[] = [NEWCOMER];
  for (let matches = 0; matches < most; matches += 1) {
    const { mu, sigma } = after[matches] ?? NEWCOMER;
    after.push({ mu, sigma: afterMatch({ mu, sigma }, { mu, sigma }, 0.5).red.sigma });
  }
  return after;
}

/**
 * The players of one day. A fifth are newcomers. The others start with the rating that their true strength and their number
 * of matches would give.
 */
export function players(count: number, seed: number): Player[] {
  const random = seeded(seed);
  const doubtAfter = doubts(400);
  const arrival = (): number => {
    for (;;) {
      const second = random.even() * DAY_SECONDS;
      if (random.even() < busyness(BEGINS_AT_HOUR + second / 3600)) return second;
    }
  };
  return Array.from({ length: count }, (_, at) => {
    const truth = NEWCOMER.mu + NEWCOMER.sigma * random.bell();
    const matchesBefore =
      random.even() < NEWCOMERS_SHARE ? 0 : 1 + Math.floor(MATCHES_BEFORE * random.lapse());
    const { sigma } = doubtAfter[Math.min(matchesBefore, 400)] ?? NEWCOMER;
    const believed = matchesBefore === 0 ? NEWCOMER : { mu: truth + sigma * random.bell(), sigma };
    return {
      playerGuid: String(at),
      truth,
      believed,
      arrivesAt: arrival(),
      matchesWanted: 1 + Math.floor(MATCHES_WANTED * random.lapse()),
    };
  });
}

/** The results of a day. */
export interface Day {
  /** Waiting times of paired players, in seconds, by the hour of the day in which they joined. */
  waits: number[][];
  /** In points of rating, one for each match. */
  gaps: number[];
  /** Matches of two whose last one had ended less than `REMATCH_SECONDS` before. */
  repeats: number;
  /** Gave up. */
  unmatched: number;
  /** Left out at least once while two who joined later were paired, of whom one would have been in range. */
  passedOver: number;
}

/** Lets the players come, wait, play and come back. */
export function simulateDay(crowd: readonly Player[], match: Matcher, seed: number): Day {
  const random = seeded(seed);
  const day: Day = {
    waits: Array.from({ length: 24 }, () => []),
    gaps: [],
    repeats: 0,
    unmatched: 0,
    passedOver: 0,
  };
  const states = new Map(
    crowd.map((player) => [player.playerGuid, { ...player, left: player.matchesWanted }]),
  );
  const stateOf = (playerGuid: string) => {
    const state = states.get(playerGuid);
    if (state === undefined) throw new RangeError(`There is no player ${playerGuid}.`);
    return state;
  };
  const agenda = new Agenda();
  const lastEnds = new Map<string, number>();
  const key = (a: string, b: string) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const passedOver = new Set<Waiting>();
  let waiting: Waiting[] = [];

  const comes = (playerGuid: string, at: number): void => {
    if (at >= DAY_SECONDS) return;
    agenda.add(at, () => {
      waiting.push({
        playerGuid,
        rating: shownRating(stateOf(playerGuid).believed),
        joinedAt: Math.floor(at * 1000),
      });
    });
  };
  const ends = (a: string, b: string, at: number): void => {
    agenda.add(at, () => {
      const [red, blue] = [stateOf(a), stateOf(b)];
      const score = random.even() < chanceToWin(red.truth, blue.truth) ? 1 : 0;
      const after = afterMatch(red.believed, blue.believed, score);
      red.believed = after.red;
      blue.believed = after.blue;
      lastEnds.set(key(a, b), Math.floor(at * 1000));
      for (const player of [red, blue]) {
        player.left -= 1;
        if (player.left > 0) comes(player.playerGuid, at + BREAK_SECONDS * random.lapse());
      }
    });
  };

  for (const { playerGuid, arrivesAt } of crowd) comes(playerGuid, arrivesAt);
  for (let second = 0; second < DAY_SECONDS || waiting.length > 0; second += 1) {
    const now = second * 1000;
    agenda.run(second);
    const recentEnd = (a: string, b: string): number | null => {
      const endedAt = lastEnds.get(key(a, b));
      return endedAt !== undefined && now - endedAt < REMATCH_SECONDS * 1000 ? endedAt : null;
    };
    waiting.sort((a, b) => a.joinedAt - b.joinedAt);
    const pairs = waiting.length < 2 ? [] : match(waiting, { now, recentEnd });
    const paired = new Set(pairs.flat());
    const left = waiting.filter((one) => !paired.has(one));
    for (const [a, b] of pairs) {
      if (recentEnd(a.playerGuid, b.playerGuid) !== null) day.repeats += 1;
      day.gaps.push(Math.abs(a.rating - b.rating));
      for (const { joinedAt } of [a, b]) day.waits[hourOf(joinedAt / 1000)]?.push((now - joinedAt) / 1000);
      const { least, most } = MATCH_SECONDS;
      ends(a.playerGuid, b.playerGuid, second + least + (most - least) * random.even());
      for (const one of left) if (isPassedOver(one, a, b, { now, recentEnd })) passedOver.add(one);
    }
    waiting = left.filter(({ joinedAt }) => now - joinedAt < PATIENCE_SECONDS * 1000);
    day.unmatched += left.length - waiting.length;
  }
  day.passedOver = passedOver.size;
  return day;
}

function isPassedOver(one: Waiting, a: Waiting, b: Waiting, { now, recentEnd }: Moment): boolean {
  const couldHave = (other: Waiting) =>
    isInRange(one, other, now) && recentEnd(one.playerGuid, other.playerGuid) === null;
  return a.joinedAt > one.joinedAt && b.joinedAt > one.joinedAt && (couldHave(a) || couldHave(b));
}

/** Events by their second, in the order of time. */
class Agenda {
  readonly #bySecond = new Map<number, { at: number; happen: () => void }[]>();

  add(at: number, happen: () => void): void {
    const second = Math.ceil(at);
    const others = this.#bySecond.get(second);
    if (others) others.push({ at, happen });
    else this.#bySecond.set(second, [{ at, happen }]);
  }

  /** Runs the events of this second, and then those that they have added for it. */
  run(second: number): void {
    const due = this.#bySecond.get(second) ?? [];
    this.#bySecond.delete(second);
    for (const { happen } of due.sort((a, b) => a.at - b.at)) happen();
    if (this.#bySecond.has(second)) this.run(second);
  }
}
