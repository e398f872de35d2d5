import { quantiles } from '../../scripts/simulation/statistics.ts';
import type { LoadResult } from './run.ts';
import { count } from './tally.ts';
import type { NodeSample } from './watch.ts';

/** The figures of a run, as tables of text. */
export interface Figures {
  /** A sentence: what was run. */
  title: string;
  /** Milliseconds of everything that somebody waits for. */
  times: readonly TimesRow[];
  others: readonly (readonly [what: string, value: string])[];
  /** The problems, by kind. */
  kinds: readonly (readonly [kind: string, times: number])[];
}

interface TimesRow {
  what: string;
  times: number;
  p50: number;
  p99: number;
  p999: number;
  worst: number;
  /** Outside of restarts and what follows them; null where that is not known. */
  quietP99: number | null;
}

/** After a node is back its players find their way: that long is not counted as quiet. */
const AFTERMATH_MS = 15_000;

export function figuresOf(result: LoadResult): Figures {
  const { options, totals, tally, others, samples, seconds } = result;
  const { players, pace } = options;
  const playerMinutes = (mean(samples.map(({ connected }) => connected)) * seconds) / 60;
  const isQuiet = ({ at }: { at: number }): boolean =>
    result.interruptions.every(({ from, to }) => at < from || at > to + AFTERMATH_MS);
  const timed = (what: string, all: readonly { at: number; ms: number }[]): TimesRow => ({
    ...row(
      what,
      all.map(({ ms }) => ms),
    ),
    quietP99: quantiles(all.filter(isQuiet).map(({ ms }) => ms))(0.99),
  });
  const nodes = samples.flatMap((sample) => sample.nodes.filter((node): node is NodeSample => node !== null));
  const loop = quantiles(nodes.map(({ loopWorstMs }) => loopWorstMs));
  const late = quantiles(samples.map(({ clientsLateMs }) => clientsLateMs));
  const second = (times: number) => `${number(times / seconds)} /s`;
  const connectsBySecond = Map.groupBy(result.connects, (at) => Math.floor((at - result.from) / 1000));
  const mostConnects = Math.max(0, ...[...connectsBySecond.values()].map((one) => one.length));
  const perPlayer = (ms: number) =>
    `${number(ms / playerMinutes)} ms; ${number(ms / playerMinutes / pace)} ms a minute of life (extrapolated: divided by the pace)`;
  const counts = (all: ReadonlyMap<string, number>) =>
    [...all].map(([key, times]) => `${key} × ${number(times)}`).join(', ') || 'none';
  return {
    title: titleOf(result),
    times: [
      timed('Acknowledgement of a message', result.acks),
      timed('Update, from the change to the player', result.updates),
      row('Upload of a replay', tally.uploadTimes),
      row('Read of a website', others.readTimes),
      row('Write of a curator', others.writeTimes),
    ],
    others: [
      ['Players connected, mean', number(mean(samples.map(({ connected }) => connected)))],
      [
        'Players in matches, most',
        `${number(Math.max(0, ...samples.map(({ inMatch }) => inMatch)))} of ${number(players)}`,
      ],
      [
        'Connects',
        `${number(result.connects.length)}, ${second(result.connects.length)}, at most ${number(mostConnects)} in a second`,
      ],
      ['Connections lost that no script took away', number(tally.connectionsLost)],
      ['Attempts to connect that failed', counts(tally.notConnected)],
      [
        'Matches',
        `${number(result.matches.made)} made (${second(result.matches.made)}), ${number(result.matches.ended)} ended: ${counts(new Map(Object.entries(result.reasons)))}`,
      ],
      ['Messages acknowledged', second(result.acks.length)],
      ['Updates', second(result.updates.length)],
      [
        'Statements of PostgreSQL',
        totals.statements === null ? 'not counted here' : second(totals.statements),
      ],
      ['Transactions', second(totals.transactions)],
      ['Processor of the service for each player and minute', perPlayer(totals.serviceMs)],
      ['Processor of PostgreSQL for each player and minute', perPlayer(totals.postgresMs)],
      [
        'Processors used by service, PostgreSQL and players, mean',
        [totals.serviceMs, totals.postgresMs, result.clientsMs]
          .map((ms) => number(ms / 1000 / seconds))
          .join(', '),
      ],
      [
        'Nodes were ready to run and had no processor',
        `${number(100 * mean(nodes.map(({ waitedShare }) => waitedShare)))} % of the time; load average of the machine ${number(result.loadAverage)}`,
      ],
      [
        'Memory',
        `${mebibytes(totals.nodeBytes)} a node, ${mebibytes(totals.postgresBytes)} PostgreSQL, at most`,
      ],
      [
        'Limits told after they were due',
        `${number(result.lateness.limits)} limits, ${number(result.lateness.p99Ms)} ms (99 %), ${number(result.lateness.worstMs)} ms at worst`,
      ],
      [
        'Event loop stood, worst of each second',
        `${number(loop(0.5))} ms (median), ${number(loop(0.99))} ms (99 %), ${number(loop(1))} ms at worst`,
      ],
      [
        'Event loop of the players’ processes, the same',
        `${number(late(0.5))} ms (median), ${number(late(0.99))} ms (99 %), ${number(late(1))} ms at worst`,
      ],
      ['Refused commands', counts(tally.refused)],
      ['Refused uploads', counts(tally.uploadsRefused)],
      ['Players who had to ask because nothing was told', number(tally.askedAgain)],
      ['Requests of websites and curators that failed', counts(others.unexpected)],
      ['Commands sent, acknowledged', `${number(result.commands)}, ${number(result.acknowledged)}`],
      [
        'Verdict',
        result.problems.length === 0 ? 'nothing was lost' : `${number(result.problems.length)} problems`,
      ],
    ],
    kinds: kindsOf(result.problems),
  };
}

function titleOf({ options, hasRedis }: LoadResult): string {
  const { players, minutes, nodes, pace, restarts } = options;
  const where = nodes === 1 ? 'one node' : `${nodes} nodes ${hasRedis ? 'with' : 'without'} Redis`;
  const how = restarts ? ', each node restarted once and one killed' : '';
  return `${number(players)} players, ${number(minutes)} minutes, ${where}, pace ${pace}${how}`;
}

/** The same sentence about other matches and players is one kind. */
function kindsOf(problems: readonly string[]): [string, number][] {
  const kinds = new Map<string, number>();
  for (const problem of problems) {
    const [, times = '1', what = ''] = /^(?:(\d+) × )?(.*)/s.exec(problem) ?? [];
    const kind = what
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
      .replaceAll(/Player \d+/g, 'a player')
      .replaceAll(/\d+(\.\d+)?/g, 'n')
      .slice(0, 200);
    count(kinds, kind, Number(times));
  }
  return [...kinds].sort((a, b) => b[1] - a[1]);
}

const row = (what: string, values: readonly number[]): TimesRow => {
  const at = quantiles(values);
  return {
    what,
    times: values.length,
    p50: at(0.5),
    p99: at(0.99),
    p999: at(0.999),
    worst: at(1),
    quietP99: null,
  };
};

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
/** Three digits, and all of those before the point. */
export const number = (value: number): string => {
  const digits = value === 0 ? 0 : 2 - Math.floor(Math.log10(Math.abs(value)));
  return value.toLocaleString('en', { maximumFractionDigits: Math.min(6, Math.max(0, digits)) });
};
const mebibytes = (bytes: number): string => `${number(Math.round(bytes / 2 ** 20))} MiB`;
