import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import type { PublicMatch } from '../../domains/matches/index.ts';
import { resultText } from '../match/story.ts';
import { Portrait } from '../parts/portrait.ts';
import { plain } from '../parts/text.ts';
import { strings } from '../strings.ts';
import { FONT_FAMILY } from './drawing.ts';

const WIDTH = 1200;
const HEIGHT = 630;
const COLORS = ['#ff8a75', '#79b4ff'] as const;
/** What fits beside the other name and into a line, in characters. */
const LONGEST_NAME = 16;
const LONGEST_LINE = 56;

/** An ended match as a picture of 1200 × 630: both players, the result, the queue. SVG; names are escaped as on pages. */
export function matchPreview(match: PublicMatch): string {
  const line = (text: string, y: number, size: number) =>
    h(
      'text',
      { x: WIDTH / 2, y, 'font-size': size, 'text-anchor': 'middle', fill: '#e7eaf0' },
      plain(text, LONGEST_LINE),
    );
  return renderToStaticMarkup(
    h(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: WIDTH,
        height: HEIGHT,
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        'font-family': FONT_FAMILY,
        'font-weight': 700,
      },
      h('rect', { width: WIDTH, height: HEIGHT, fill: '#12151b' }),
      line(strings.site, 90, 36),
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
    ),
  );
}
