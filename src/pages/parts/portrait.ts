import { h } from 'preact';

const SIZE = 5;

/** Pictures of players are drawn from their guids: a symmetric pattern in one of twelve colours. */
export function Portrait({ guid }: { guid: string }) {
  // The end of a UUID version 7 is random; its beginning is the time.
  const bits = Number.parseInt(guid.replaceAll('-', '').slice(-8), 16);
  const cells = Array.from({ length: SIZE * 3 }, (_, index) => ({
    row: Math.floor(index / 3),
    column: index % 3,
    isSet: ((bits >>> index) & 1) === 1,
  })).filter(({ isSet }) => isSet);
  return h(
    'svg',
    { class: `portrait hue-${(bits >>> 20) % 12}`, viewBox: '0 0 5 5', 'aria-hidden': 'true' },
    cells.flatMap(({ row, column }) =>
      [...new Set([column, SIZE - 1 - column])].map((x) =>
        h('rect', { key: `${row} ${x}`, x, y: row, width: 1.02, height: 1.02 }),
      ),
    ),
  );
}
