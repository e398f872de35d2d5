import { h } from 'preact';
import type { PoolModel } from '../pool/view.ts';
import { strings } from '../strings.ts';
import { line, picture, WIDTH } from './picture.ts';

const MARGIN = 100;
/** The colour for a category without one. */
const NO_COLOR = '#a8b1c2';
const COLOR = /^#[0-9a-f]{6}$/i;
/** The length of the line with the name, in characters. */
const LONGEST_NAME = 32;

type Shown = Pick<PoolModel, 'name' | 'seasonName' | 'categories'> & {
  maps: readonly { categoryGuid: string }[];
};

/** A pool as a picture: its name, its season, and its maps by category as one bar. SVG; names are escaped as on pages. */
export function poolPreview({ name, seasonName, categories, maps }: Shown): string {
  const width = (WIDTH - 2 * MARGIN) / Math.max(1, maps.length);
  const colors = categories.flatMap(({ categoryGuid, color }) =>
    maps
      .filter((map) => map.categoryGuid === categoryGuid)
      .map(() => (color !== null && COLOR.test(color) ? color : NO_COLOR)),
  );
  return picture(
    line(name, 260, 56, LONGEST_NAME),
    line(seasonName, 330, 36),
    colors.map((fill, at) =>
      h('rect', { key: at, x: MARGIN + at * width, y: 400, width: width * 0.9, height: 70, fill }),
    ),
    line(strings.pool.maps(maps.length), 550, 36),
  );
}
