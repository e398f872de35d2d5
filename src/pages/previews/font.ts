import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Latin, Greek and Cyrillic. Fonts of the machine are not used: the picture is the same everywhere. */
export const FONT = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
);
export const FONT_FAMILY = 'Inter';

/** The first and last code points of the runs of characters that a font has. Source: OpenType 1.9.1, `cmap`, format 12. */
function runsOf(font: Buffer): [number, number][] {
  // The directory of tables has records of 16 bytes after 12 bytes.
  const at = font.readUInt32BE(font.indexOf('cmap', 12) + 8);
  const subtables = Array.from(
    { length: font.readUInt16BE(at + 2) },
    (_, index) => at + font.readUInt32BE(at + 8 + 8 * index),
  );
  const table = subtables.find((start) => font.readUInt16BE(start) === 12);
  if (table === undefined) throw new Error('The font has no table of all Unicode characters.');
  return Array.from({ length: font.readUInt32BE(table + 12) }, (_, index) => {
    const run = table + 16 + 12 * index;
    return [font.readUInt32BE(run), font.readUInt32BE(run + 4)];
  });
}

const characters = new Set(
  runsOf(readFileSync(FONT)).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  ),
);

/** The picture with a dot for each character that the font does not have, which would be drawn as a large box. */
export const drawable = (svg: string): string =>
  svg.replaceAll(/\P{ASCII}/gu, (one) => (characters.has(one.codePointAt(0) ?? 0) ? one : '·'));
