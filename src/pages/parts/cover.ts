import { h } from 'preact';

/**
 * The picture of a map, served from here. It is decoration: the name stands beside it. In SVG a picture that is not there
 * leaves the ground and no sign of something broken.
 */
export const Cover = ({ hash }: { hash: string }) =>
  h(
    'svg',
    { class: 'cover', viewBox: '0 0 64 64', 'aria-hidden': 'true' },
    h('image', {
      href: `maps/${hash}/cover`,
      width: 64,
      height: 64,
      preserveAspectRatio: 'xMidYMid slice',
    }),
  );
