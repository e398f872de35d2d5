export { NOTE_KIND, ReplayError } from './format.ts';
export { createReplayReader, readReplay } from './reader.ts';
export { recount } from './score.ts';
export { type NoteEvent, type Pose, type ReplayDraft, replaySections, writeReplay } from './writer.ts';
