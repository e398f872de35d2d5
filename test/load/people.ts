import { seededRandomness } from '../../src/local/random.ts';

/**
 * How people behave, all in one place. Times are seconds of life; `--pace` divides them where they are used. There is
 * no record of real players yet, so each number is an assumption, with its reason.
 *
 * Each decision is drawn from a stream of its own (seed, player, what, which time). So the same seed gives the same
 * script to each player, in whatever order things happen on a busy machine.
 */

/** A time with a long tail, as times of people are: log-normal, cut off at the end. */
interface Span {
  median: number;
  /** Standard deviation of its logarithm: 0.5 puts 95 % between a third and three times the median. */
  spread: number;
  most: number;
}

export const PEOPLE = {
  /** The game asks for the hand controller's button; a person who queues is waiting for it. The limit is 30 s. */
  join: { median: 2, spread: 0.5, most: 12 },
  /** Five cards are read and compared. The limit is 60 s. */
  discard: { median: 15, spread: 0.5, most: 40 },
  /** Up to five cards, which are known by now. The limit is 45 s. */
  pick: { median: 8, spread: 0.5, most: 30 },
  /** A player who has the map already looks at it for a moment and reports ready. */
  getReady: { median: 3, spread: 0.4, most: 15 },
  /** A map has 5 to 15 MB, a household 10 to 50 Mbit/s. The limit is 120 s. */
  download: { median: 6, spread: 0.7, most: 60 },
  /** From the last note to the score: the end of the song fades out. */
  finish: { median: 2, spread: 0.3, most: 5 },
  /** From the score to the replay: the recorder writes its file. */
  upload: { median: 2, spread: 0.5, most: 10 },
  /** Between two matches: the result, a sip of water. */
  pause: { median: 25, spread: 0.7, most: 180 },
  /** A player who ended the game is replaced after so long, so the number online stays. */
  gone: { median: 60, spread: 0.7, most: 600 },
  /** A wireless network loses a headset for some seconds. */
  shortLoss: { median: 4, spread: 0.6, most: 14 },
  /** The game crashed or the battery was empty. Longer than any grace at the default of 60 s. */
  longLoss: { median: 150, spread: 0.3, most: 600 },
} as const satisfies Record<string, Span>;

/** Shares of all times. */
const CHANCES = {
  /** Pools are published days before, and there is a playlist to get them from. */
  hasMap: 0.7,
  /** Share of the lost connections. */
  longLoss: 0.05,
  /** Share of matches in which the player gives up, seldom in the first rounds. */
  forfeit: 0.015,
  /** Share of matches after which the player ends the game. */
  end: 0.15,
  /** Share of rounds in which the player fails the song; most play with settings that make it rare. */
  fail: 0.02,
  /** Share of finished rounds with the recorder on. */
  upload: 0.97,
} as const;

/** Mean time between two lost connections of a player: one in an evening of three hours. */
const CONNECTED_SECONDS = 3 * 3600;
/** The plugin tells of a download once a second. */
export const PROGRESS_EVERY_SECONDS = 1;
/** Wait before the first, and at most before later attempts to connect: the defaults of Socket.IO's clients. */
export const RECONNECT = { firstSeconds: 1, mostSeconds: 5, jitter: 0.5 } as const;
/** Accuracy of ranked players: most between 0.80 and 0.97 of the score of a map. */
const SKILL = { mean: 0.89, spread: 0.04, least: 0.7, most: 0.98 };
/** The same player on another map, on another try. */
const FORM = 0.02;
/** Most discard none or one: a hand that one's own ratings match is seldom all wrong. By the number of cards. */
const DISCARDS = [0.45, 0.35, 0.2] as const;

/** The actions of one player in one match. */
export interface MatchScript {
  joinSeconds: number;
  discardSeconds: number;
  discards: number;
  /** Forfeits when this round is to be picked; null: plays to the end. */
  forfeitRound: number | null;
  pauseSeconds: number;
  /** Ends the game after the match, for so long; null: goes on. */
  goneSeconds: number | null;
}

