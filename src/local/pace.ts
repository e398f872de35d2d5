import { playingMs } from '../domains/matches/index.ts';
import type { BotOptions } from './bot.ts';

/** How fast matches of the local stack go. */
interface Pace extends Pick<BotOptions, 'thinkMs' | 'songMs'> {
  /** Variables of the service. */
  environment: Record<string, string>;
}

export const PACES = {
  /** Long enough to watch, short enough to wait for. */
  quick: {
    thinkMs: 400,
    songMs: () => 2500,
    environment: {
      ROUND_RESULTS_SECONDS: '2',
      COUNTDOWN_SECONDS: '1',
      PENALTY_FIRST_SECONDS: '5',
      // A score may come as soon as the map has started.
      SCORE_EARLIEST_SHARE: '0',
    },
  },
  /** As in production: a song takes its time, and every limit is the default. */
  real: { thinkMs: 3000, songMs: playingMs, environment: {} },
} as const satisfies Record<string, Pace>;
export type PaceName = keyof typeof PACES;
