import type { ComponentChildren } from 'preact';

/** A table that may be wider than its place: it scrolls there, also by keyboard. @param label what it holds */
export const Scrolls = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll the element that has the focus
  <section class="scrolls" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
