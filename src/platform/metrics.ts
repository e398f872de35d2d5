import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { HotHistogram } from './histogram.ts';

/**
 * What an operator watches, in the form Prometheus reads. What happens often costs
 * a fifth of a microsecond to note.
 */
export interface Metrics {
  /** An HTTP request was answered. @param route as declared, such as `/pools/:poolGuid` */
  request(method: string, route: string, status: number, milliseconds: number): void;
  /** The same for answers that are many. @returns takes milliseconds */
  requests(method: string, route: string, status: number): (milliseconds: number) => void;
  /** A command on the socket was acknowledged. @param outcome `ok` or the code of the refusal */
  command(event: string, outcome: string, milliseconds: number): void;
  /** A handshake of the socket channel was decided. @param outcome `ok` or the code of the refusal */
  handshake(outcome: string): void;
  /** A connection of the socket channel broke a bound and was cut. */
  cut(reason: string): void;
  /** An HTTP request was refused. @param route as declared */
  refusal(method: string, route: string, code: string): void;
  /** How often something became what. @param label what the words are of, of which there are few */
  count(name: string, help: string, label: string): (word: string) => void;
  /** A count since the start that somebody else keeps, because it grows too often to be told. */
  total(name: string, help: string, read: () => number): void;
  /** A number that is looked up whenever somebody asks. One that cannot be looked up is left out. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** Times that belong to a domain. @returns takes milliseconds */
  times(name: string, help: string, bucketsInSeconds: readonly number[]): (milliseconds: number) => void;
  /** Everything, as text; and its content type. */
  text(): Promise<string>;
  contentType: string;
}

const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Memory, processor time, event-loop lag, garbage collection.
  collectDefaultMetrics({ register: registry });

  const requests = new HotHistogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    buckets: QUICK,
    registry,
  });
  const commands = new HotHistogram({
    name: 'socket_command_duration_seconds',
    help: 'Time from a command on the socket to its acknowledgement',
    buckets: QUICK,
    registry,
  });
  const refusals = new Counter({
    name: 'http_refusals_total',
    help: 'Requests that were refused, by the code of the refusal',
    labelNames: ['method', 'route', 'code'],
    registers,
  });
  const handshakes = new Counter({
    name: 'socket_handshakes_total',
    help: 'Handshakes of the socket channel, by what became of them',
    labelNames: ['outcome'],
    registers,
  });
  const cuts = new Counter({
    name: 'socket_connections_cut_total',
    help: 'Connections of the socket channel that broke a bound and were cut, by which',
    labelNames: ['reason'],
    registers,
  });
  const failedLooks = new Counter({
    name: 'metrics_unreadable_total',
    help: 'Numbers that could not be looked up when somebody asked',
    labelNames: ['name'],
    registers,
  });

  const seriesOf = (method: string, route: string, status: number) => {
    const group = `${Math.floor(status / 100)}xx`;
    return [`${method} ${route} ${group}`, () => ({ method, route, status: group })] as const;
  };

  // All labels are names of ours or from tables of ours, so there are few.
  return {
    request: (method, route, status, milliseconds) =>
      requests.observe(...seriesOf(method, route, status), milliseconds / 1000),
    requests: (method, route, status) => {
      const observe = requests.observer(...seriesOf(method, route, status));
      return (milliseconds) => observe(milliseconds / 1000);
    },
    command: (event, outcome, milliseconds) =>
      commands.observe(`${event} ${outcome}`, () => ({ event, outcome }), milliseconds / 1000),
    handshake: (outcome) => handshakes.inc({ outcome }),
    cut: (reason) => cuts.inc({ reason }),
    refusal: (method, route, code) => refusals.inc({ method, route, code }),
    count: (name, help, label) => {
      const counter = new Counter({ name, help, labelNames: [label], registers });
      return (word) => counter.inc({ [label]: word });
    },
    total: (name, help, read) => {
      const counter = new Counter({
        name,
        help,
        registers,
        collect: () => {
          counter.reset();
          counter.inc(read());
        },
      });
    },
    gauge: (name, help, read) => {
      const gauge = new Gauge({
        name,
        help,
        registers,
        collect: async () => {
          try {
            gauge.set(await read());
          } catch {
            gauge.remove();
            failedLooks.inc({ name });
          }
        },
      });
    },
    times: (name, help, buckets) => {
      const histogram = new Histogram({ name, help, buckets: [...buckets], registers });
      return (milliseconds) => histogram.observe(milliseconds / 1000);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
