import { type ComponentChildren, h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { plain } from '../parts/text.ts';
import { strings } from '../strings.ts';
import { drawable, FONT_FAMILY } from './font.ts';

export const WIDTH = 1200;
const HEIGHT = 630;
const TEXT = '#e7eaf0';
/** The characters of a line that fit at size 36 and below. */
const LONGEST_LINE = 56;

/** One line in the middle of the picture. @param most characters that fit */
export const line = (text: string, y: number, size: number, most = LONGEST_LINE) =>
  h(
    'text',
    { x: WIDTH / 2, y, 'font-size': size, 'text-anchor': 'middle', fill: TEXT },
    plain(text, most, strings.nameless),
  );

/** A picture of 1200 × 630 with the name of the site, as SVG. */
export const picture = (...content: ComponentChildren[]): string =>
  drawable(
    renderToStaticMarkup(
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
        content,
      ),
    ),
  );
