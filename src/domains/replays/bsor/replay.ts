import type { ReplayInfo } from './format.ts';
import type { InfoSection, Span } from './info.ts';
import type { NoteEvents } from './notes.ts';

/** The parts of a replay that are kept: no object per frame, and of the poses only whether they are possible. */
export interface Replay {
  /** Bytes of the file. */
  bytes: number;
  info: ReplayInfo;
  frames: FrameSummary;
  notes: NoteEvents;
  /** Seconds into the song of each collision with a wall, in the order of the file. */
  wallTimes: readonly number[];
  /** Where the file holds personal data: name and height, and the changes of the height. */
  personal: InfoSection['spans'] & { heights: Span };
}

export interface FrameSummary {
  count: number;
  /** Seconds into the song; 0 without frames. */
  firstTime: number;
  lastTime: number;
  /** How often the time went back. */
  backwards: number;
  /** Seconds. */
  longestGap: number;
  /** Frames of a sample that have the head or a hand at an impossible place. */
  oddPoses: number;
}

/** Called with the record of every note event: `size` bytes of `view` from `at` on, valid during the call. */
export type OnNote = (view: DataView, at: number, size: number) => void;
