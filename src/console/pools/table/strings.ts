import { plain } from '../../../pages/parts/text.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const signed = (share: number): string => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;

/** Texts of the table of a pool's maps. */
export const strings = {
  table: (pool: string) => `Maps of ${plain(pool)}`,
  empty: 'No maps yet.',
  columns: {
    number: 'Row',
    map: 'Map',
    characteristic: 'Characteristic',
    difficulty: 'Difficulty',
    category: 'Category',
    modifiers: 'Modifiers',
    length: 'Length',
    kept: 'Kept',
    picked: 'Picked',
    gap: 'Decisive',
    edge: 'Picker’s edge',
    notes: 'Notes',
  },
  columnHints: {
    kept: 'How often it was kept when it came into a hand',
    picked: 'How often a player picked it',
    gap: 'Median of the difference between the two accuracies: the greater, the clearer its rounds end',
    edge: 'How much oftener the picker won than the ratings say, with the interval that holds the true value in 95 of 100 cases',
  },
  kept: (kept: number, dealt: number) => `${kept} of ${dealt}`,
  gap: percent,
  edge: (edge: number, margin: number) => `${signed(edge)} ± ${percent(margin)}`,
  edgeRounds: (played: number) => `${played} rounds`,
  none: '–',
  noModifiers: 'none',
  stale: 'The map host has a newer upload.',
};
