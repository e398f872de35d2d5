export { NOTE_KIND, ReplayError, type ReplayInfo } from './format.ts';
export type { Span } from './info.ts';
export { createReplayReader, readReplay } from './reader.ts';
export type { Replay } from './replay.ts';
export { type Recount, recount } from './score.ts';
export { BLANK } from './source.ts';
export {
  infoSection,
  type NoteEvent,
  type Pose,
  type ReplayDraft,
  replaySections,
  writeReplay,
} from './writer.ts';
