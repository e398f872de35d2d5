import type { ComponentChildren, ComponentProps } from 'preact';

interface TableProps extends ComponentProps<'table'> {
  /** What it holds. */
  label: string;
  /** The heads of its columns; null: a column without one. */
  heads: readonly ComponentChildren[];
}

/** A table that may be wider than its place: it scrolls there, also by keyboard. @param children its rows */
export const Table = ({ label, heads, children, ...table }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll the element that has the focus
  <section class="scrolls" aria-label={label} tabIndex={0}>
    <table {...table}>
      <thead>
        <tr>
          {heads.map((head, at) =>
            head === null ? (
              <td key={at} />
            ) : (
              <th key={at} scope="col">
                {head}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);
