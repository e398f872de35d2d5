import { useEffect, useState } from 'preact/hooks';

/** The service fetches the cover of a map some time after its look-up, because other requests are more urgent. */
const FIRST_RETRY_MS = 2000;
const MOST_RETRIES = 6;

/** The cover of a map, which may be there only a while after the map was looked up. */
export function LateCover({ hash }: { hash: string }) {
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!hasFailed || attempt >= MOST_RETRIES) return;
    const timer = setTimeout(
      () => {
        setFailed(false);
        setAttempt(attempt + 1);
      },
      FIRST_RETRY_MS * 2 ** attempt,
    );
    return () => clearTimeout(timer);
  }, [hasFailed, attempt]);
  if (hasFailed) return <span class="cover" />;
  return (
    <img
      class="cover"
      src={`maps/${hash}/cover${attempt === 0 ? '' : `?attempt=${attempt}`}`}
      alt=""
      width={40}
      height={40}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(true)}
    />
  );
}
