import { type Html, html } from './html.ts';

/** The phases of something, the ways between them, and how it may end in each of them. */
export interface Life {
  phases: readonly string[];
  /** The usual end first. */
  ends: readonly [string, string];
  ways: readonly { from: string; to: string; when: string; by: readonly string[] }[];
  /** The other reasons for the end, each possible in some phase. */
  anywhere: string;
  /** The events behind these reasons. */
  endedBy: readonly string[];
  /** The limit of each phase. */
  limits: Readonly<Record<string, string>>;
}

/** Sizes in units of the picture, which is as wide as a phone. */
const WIDTH = 380;
const BOX = { x: 4, width: 172, height: 38 };
const MIDDLE = BOX.x + BOX.width / 2;
const STEP = 82;
const LANE = { first: 250, gap: 18 };
const RAIL = 372;
const LINE_HEIGHT = 13;
const LETTERS = 14;

/** Words in lines that fit beside a way. */
function linesOf(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length >= LETTERS) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  return lines;
}

const label = (x: number, y: number, lines: readonly string[]): Html =>
  html`<text class="when">${lines.map((line, at) => html`<tspan x="${x}" y="${y + at * LINE_HEIGHT}">${line}</tspan>`)}</text>`;

const box = (name: string, y: number, limit?: string): Html => {
  const told =
    limit && html`<text class="limit" x="${MIDDLE}" y="${y + 30}" text-anchor="middle">${limit}</text>`;
  return html`<rect x="${BOX.x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8"/><text x="${MIDDLE}" y="${y + (limit ? 16 : 24)}" text-anchor="middle">${name}</text>${told ?? ''}`;
};

/** The life as a picture (SVG): phases from top to bottom, ways beside them, and a rail to the other end. */
export function drawLife({ phases, ends, ways, anywhere, endedBy, limits }: Life): Html {
  const [usual, other] = ends;
  const column = [...phases, usual];
  const top = (name: string): number => column.indexOf(name) * STEP + 2;
  const isNext = ({ from, to }: Life['ways'][number]): boolean =>
    column.indexOf(to) === column.indexOf(from) + 1;
  const isBack = ({ from, to }: Life['ways'][number]): boolean => column.indexOf(to) < column.indexOf(from);
  // Arrows that go back are nearer, so that no word crosses a line.
  const lanes = ways.filter((way) => !isNext(way)).sort((a, b) => Number(isBack(b)) - Number(isBack(a)));
  const drawn = ways.map((way) => {
    const { from, to, when, by } = way;
    const events = `(${by.join(', ')})`;
    if (isNext(way)) {
      const [y1, y2] = [top(from) + BOX.height, top(to)];
      return html`<path d="M${MIDDLE} ${y1}V${y2 - 2}" marker-end="url(#tip)"/>${label(MIDDLE + 8, y1 + 17, [when, events])}`;
    }
    // Each way has a lane of its own beside the boxes. A way back has its label at its end, a way onward at its beginning.
    const x = LANE.first + LANE.gap * lanes.indexOf(way);
    const [y1, y2] = [top(from) + 12, top(to) + 22];
    const edge = BOX.x + BOX.width;
    const told = isBack(way) ? y2 + 4 : y1 + STEP / 2 + 20;
    return html`<path d="M${edge} ${y1}H${x}V${y2}H${edge + 2}" marker-end="url(#tip)"/>${label(x + 6, told, linesOf(`${when} ${events}`))}`;
  });
  const bottom = top(usual);
  const ended = linesOf(`${anywhere} (${endedBy.join(', ')})`);
  const rail = html`<path class="rail" d="M${RAIL} 2V${bottom + 48}H${BOX.x + BOX.width + 2}" marker-end="url(#tip)"/>${label(
    BOX.x + BOX.width + 20,
    bottom + 64,
    ended,
  )}`;
  const height = bottom + 64 + LINE_HEIGHT * ended.length;
  const described = [
    ...ways.map(({ from, to, when }) => `${from} to ${to}: ${when}`),
    `from every phase: ${anywhere}`,
  ].join('; ');
  return html`<svg class="life" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${described}">
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${drawn}${rail}${column.map((name) => box(name, top(name), limits[name]))}${box(other, bottom + 44)}
</svg>`;
}
