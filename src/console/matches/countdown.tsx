import { clockTime } from '../../pages/parts/match-text.ts';
import { Time } from '../../pages/parts/time.ts';
import { useTicks } from '../follow.ts';
import { strings } from './strings.ts';

interface CountdownProps {
  /** ISO 8601. */
  at: string;
  /** Milliseconds by which the server's clock is ahead of this computer's; null: not known yet. */
  offsetMs: number | null;
}

/** The time that is left until an instant, by the server's clock; while that is not known the instant itself. */
export function Countdown({ at, offsetMs }: CountdownProps) {
  const now = useTicks(offsetMs !== null);
  if (offsetMs === null) return <Time at={at} />;
  const leftMs = Date.parse(at) - now - offsetMs;
  return <span role="timer">{leftMs <= 0 ? strings.match.isDue : clockTime(leftMs + 999)}</span>;
}
