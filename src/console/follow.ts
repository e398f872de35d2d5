import { useEffect, useRef, useState } from 'preact/hooks';
import { type Followed, type FollowOptions, follow } from '../pages/follow.ts';

/** The state before the stream is open. */
const opening = () => ({ state: null, connection: 'opening' as const, since: Date.now() });

/** Follows a stream of the service while a view is shown. @param address null: nothing is followed */
export function useFollow<State>(
  address: string | null,
  options: Omit<FollowOptions<State>, 'address' | 'show'>,
): Followed<State> {
  const [followed, setFollowed] = useState<Followed<State>>(opening);
  const kept = useRef(options);
  useEffect(() => {
    if (address === null) return undefined;
    setFollowed(opening);
    return follow<State>({ ...kept.current, address, show: setFollowed });
  }, [address]);
  return followed;
}

const TICK_MS = 500;

/** The time of this computer, updated as long as it is needed. @param isRunning whether a clock runs at all */
export function useTicks(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
