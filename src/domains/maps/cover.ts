import { createHash } from 'node:crypto';
import { renderAsync } from '@resvg/resvg-js';

/**
 * The cover of a playlist: the same picture for the same playlist on every machine. It has no text, because fonts differ
 * between machines.
 */

const SIZE = 256;
const GRID = 5;
/** Colours of a playlist whose categories have none. */
const PLAIN = ['#2E7DD7', '#D7472E', '#2EB87D'];
const BACKGROUND = '#14161C';

interface CoverOf {
  /** Identifies the playlist. */
  guid: string;
  /** `#RRGGBB` of its categories, in their order. */
  colors: readonly string[];
}

/** A mirrored grid of blocks and cuts. */
export function coverSvg({ guid, colors }: CoverOf): string {
  const bytes = createHash('sha256').update(guid).digest();
  const palette = colors.length > 0 ? colors : PLAIN;
  const cell = SIZE / (GRID + 1);
  const half = Math.ceil(GRID / 2);
  const blocks: string[] = [];
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < half; column++) {
      const byte = bytes[row * half + column] ?? 0;
      if (byte % 8 < 3) continue;
      const color = palette[byte % palette.length] ?? '';
      const turn = (byte >> 4) % 4;
      for (const at of new Set([column, GRID - 1 - column])) {
        const [x, y] = [cell / 2 + at * cell, cell / 2 + row * cell];
        const center = `${x + cell / 2} ${y + cell / 2}`;
        const turned = at === column ? turn : (4 - turn) % 4;
        blocks.push(
          `<g transform="rotate(${turned * 90} ${center})"><rect x="${x + 2}" y="${y + 2}" width="${cell - 4}" height="${cell - 4}" rx="6" fill="${color}"/>` +
            `<path d="M${x + cell * 0.28} ${y + cell * 0.2}h${cell * 0.44}l${-cell * 0.22} ${cell * 0.26}z" fill="#FFF" fill-opacity=".85"/></g>`,
        );
      }
    }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 ${SIZE} ${SIZE}">` +
    `<rect width="${SIZE}" height="${SIZE}" fill="${BACKGROUND}"/>${blocks.join('')}</svg>`
  );
}

/** Draws a cover as a PNG, on another thread. It takes about a millisecond. */
export async function drawCover(of: CoverOf) {
  const image = await renderAsync(coverSvg(of), { font: { loadSystemFonts: false } });
  return image.asPng();
}
