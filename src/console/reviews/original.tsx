import type { Shapes } from '../api.ts';
import { publicAddress } from '../parts/link.tsx';
import { strings } from './strings.ts';

/** Leads to the file as it was published; says so where it is gone. */
export function Original({ replay, text }: { replay: Shapes['Replay']; text: string }) {
  return replay.downloadUrl === null ? (
    <span class="quiet">{strings.replay.removed}</span>
  ) : (
    <a href={publicAddress(`/replays/${replay.replayGuid}/download`)} download>
      {text}
    </a>
  );
}
