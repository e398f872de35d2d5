import { isOutOfReach, OutOfReach } from './database/out-of-reach.ts';
import { BOUNDS } from './limits.ts';
import { createTurnRate, measureLoop } from './turn-rate.ts';

/** Turns at once, at most. The other connections of the pool are for admitted players. */
const MOST_AT_ONCE = 12;
/** With fewer a slow event loop would look like a slow database. */
const FEWEST_AT_ONCE = 2;
/** A turn that takes longer shows that the database bears fewer at once. */
const SLOW_MS = 250;
const SHRINK_BY = 0.7;
const SHRINK_EVERY_MS = 1000;
/** The rate of admissions is averaged over about this time. */
const MEMORY_MS = 5000;
/** The assumed rate before there are measurements, players a second. It weighs as much as `FIRST_WEIGHT_MS` of measured time. */
const FIRST_RATE = 250;
const FIRST_WEIGHT_MS = 250;
/** Players who were put off come back this long before their turn, so that the line does not run dry. */
const EARLY_MS = 2000;
const SOONEST_MS = 500;
const FORGET_EVERY_MS = 1000;
/** How often the line looks whether a turn may begin. */
const LOOK_EVERY_MS = 20;
/** How often the line looks for players who wait too long. They are put off in the order of their turns. */
const SWEEP_EVERY_MS = 250;

/** How many turns there may be at once. Milliseconds of `now`. */
function createTurns(now: () => number) {
  let running = 0;
  let atOnce = MOST_AT_ONCE;
  let shrunkAt = Number.NEGATIVE_INFINITY;

  const learn = (tookMs: number): void => {
    if (tookMs <= SLOW_MS) atOnce = Math.min(MOST_AT_ONCE, atOnce + 1 / atOnce);
    else if (now() - shrunkAt >= SHRINK_EVERY_MS) {
      shrunkAt = now();
      atOnce = Math.max(FEWEST_AT_ONCE, atOnce * SHRINK_BY);
    }
  };

  return {
    atOnce: (): number => Math.floor(atOnce),
    areFree: (): boolean => running < Math.floor(atOnce),
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      const startedAt = now();
      running += 1;
      let hasAnswer = true;
      try {
        return await work();
      } catch (error) {
        hasAnswer = !isOutOfReach(error);
        throw error;
      } finally {
        running -= 1;
        // A failure of a database that is out of reach does not measure its speed.
        if (hasAnswer) learn(now() - startedAt);
      }
    },
  };
}

/**
 * How fast players are admitted while others wait and the database limits the rate. Old measurements lose their weight. A
 * pause of the event loop or the database lowers the rate only by its share of the time.
 */
function createRate(now: () => number) {
  let count = 0;
  let overMs = 0;
  let at = now();

  /** @param isMeasured whether the time since the last call counts */
  const pass = (isMeasured: boolean): void => {
    const passedMs = now() - at;
    at = now();
    const kept = Math.exp(-passedMs / MEMORY_MS);
    count *= kept;
    overMs = overMs * kept + (isMeasured ? passedMs : 0);
  };

  return {
    pass,
    /** A player has come in. @param isMeasured see `pass` */
    add: (isMeasured: boolean): void => {
      pass(isMeasured);
      if (isMeasured) count += 1;
    },
    /** How long this many players take, milliseconds. */
    msFor: (players: number): number =>
      (players * (overMs + FIRST_WEIGHT_MS)) / (count + (FIRST_RATE * FIRST_WEIGHT_MS) / 1000),
  };
}

/** The turns that are reserved for players who were put off, so that they come back one after the other. */
function createReservedTurns(now: () => number) {
  /** By subject, in the order in which they were reserved. */
  const turns = new Map<string, number>();
  let lastAt = Number.NEGATIVE_INFINITY;
  let forgottenAt = now();

  /** Removes players who never came back, once in a while: beginning to read a map after many deletions is slow. */
  const forgetOld = (): void => {
    if (now() - forgottenAt < FORGET_EVERY_MS) return;
    forgottenAt = now();
    for (const [subject, at] of turns) {
      if (at > now() - BOUNDS.longestPutOff.value) return;
      turns.delete(subject);
    }
  };

  return {
    /** The turn of a player who comes back at the time, or later. */
    due: (subject: string): number | undefined => {
      const at = turns.get(subject);
      return at !== undefined && at - EARLY_MS <= now() ? at : undefined;
    },
    remove: (subject: string): void => void turns.delete(subject),
    /**
     * Reserves the turn after the last one. Players who come before the time keep the turn that they have. When the last
     * one is as far away as a turn may be, turns begin again after the line. The rate may have been measured in a slow
     * moment: if everybody were sent away for the longest time, nobody would wait for a while, and then all would come at once.
     * @param lineMs how long the players who wait now will take
     * @returns after how many milliseconds to come back
     */
    reserve: (subject: string, lineMs: number, playerMs: number): number => {
      forgetOld();
      const delay = (at: number): number => Math.ceil(at - EARLY_MS - now());
      const known = turns.get(subject);
      if (known !== undefined && delay(known) > 0) return Math.max(SOONEST_MS, delay(known));
      const soonest = now() + Math.min(lineMs, BOUNDS.admissionLine.value);
      lastAt = Math.max(lastAt, soonest) + playerMs;
      if (lastAt > now() + BOUNDS.longestPutOff.value) lastAt = soonest + playerMs;
      lastAt = Math.min(lastAt, now() + BOUNDS.longestPutOff.value);
      turns.delete(subject);
      if (turns.size < BOUNDS.putOff.value) turns.set(subject, lastAt);
      return Math.max(SOONEST_MS, delay(lastAt));
    },
  };
}

