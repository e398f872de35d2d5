import { h } from 'preact';
import type { PublicMatch } from '../../domains/matches/index.ts';
import { resultText } from '../parts/match-text.ts';
import { Portrait } from '../parts/portrait.ts';
import { plain } from '../parts/text.ts';
import { strings } from '../strings.ts';
import { line, picture, WIDTH } from './picture.ts';

const COLORS = ['#ff8a75', '#79b4ff'] as const;
/** The space beside the other name, in characters. */
const LONGEST_NAME = 16;

/** An ended match as a picture: both players, the result, the queue. SVG; names are escaped as on pages. */
export const matchPreview = (match: PublicMatch): string =>
  picture(
    match.players.map(({ playerGuid, username }, index) => {
      const x = WIDTH * (index === 0 ? 0.25 : 0.75);
      return h(
        'g',
        { key: playerGuid, fill: COLORS[index] },
        h('svg', { x: x - 90, y: 150, width: 180, height: 180 }, h(Portrait, { guid: playerGuid })),
        h('text', { x, y: 400, 'font-size': 48, 'text-anchor': 'middle' }, plain(username, LONGEST_NAME)),
      );
    }),
    line(strings.match.versus, 260, 36),
    line(resultText(match), 490, 36),
    line(match.queueName, 560, 28),
  );
