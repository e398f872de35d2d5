import type { PublicMatch } from '../../domains/matches/index.ts';
import type { Check } from '../../domains/matches/proof.ts';
import type { FreshnessProps } from '../parts/freshness.ts';
import type { Board } from './board.ts';
import type { StoryLine } from './story.ts';

/** The data from which the page of a match is drawn, on the server and in the browser. */
export interface MatchModel extends FreshnessProps {
  match: PublicMatch;
  board: Board;
  /** The server's time, milliseconds since 1970; null while it is not known: as the service sends the page, and before the first event. */
  now: number | null;
  /** Null while the match runs, or when its log cannot be read. */
  story: readonly StoryLine[] | null;
  /** The version that the board shows; null: the slider is not there. */
  shown: number | null;
  proof: { state: 'running' | 'ok' | 'broken'; checks: readonly Check[]; isUnreachable: boolean };
  onSlide?(version: number): void;
  onProveAgain?(): void;
}
