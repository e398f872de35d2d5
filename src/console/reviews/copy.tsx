import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { Link } from '../parts/link.tsx';
import { Person } from '../parts/person.tsx';
import { Reading } from '../parts/reading.tsx';
import { PATHS } from '../paths.ts';
import { useGet } from '../read.ts';
import { Original } from './original.tsx';
import { strings } from './strings.ts';

const texts = strings.copy;

interface CopyOriginProps {
  copyOf: Shapes['ReplayReference'];
  /** Hash of the file of the copy. */
  sha256: string;
}

/** The replay that another one is a copy of: its player, with links to the replay and its match. */
export function CopyOrigin({ copyOf: { replayGuid, playerGuid, matchGuid }, sha256 }: CopyOriginProps) {
  const read = useGet('/replays/{replayGuid}', { path: { replayGuid } });
  return (
    <div class="warning" data-copy-of={replayGuid}>
      <p>
        <strong>{texts.title}.</strong> {texts.first} <Person playerGuid={playerGuid} />.
      </p>
      <Reading of={read}>
        {(original) => (
          <>
            <p>{original.sha256 === sha256 ? texts.sameBytes : texts.sameCuts}</p>
            <p>
              {texts.original}: {strings.replay.uploaded} <Time at={original.uploadedAt} />,{' '}
              {strings.round(original.roundNumber)}, {strings.replay[original.verdict]}.{' '}
              <Original replay={original} text={texts.download} />
            </p>
          </>
        )}
      </Reading>
      <p class="links">
        <Link to={PATHS.match} with={{ matchGuid }}>
          {texts.match}
        </Link>
        <a href={`match/${matchGuid}`} target="_blank" rel="noreferrer">
          {texts.page}
        </a>
      </p>
    </div>
  );
}
