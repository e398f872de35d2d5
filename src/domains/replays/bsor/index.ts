export { NOTE_KIND, ReplayError } from './format.ts';
export type { Span } from './info.ts';
export { createReplayReader, readReplay } from './reader.ts';
export type { Replay } from './replay.ts';
export { type Recount, recount } from './score.ts';
export { type NoteEvent, type Pose, type ReplayDraft, replaySections, writeReplay } from './writer.ts';
