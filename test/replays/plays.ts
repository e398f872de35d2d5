import { NOTE_KIND, type NoteEvent, type Pose, type ReplayDraft } from '../../src/domains/replays/index.ts';

/** Made-up plays, to write replays from. */

const STILL: Pose = [0, 1.6, 0, 0, 0, 0, 1];

/** A player who stands still for this many frames, 60 a second. */
export const standing = (frames: number) =>
  Array.from({ length: frames }, (_, nth) => ({
    time: nth / 60,
    fps: 60,
    head: STILL,
    left: STILL,
    right: STILL,
  }));

/** An ordinary note of the map: scoring type 3 (normal), somewhere on the grid. */
export const noteId = (nth: number, scoringType = 3): number =>
  scoringType * 10_000 + (nth % 4) * 1000 + (nth % 3) * 100 + (nth % 2) * 10 + (nth % 8);

export const PERFECT = { before: 1, after: 1, distance: 0 };

export const good = (nth: number, cut = PERFECT, scoringType = 3): NoteEvent => ({
  id: noteId(nth, scoringType),
  time: 1 + nth / 4,
  spawnTime: 1 + nth / 4,
  kind: NOTE_KIND.GOOD,
  cut,
});
export const missed = (nth: number): NoteEvent => ({ ...good(nth), kind: NOTE_KIND.MISS });
export const badCut = (nth: number): NoteEvent => ({ ...good(nth), kind: NOTE_KIND.BAD });
export const bombed = (nth: number): NoteEvent => ({ ...good(nth), kind: NOTE_KIND.BOMB });

/** A play of nothing but perfect cuts, with what differs from it. */
export function draft(
  changes: Partial<ReplayDraft> = {},
  info: Partial<ReplayDraft['info']> = {},
): ReplayDraft {
  const notes = changes.notes ?? Array.from({ length: 20 }, (_, nth) => good(nth));
  return {
    frames: standing(600),
    notes,
    ...changes,
    info: {
      version: '1.2.3',
      gameVersion: '1.40.0_build',
      timestamp: '1700000000',
      playerID: '7700000000000001',
      playerName: 'Somebody',
      platform: 'steam',
      tracking: 'OpenVR',
      hmd: 'A headset',
      controller: 'Two controllers',
      hash: 'A'.repeat(40),
      songName: 'A song',
      mapper: 'A mapper',
      difficulty: 'ExpertPlus',
      score: 0,
      mode: 'Standard',
      environment: 'DefaultEnvironment',
      modifiers: '',
      jumpDistance: 18,
      leftHanded: false,
      height: 1.75,
      startTime: 0,
      failTime: 0,
      speed: 0,
      ...info,
    },
  };
}