export interface RoundScript {
  pickSeconds: number;
  /** Which card of the hand, as a share. */
  card: number;
  /** Null: has the map. */
  downloadSeconds: number | null;
  readySeconds: number;
  /** 0…1. */
  accuracy: number;
  /** Fails after this share of the song; null: plays it to the end. */
  failsAfter: number | null;
  finishSeconds: number;
  /** Null: publishes none. */
  uploadSeconds: number | null;
}

/** One life of a connection, and how long the player is away after it. */
export interface ConnectionScript {
  lastsSeconds: number;
  awaySeconds: number;
  /** Away for longer than the service waits: what is lost by it is the player's own doing. */
  isLong: boolean;
}

export interface Script {
  /** 0…1, how far into the time of arrivals the player comes. */
  arrival: number;
  connection(nth: number): ConnectionScript;
  match(nth: number): MatchScript;
  round(match: number, round: number): RoundScript;
}

/** A stream of chance of its own, with the shapes that are needed. */
function chanceOf(key: string) {
  const { fraction } = seededRandomness(key);
  const normal = () => Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction());
  return {
    fraction,
    normal,
    is: (chance: number) => fraction() < chance,
    span: ({ median, spread, most }: Span) => Math.min(most, median * Math.exp(spread * normal())),
    /** Time to something that may happen at any moment. */
    exponential: (mean: number) => -mean * Math.log(1 - fraction()),
  };
}
export type Chance = ReturnType<typeof chanceOf>;

/** The chance of visitors, of curators and of networks, drawn one after the other. */
export const chanceOfOthers = (seed: string, name: string): Chance => chanceOf(`${seed} other ${name}`);

const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value));

/** The script of one player. @param player from 0 */
export function scriptOf(seed: string, player: number): Script {
  const chance = (what: string) => chanceOf(`${seed} ${player} ${what}`);
  const { fraction, normal } = chance('self');
  const arrival = fraction();
  const skill = between(SKILL.least, SKILL.mean + SKILL.spread * normal(), SKILL.most);
  return {
    arrival,
    connection: (nth) => {
      const { exponential, is, span } = chance(`connection ${nth}`);
      const isLong = is(CHANCES.longLoss);
      return {
        lastsSeconds: exponential(CONNECTED_SECONDS),
        awaySeconds: span(isLong ? PEOPLE.longLoss : PEOPLE.shortLoss),
        isLong,
      };
    },
    match: (nth) => {
      const { fraction, is, span } = chance(`match ${nth}`);
      const discards = fraction();
      return {
        joinSeconds: span(PEOPLE.join),
        discardSeconds: span(PEOPLE.discard),
        discards: discards < DISCARDS[0] ? 0 : discards < DISCARDS[0] + DISCARDS[1] ? 1 : 2,
        // Mostly when it goes badly, which shows after some rounds.
        forfeitRound: is(CHANCES.forfeit) ? 1 + Math.floor(5 * Math.sqrt(fraction())) : null,
        pauseSeconds: span(PEOPLE.pause),
        goneSeconds: is(CHANCES.end) ? span(PEOPLE.gone) : null,
      };
    },
    round: (match, round) => {
      const { fraction, is, normal, span } = chance(`round ${match} ${round}`);
      return {
        pickSeconds: span(PEOPLE.pick),
        card: fraction(),
        downloadSeconds: is(CHANCES.hasMap) ? null : span(PEOPLE.download),
        readySeconds: span(PEOPLE.getReady),
        accuracy: between(0.5, skill + FORM * normal(), 0.99),
        failsAfter: is(CHANCES.fail) ? fraction() : null,
        finishSeconds: span(PEOPLE.finish),
        uploadSeconds: is(CHANCES.upload) ? span(PEOPLE.upload) : null,
      };
    },
  };
}

/** Those who do not play. */
export const OTHERS = {
  /** One of twenty looks at the website at a time: most visitors are players before or after a match. */
  visitorsPerPlayer: 0.05,
  /** A page is looked at for half a minute. */
  pageSeconds: 30,
  /** A season has a handful of curators; on an evening some are there. */
  curators: 3,
  /** From one step of the work to the next. */
  curatorSeconds: 20,
} as const;
