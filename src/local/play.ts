import {
  infoSection,
  NOTE_KIND,
  type NoteEvent,
  notesOf,
  type Pose,
  type ReplayInfo,
  readReplay,
  recount,
  replaySections,
} from '../domains/replays/index.ts';
import { seededRandomness } from './random.ts';

/** A bot's play of a map, note by note: the score follows from what its replay says it did. */

export type Play = ReturnType<typeof playMap>;

export interface PlayOptions {
  map: {
    hash: string;
    name: string;
    characteristic: string;
    difficulty: string;
    modifiers: readonly string[];
    durationSeconds: number;
    maxScore: number;
  };
  player: { platformId: string; name: string };
  /** Mean accuracy of its cuts, 0…1. */
  accuracy: number;
  /** The same one gives the same play. */
  seed: string;
  /** When the map started, milliseconds since 1970. */
  startedAt: number;
  gameVersion: string;
  /** Writes this into the replay instead of the score that its notes add up to. */
  claim?(rawScore: number): number;
}

/** The codes of recorders for our modifiers; empty: not recorded. */
const RECORDED: Record<string, string> = { NW: 'NO', SFS: 'SF', SN: 'SC', '4L': 'BE', NF: '', ZM: '' };

const FRAMES_A_SECOND = 30;
/** Points of a full swing that misses the middle of the note. */
const SWING_POINTS = 100;
const NOTE_POINTS = 115;

/** Plays a map. */
export function playMap(options: PlayOptions) {
  const { map, player, accuracy, startedAt, claim = (rawScore) => rawScore } = options;
  const { fraction } = seededRandomness(options.seed);
  const count = Math.floor(notesOf(map.maxScore));
  const misses = new Set(
    Array.from({ length: Math.floor((1 - accuracy) * 40 * fraction()) }, () =>
      Math.floor(fraction() * count),
    ),
  );
  const pace = (map.durationSeconds * 0.9) / Math.max(1, count);
  const notes = Array.from({ length: count }, (_, nth): NoteEvent => {
    const time = 1 + nth * pace;
    const id = 30_000 + (nth % 4) * 1000 + (nth % 3) * 100 + (nth % 2) * 10 + (nth % 8);
    // One of three mistakes is a cut in the wrong direction.
    if (misses.has(nth))
      return { id, time, spawnTime: time, kind: nth % 3 === 0 ? NOTE_KIND.BAD : NOTE_KIND.MISS };
    const points = Math.min(NOTE_POINTS, accuracy * NOTE_POINTS + (fraction() - 0.5) * 8);
    const centre = Math.max(0, points - SWING_POINTS) / (NOTE_POINTS - SWING_POINTS);
    const after = Math.min(1, Math.max(0, (points - 70) / 30));
    const cut = { before: Math.min(1, points / 70), after, distance: 0.3 * (1 - centre) };
    return { id, time, spawnTime: time, kind: NOTE_KIND.GOOD, cut };
  });
  const frames = Array.from({ length: map.durationSeconds * FRAMES_A_SECOND }, (_, nth) => {
    const time = nth / FRAMES_A_SECOND;
    const swing = Math.sin(time * 6) * 0.4;
    const hand = (x: number): Pose => [x, 1.1 + swing, 0.5, 0, 0, 0, 1];
    return {
      time,
      fps: FRAMES_A_SECOND,
      head: [0, 1.7, 0, 0, 0, 0, 1] as Pose,
      left: hand(-0.3),
      right: hand(0.3),
    };
  });
  const infoWith = (score: number): ReplayInfo => ({
    version: '1.0.0',
    gameVersion: options.gameVersion,
    timestamp: String(Math.floor(startedAt / 1000)),
    playerID: player.platformId,
    playerName: player.name,
    platform: 'steam',
    tracking: 'none',
    hmd: 'none',
    controller: 'none',
    hash: map.hash,
    songName: map.name,
    mapper: '',
    difficulty: map.difficulty,
    score,
    mode: map.characteristic,
    environment: '',
    modifiers: map.modifiers
      .map((code) => RECORDED[code] ?? code)
      .filter(Boolean)
      .join(','),
    jumpDistance: 18,
    leftHanded: false,
    height: 1.7,
    startTime: 0,
    failTime: 0,
    speed: 0,
  });
  const sections = replaySections({ info: infoWith(0), frames, notes });
  // Counted from the file, since a cut is rounded when it is written.
  const found = recount(readReplay(Buffer.concat(sections)));
  const rawScore = claim(found.score.most);
  return {
    rawScore,
    missCount: found.misses,
    badCutCount: found.badCuts,
    fullCombo: found.fullCombo,
    /** The replay as a file: of its sections only the one with the score is written again. */
    replay: Buffer.concat(sections.with(1, infoSection(infoWith(rawScore)))),
  };
}
