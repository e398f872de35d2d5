import type { Shapes } from '../api.ts';
import { publicAddress } from '../parts/link.tsx';
import { strings } from './strings.ts';

/** A link to the original file, or a text when it was removed. */
export function Original({ replay, text }: { replay: Shapes['Replay']; text: string }) {
  return replay.downloadUrl === null ? (
    <span class="quiet">{strings.replay.removed}</span>
  ) : (
    <a href={publicAddress(`/replays/${replay.replayGuid}/download`)} download>
      {text}
    </a>
  );
}
