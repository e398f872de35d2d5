import { renderAsync } from '@resvg/resvg-js';
import { dropOldest } from '../../platform/drop-oldest.ts';
import { FONT, FONT_FAMILY } from './font.ts';

/** Draws pictures for link previews, each once, and not so many at a time that matches would notice. */

/** The pause after each start: two a second. */
const PAUSE_MS = 500;
/** Pictures that wait to be drawn, at most. */
const MOST_WAITING = 8;
/** Pictures that are kept; one has about thirty kilobytes. */
const MOST_KEPT = 300;

/** @param wait resolves after this many milliseconds */
export function createDrawing(
  wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref()),
) {
  const kept = new Map<string, Promise<Buffer>>();
  let waiting = 0;
  let last = Promise.resolve();

  const render = async (svg: string, before: Promise<void>): Promise<Buffer> => {
    waiting += 1;
    try {
      await before;
    } finally {
      waiting -= 1;
    }
    const font = { fontFiles: [FONT], loadSystemFonts: false, defaultFontFamily: FONT_FAMILY };
    // Rendering runs on another thread.
    return (await renderAsync(svg, { font })).asPng();
  };

  /** The picture as PNG; null: too many others wait. The same text is drawn once. */
  return (svg: string): Promise<Buffer> | null => {
    const drawn = kept.get(svg);
    if (drawn !== undefined) return drawn;
    if (waiting >= MOST_WAITING) return null;
    const png = render(svg, last);
    last = last.then(() => wait(PAUSE_MS));
    kept.set(svg, png);
    png.catch(() => kept.delete(svg));
    dropOldest(kept, MOST_KEPT);
    return png;
  };
}
