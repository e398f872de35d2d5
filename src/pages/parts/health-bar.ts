import { h } from 'preact';

/** Health as a bar. It is a drawing, since the policy of pages allows no style in an element. @param health 0…1 */
export const HealthBar = ({ health, label }: { health: number; label: string }) =>
  h(
    'div',
    { class: 'health' },
    h(
      'svg',
      { role: 'img', 'aria-label': label, viewBox: '0 0 100 8', preserveAspectRatio: 'none' },
      h('rect', { class: 'health-ground', width: 100, height: 8 }),
      h('rect', { class: 'health-left', width: Math.round(health * 10_000) / 100, height: 8 }),
    ),
    h('span', { 'aria-hidden': 'true' }, `${Math.round(health * 100)} %`),
  );
