import { h } from 'preact';

/** The picture of a map, served from here and loaded when it comes into view. It is decoration: the name stands beside it. */
export const Cover = ({ hash }: { hash: string }) =>
  h('img', { class: 'cover', src: `maps/${hash}/cover`, alt: '', width: 96, height: 96, loading: 'lazy' });
