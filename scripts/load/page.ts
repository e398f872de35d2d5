import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import path from 'node:path';
import { type Figures, number } from '../../test/load/figures.ts';
import { pacedValues } from '../../test/load/pace.ts';
import type { LoadResult } from '../../test/load/run.ts';
import { chart, type Panel } from '../simulation/chart.ts';

/** `docs/load.md` and `docs/load.svg`: what was measured, each run in a section that another run of the same kind replaces. */

const docs = path.join(import.meta.dirname, '../../docs');

export async function writePage(result: LoadResult, figures: Figures): Promise<void> {
  const file = path.join(docs, 'load.md');
  let page = await readFile(file, 'utf8');
  page = withSection(page, 'pace', paceTable());
  page = withSection(page, figures.title, sectionOf(result, figures));
  await writeFile(file, page);
  await writeFile(path.join(docs, 'load.svg'), pictureOf(result, figures.title));
}

/** Replaces what stands between the marks of this name; without marks it is put at the end. */
function withSection(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- begin: ${name} -->`, `<!-- end: ${name} -->`];
  const section = `${begin}\n${content.trim()}\n${end}`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to === -1) return `${page.trimEnd()}\n\n${section}\n`;
  return page.slice(0, from) + section + page.slice(to + end.length);
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const paceTable = (): string =>
  table(
    ['Variable', 'in life', 'at pace 10', 'at pace 60'],
    pacedValues(10).map(({ name, life, value }, at) => [
      `\`${name}\``,
      String(life),
      String(value),
      String(pacedValues(60)[at]?.value),
    ]),
  );

function sectionOf({ options }: LoadResult, { title, times, others, kinds }: Figures): string {
  const ms = (value: number | null) => (value === null ? '' : number(value));
  const [cpu] = cpus();
  return [
    `### ${title}`,
    '',
    `${new Date().toISOString().slice(0, 10)}, seed \`${options.seed}\`, Node ${process.versions.node}, ${availableParallelism()} processors for everything (${cpu?.model.trim() ?? 'unknown'}), ${number(Math.round(totalmem() / 2 ** 30))} GiB.`,
    '',
    table(
      ['Milliseconds', 'times', 'median', '99 %', '99.9 %', 'worst', '99 % outside restarts'],
      times.map(({ what, times, p50, p99, p999, worst, quietP99 }) => [
        what,
        ...[times, p50, p99, p999, worst].map(ms),
        ms(quietP99),
      ]),
    ),
    '',
    table(['What', 'Measured'], others),
    ...(kinds.length === 0
      ? []
      : [
          '',
          table(
            ['Problem', 'Times'],
            kinds.map(([kind, times]) => [kind.replaceAll('|', '\\|').replaceAll('\n', ' '), number(times)]),
          ),
        ]),
  ].join('\n');
}

function pictureOf({ samples, options, interruptions, from }: LoadResult, title: string): string {
  const last = Math.ceil(samples.at(-1)?.at ?? 1);
  const x = { label: 'Seconds', ticks: ticksTo(last) };
  const panel = (
    title: string,
    label: string,
    series: [name: string, value: (sample: (typeof samples)[number]) => number][],
  ): Panel => {
    const most = Math.max(1, ...samples.flatMap((sample) => series.map(([, value]) => value(sample))));
    return {
      title,
      x,
      y: { label, ticks: ticksTo(most) },
      series: series.map(([name, value], style) => ({
        name,
        style: style as 0 | 1 | 2,
        points: samples.map((sample) => [sample.at, value(sample)]),
      })),
    };
  };
  const events = interruptions.map(
    ({ kind, node, from: at }) => `${kind} of node ${node} at ${((at - from) / 1000).toFixed(0)} s`,
  );
  return chart(`${title}. ${events.join(', ')}`, [
    panel('Players', 'players', [
      ['connected', ({ connected }) => connected],
      ['in matches', ({ inMatch }) => inMatch],
    ]),
    panel('Acknowledgements of each second', 'ms, 99 %', [
      ['99 % of acknowledgements', ({ ackP99Ms }) => ackP99Ms],
    ]),
    panel('Processor', 'processors', [
      ...Array.from(
        { length: Math.min(2, options.nodes) },
        (_, node) =>
          [`node ${node}`, (sample: (typeof samples)[number]) => sample.nodes[node]?.processorShare ?? 0] as [
            string,
            (sample: (typeof samples)[number]) => number,
          ],
      ),
      ['PostgreSQL', ({ postgresShare }) => postgresShare],
    ]),
    panel(
      'Event loop, worst of each second',
      'ms',
      Array.from({ length: Math.min(2, options.nodes) }, (_, node) => [
        `node ${node}`,
        (sample: (typeof samples)[number]) => sample.nodes[node]?.loopWorstMs ?? 0,
      ]),
    ),
  ]);
}

/** Five or so even steps from 0 to at least this. */
function ticksTo(most: number): number[] {
  const rough = most / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, nth) => Number((nth * step).toPrecision(6)));
}
