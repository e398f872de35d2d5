import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandLine } from './command-line.ts';
import { chart, type Series } from './simulation/chart.ts';
import { type Day, players, REMATCH_SECONDS, simulateDay } from './simulation/day.ts';
import { matchers } from './simulation/matchers.ts';
import { amongNewcomers, amongSettled, type Settled } from './simulation/settling.ts';
import { mean, quantile } from './simulation/statistics.ts';

/**
 * `npm run simulate`: a day of one queue with 10,000 players, paired as the service does it and in two other
 * ways; then how soon a rating is right. Writes `docs/pairing.md` and the pictures; always the same ones.
 */

commandLine(
  `npm run simulate

Takes about a minute and has no options. Writes docs/pairing.md and the pictures of docs/pairing.md and docs/ratings.md.`,
  {},
);

const PLAYERS = 10_000;
const SEED = 20_261_121;

const crowd = players(PLAYERS, SEED);
const days = Object.values(matchers).map(({ name, match }, at) => ({
  name,
  style: at as Series['style'],
  day: simulateDay(crowd, match, SEED + 1),
}));
const settling = [
  { name: 'among settled players', style: 0, found: amongSettled(SEED + 2) },
  { name: 'in a season where everybody is new', style: 1, found: amongNewcomers(SEED + 3) },
] as const;

const dayRow = (name: string, day: Day): string[] => {
  const waits = day.waits.flat();
  return [
    name,
    String(day.gaps.length),
    ...[0.5, 0.95, 1].map((share) => `${quantile(waits, share).toFixed(1)} s`),
    mean(day.gaps).toFixed(1),
    ...[0.5, 0.95].map((share) => quantile(day.gaps, share).toFixed(0)),
    String(day.repeats),
    String(day.passedOver),
    String(day.unmatched),
  ];
};
const dayTable = [
  [
    'Pairing',
    'Matches',
    ...['median', '95th', 'max'].map((which) => `Wait, ${which}`),
    ...['mean', 'median', '95th'].map((which) => `Gap, ${which}`),
    'Repeats',
    'Passed over',
    'Unmatched',
  ],
  ...days.map(({ name, day }) => dayRow(name, day)),
];

const shown = [0, 1, 2, 5, 8, 10, 12, 15, 20, 30, 50, 100];
const settlingCells = (found: readonly Settled[], matches: number): string[] => {
  const { meanError = 0, error90 = 0, correlation = 0, provisional = 0 } = found[matches] ?? {};
  return [
    meanError.toFixed(0),
    error90.toFixed(0),
    correlation.toFixed(2),
    `${(100 * provisional).toFixed(0)} %`,
  ];
};
const settlingTable = [
  [
    'Matches',
    ...['settled', 'all new'].flatMap((who) =>
      ['mean', '90th', 'corr.', 'prov.'].map((what) => `${who}: ${what}`),
    ),
  ],
  ...shown.map((matches) => [
    String(matches),
    ...settling.flatMap(({ found }) => settlingCells(found, matches)),
  ]),
];