/** A waiting player. */
interface WaitingPlayer {
  subject: string;
  since: number;
  /** When the turn was expected, or is reserved. */
  turnAt: number;
  begin(): void;
  refuse(refusal: OutOfReach): void;
}

export type AdmissionLine = ReturnType<typeof createAdmissionLine>;

/**
 * The line of the players who wait for admission by this node. There are as many turns at once as the database bears: one
 * more while they are quick, fewer when they are slow. Fewer begin in a second while a crowd keeps the event loop busy.
 * The others wait in order. Players who would wait longer than the bound are put off until the turn after all those who
 * were put off before. When they come back they go before those whose turn is later.
 * @param options.now milliseconds of a monotonic clock
 * @param options.loopShare the share of the time since its last call in which the event loop was busy
 */
export function createAdmissionLine({ now = () => performance.now(), loopShare = measureLoop() } = {}) {
  const turns = createTurns(now);
  const turnRate = createTurnRate(now, loopShare);
  const rate = createRate(now);
  const reserved = createReservedTurns(now);
  /** The waiting players, in the order of their turns. */
  let line: WaitingPlayer[] = [];
  const places = new Map<string, WaitingPlayer>();
  let looking: NodeJS.Timeout | undefined;
  let sweptAt = 0;

  const putOff = (subject: string): OutOfReach => {
    const retryAfterMs = reserved.reserve(subject, rate.msFor(places.size), rate.msFor(1));
    return new OutOfReach(new Error('too many players want to be let in'), retryAfterMs);
  };

  const isWaitedFor = (): boolean => places.size > 0;
  /** Whether players wait for a turn: then the database limits the rate, and not the event loop. */
  const isMeasured = (): boolean => isWaitedFor() && !turns.areFree();
  const mayBegin = (): boolean => turns.areFree() && turnRate.allows();
  const beginNext = (): void => {
    while (isWaitedFor() && mayBegin()) {
      const next = line.shift();
      if (next === undefined) break;
      places.delete(next.subject);
      next.begin();
    }
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await turns.run(work);
    } finally {
      beginNext();
    }
  };
  const take = <T>(work: () => Promise<T>): Promise<T> => {
    turnRate.begin();
    return run(work);
  };

  /** Puts off players who would wait longer than the bound, in the order of the line. */
  const sweep = (): void => {
    sweptAt = now();
    rate.pass(isMeasured());
    const before = line;
    const late: WaitingPlayer[] = [];
    line = [];
    for (const place of before) {
      // A player whose turn would be delayed by the busy event loop is put off at once and comes back later.
      const waitsMs = now() - place.since + Math.max(rate.msFor(line.length), turnRate.msFor(line.length));
      (waitsMs > BOUNDS.admissionLine.value ? late : line).push(place);
    }
    for (const { subject } of late) places.delete(subject);
    for (const { subject, refuse } of late) refuse(putOff(subject));
  };
  const look = (): void => {
    looking = undefined;
    beginNext();
    if (now() - sweptAt >= SWEEP_EVERY_MS) sweep();
    watch();
  };
  const watch = (): void => {
    if (looking === undefined && isWaitedFor()) looking = setTimeout(look, LOOK_EVERY_MS).unref();
  };

  /** Waits for a turn. A later connection of the same player takes the place over. @throws OutOfReach */
  const waitFor = <T>(subject: string, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, refuse) => {
      const begin = () => void take(work).then(resolve, refuse);
      const known = places.get(subject);
      if (known !== undefined) {
        known.refuse(new OutOfReach(new Error('a later connection of this player waits')));
        Object.assign(known, { begin, refuse });
        return;
      }
      const turnAt = reserved.due(subject) ?? now() + rate.msFor(line.length);
      if (!isWaitedFor()) {
        rate.pass(false);
        sweptAt = now();
      }
      const place = { subject, since: now(), turnAt, begin, refuse };
      line.splice(line.findLastIndex((other) => other.turnAt <= turnAt) + 1, 0, place);
      places.set(subject, place);
      watch();
    });

  return {
    /**
     * Lets a player in when it is the player's turn.
     * @param subject of the player's token
     * @throws OutOfReach with the time to try again when the line is too long
     */
    admit: async <T>(subject: string, work: () => Promise<T>): Promise<T> => {
      turnRate.arrived();
      const answer = await (isWaitedFor() || !mayBegin() ? waitFor(subject, work) : take(work));
      rate.add(isMeasured());
      reserved.remove(subject);
      return answer;
    },
    /** Runs follow-up work of an admitted player at once. New turns wait for it. */
    follow: run,
    /** How many players wait. */
    waiting: (): number => places.size,
    /** How many turns there may be at once. */
    atOnce: turns.atOnce,
    /** How many turns may begin in a second. */
    aSecond: turnRate.aSecond,
  };
}
