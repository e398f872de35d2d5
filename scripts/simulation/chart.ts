/** Line charts as SVG: no script, no font from elsewhere, paper and ink by the reader's colour scheme. */

export interface Series {
  name: string;
  /** Colour and dashes; the same number, the same line in every panel. */
  style: 0 | 1 | 2;
  points: readonly [x: number, y: number][];
}

export interface Axis {
  label: string;
  /** In rising order; the first and the last one are the ends of the axis. */
  ticks: readonly number[];
  /** `root` gives small values more room. */
  scale?: 'even' | 'root';
  /** The label of a tick; by default its number. */
  show?(value: number): string;
}

export interface Panel {
  title: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
}

const PANEL = { width: 460, height: 300 };
const MARGIN = { left: 58, right: 18, top: 34, bottom: 48 };
const LEGEND_HEIGHT = 34;

const STYLE = `
  .paper { fill: #ffffff } .grid { stroke: #d8dee4 } text { fill: #1f2328 }
  .s0 { stroke: #0969da } .s1 { stroke: #bc4c00 } .s2 { stroke: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } .grid { stroke: #30363d } text { fill: #e6edf3 }
    .s0 { stroke: #58a6ff } .s1 { stroke: #f0883e } .s2 { stroke: #56d364 }
  }
  .s0, .s1, .s2 { fill: none; stroke-width: 2; stroke-linejoin: round }
  .s1 { stroke-dasharray: 7 3 } .s2 { stroke-dasharray: 2 3 }
  text { font: 12px system-ui, sans-serif } .title { font-weight: 600; font-size: 13px }
  .end { text-anchor: end } .middle { text-anchor: middle }
`;

/** Panels in two columns under one legend. @param description for who cannot see it */
export function chart(description: string, panels: readonly Panel[]): string {
  const width = 2 * PANEL.width;
  const height = LEGEND_HEIGHT + Math.ceil(panels.length / 2) * PANEL.height;
  const body = panels.map((panel, at) => {
    const [left, top] = [(at % 2) * PANEL.width, LEGEND_HEIGHT + Math.floor(at / 2) * PANEL.height];
    return `<g transform="translate(${left} ${top})">\n${drawn(panel)}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(description)}</title>
<style>${STYLE}</style>
<rect class="paper" width="${width}" height="${height}"/>
${legend(panels)}
${body.join('\n')}
</svg>
`;
}

function legend(panels: readonly Panel[]): string {
  const names = new Map(
    panels.flatMap(({ series }) => series.map(({ name, style }) => [name, style] as const)),
  );
  let x = MARGIN.left;
  return [...names]
    .map(([name, style]) => {
      const entry = `<path class="s${style}" d="M${x} 20h28"/>${text(x + 34, 24, name)}`;
      x += 60 + name.length * 7;
      return entry;
    })
    .join('\n');
}

function drawn({ title, x, y, series }: Panel): string {
  const right = PANEL.width - MARGIN.right;
  const bottom = PANEL.height - MARGIN.bottom;
  const toX = between(x, MARGIN.left, right);
  const toY = between(y, bottom, MARGIN.top);
  const show = ({ show }: Axis, value: number) => show?.(value) ?? String(value);
  return [
    text(MARGIN.left, 20, title, 'title'),
    ...y.ticks.map((tick) => {
      const line = `<path class="grid" d="M${MARGIN.left} ${toY(tick)}H${right}"/>`;
      return line + text(MARGIN.left - 6, toY(tick) + 4, show(y, tick), 'end');
    }),
    ...x.ticks.map((tick) => {
      const line = `<path class="grid" d="M${toX(tick)} ${MARGIN.top}V${bottom}"/>`;
      return line + text(toX(tick), bottom + 17, show(x, tick), 'middle');
    }),
    text((MARGIN.left + right) / 2, bottom + 36, x.label, 'middle'),
    `<g transform="rotate(-90)">${text(-(MARGIN.top + bottom) / 2, 14, y.label, 'middle')}</g>`,
    ...series.map(({ style, points }) => {
      const path = points.map(([px, py]) => `${toX(px)} ${toY(py)}`).join('L');
      return `<path class="s${style}" d="M${path}"/>`;
    }),
  ].join('\n');
}

/** From a value of the axis to a place between two; what lies outside is put to the edge. */
function between({ ticks, scale }: Axis, from: number, to: number): (value: number) => number {
  const bent = scale === 'root' ? Math.sqrt : (value: number) => value;
  const [first = 0, last = 1] = [ticks[0], ticks.at(-1)];
  return (value) => {
    const inside = Math.min(Math.max(value, first), last);
    const share = (bent(inside) - bent(first)) / (bent(last) - bent(first));
    return Math.round((from + share * (to - from)) * 10) / 10;
  };
}

function text(x: number, y: number, content: string, classes?: string): string {
  const styled = classes ? ` class="${classes}"` : '';
  return `<text x="${x}" y="${y}"${styled}>${escaped(content)}</text>`;
}

const escaped = (content: string) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