/** Columns of equal width, for the terminal and for Markdown at once. */
function table([head = [], ...rows]: readonly string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** The match with which half of them are no longer provisional. */
const settledWith = (found: readonly Settled[]) =>
  found.find(({ provisional }) => provisional < 0.5)?.matches;

const percent = (value: number) => `${Math.round(100 * value)} %`;
const EVERY_PERCENT = Array.from({ length: 100 }, (_, at) => (at + 1) / 100);
/** Which share stays below which value. */
const cumulative = (values: readonly number[]): [number, number][] => {
  const sorted = values.toSorted((a, b) => a - b);
  return EVERY_PERCENT.map((share) => [sorted[Math.ceil(share * sorted.length) - 1] ?? 0, share]);
};
const SHARES = { ticks: [0, 0.25, 0.5, 0.75, 1], show: percent };
const HOURS = { label: 'hour of the day', ticks: [0, 4, 8, 12, 16, 20, 23] };

const pairingPicture = chart('A day of pairing: waiting times, rating gaps, and both by the hour', [
  {
    title: 'How long they waited',
    x: { label: 'seconds, at most', ticks: [0, 1, 5, 15, 30, 60, 120], scale: 'root' },
    y: { label: 'share of the players', ...SHARES },
    series: days.map(({ name, style, day }) => ({ name, style, points: cumulative(day.waits.flat()) })),
  },
  {
    title: 'How far apart they were',
    x: { label: 'points of rating between the two, at most', ticks: [0, 100, 200, 400, 600, 800, 1000] },
    y: { label: 'share of the matches', ...SHARES },
    series: days.map(({ name, style, day }) => ({ name, style, points: cumulative(day.gaps) })),
  },
  {
    title: 'The longest waits over the day',
    x: HOURS,
    y: { label: '95th percentile, seconds', ticks: [0, 5, 15, 30, 60, 120, 180], scale: 'root' },
    series: days.map(({ name, style, day }) => ({
      name,
      style,
      points: day.waits.map((waits, hour) => [hour, quantile(waits, 0.95)]),
    })),
  },
  {
    title: 'How many were paired',
    x: HOURS,
    y: { label: 'players in an hour', ticks: [0, 1000, 2000, 3000, 4000, 5000, 6000] },
    series: days.map(({ name, style, day }) => ({
      name,
      style,
      points: day.waits.map((waits, hour) => [hour, waits.length]),
    })),
  },
]);

const settlingPicture = chart('How many matches a rating needs: its error and whether it is provisional', [
  {
    title: 'How far the rating is from the truth',
    x: { label: 'matches played', ticks: [0, 10, 20, 40, 60, 80, 100] },
    y: { label: 'mean error, points', ticks: [0, 50, 100, 150, 200] },
    series: settling.map(({ name, style, found }) => ({
      name,
      style,
      points: found.map(({ matches, meanError }) => [matches, meanError]),
    })),
  },
  {
    title: 'Who is still provisional',
    x: { label: 'matches played', ticks: [0, 5, 10, 15, 20] },
    y: { label: 'share of the newcomers', ...SHARES },
    series: settling.map(({ name, style, found }) => ({
      name,
      style,
      points: found.slice(0, 21).map(({ matches, provisional }) => [matches, provisional]),
    })),
  },
]);

const page = `# Pairing on a day with ${PLAYERS.toLocaleString('en')} players

This page and its pictures are generated by \`npm run simulate\`; the rules are in \`src/domains/pairing/rules.ts\`.

The player who has waited longest is paired first, with the nearest rating within both windows (150 points, and 10 more for
every second waited). To compare, the same players spend a day in one queue three times, paired each second

- as the service does it, by \`pair\` itself,
- first in, first out: each player plays the one who came before, and
- with the minimum gap: of all ways to pair neighbours of the sorted line within the same windows the one with most
  pairs, and among those with the least sum of gaps.

Everybody has a true strength, arrives at the same time on all three days, wants about five matches and breaks of a
minute, and plays 9 to 21 minutes. A fifth are newcomers. The winner is drawn by the true strengths; ratings move by the
rules of [ratings.md](ratings.md). Most come in the evening, fewest at four in the morning, when the day begins.
Somebody who has waited for ten minutes gives up.

${table(dayTable)}

![Waiting times and rating gaps of the three ways to pair, as shares and by the hour](pairing.svg)

How to read it:

- **Wait** is per player and match, in seconds; **gap** per match, in points of the shown rating.
- **Repeats** are matches of two whose last one had ended less than ${REMATCH_SECONDS} seconds before. Here they are the way out
  for two who found nobody else for a minute; the other two ways ignore earlier matches.
- **Passed over** are waits in which two later players were paired, at least one of them in range (and no recent
  opponent). With this service there are none, because the player who has waited longest comes first. The mean gap shows
  the price of that against the minimum.
- **Unmatched** are players who gave up.

# How soon a rating is right

2,000 newcomers play a hundred matches each, once against players of about their rating who have long been here, once
among themselves, as when a season begins. The error is the distance between the shown rating and the one of the true
strength; nine in ten are nearer than the 90th percentile; the correlation says how well the order is right.

${table(settlingTable)}

![Error of a rating and share of provisional ones by the number of matches](ratings.svg)

- A newcomer's rating is off by 200 points because nothing is known. *Provisional* ends, for most, with match
  ${settledWith(settling[0].found)} among settled players, whose results say more, and with match ${settledWith(settling[1].found)} among newcomers; about half of the error is left then.
- Among settled players the error goes on falling. Where everybody is new it stays near ${settling[1].found.at(-1)?.meanError.toFixed(0)} points although
  the order is as right as in the other case: while everybody is in doubt, wins count for more than they will
  later, which stretches the whole scale by about a third. The order of the players does not change by that.
`;

const docs = path.join(import.meta.dirname, '../docs');
await Promise.all([
  writeFile(path.join(docs, 'pairing.md'), page),
  writeFile(path.join(docs, 'pairing.svg'), pairingPicture),
  writeFile(path.join(docs, 'ratings.svg'), settlingPicture),
]);
console.log(
  `${table(dayTable)}\n\n${table(settlingTable)}\n\nWritten: docs/pairing.md, docs/pairing.svg, docs/ratings.svg.`,
);
