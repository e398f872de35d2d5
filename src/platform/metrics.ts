import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The numbers for operators, in the format of Prometheus. Labels are names of ours or come from tables of ours, so a
 * metric has few series.
 */
export interface Metrics {
  /** An HTTP request was answered. @param route as declared, such as `/pools/:poolGuid` */
  request(method: string, route: string, status: number, milliseconds: number): void;
  /** A command on the socket was acknowledged. @param outcome `ok` or the code of the refusal */
  command(event: string, outcome: string, milliseconds: number): void;
  /** A handshake of the socket channel was decided. @param outcome `ok` or the code of the refusal */
  handshake(outcome: string): void;
  /** A connection of the socket channel broke a bound and was cut. */
  cut(reason: string): void;
  /** An HTTP request was refused. @param route as declared */
  refusal(method: string, route: string, code: string): void;
  /** Counts events by one label, which has few values. @returns takes a value of the label */
  count(name: string, help: string, label: string): (word: string) => void;
  /** A count since the start that is kept elsewhere and read for each answer. */
  total(name: string, help: string, read: () => number): void;
  /** A number that is read for each answer. One that cannot be read is left out. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** Durations of a domain. @returns takes milliseconds */
  times(name: string, help: string, bucketsInSeconds: readonly number[]): (milliseconds: number) => void;
  /** All metrics, as text; and its content type. */
  text(): Promise<string>;
  contentType: string;
}

const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Memory, processor time, event-loop lag, garbage collection.
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: QUICK,
    registers,
  });
  const commands = new Histogram({
    name: 'socket_command_duration_seconds',
    help: 'Time from a command on the socket to its acknowledgement',
    labelNames: ['event', 'outcome'],
    buckets: QUICK,
    registers,
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
  const unreadable = new Counter({
    name: 'metrics_unreadable_total',
    help: 'Numbers that could not be looked up when somebody asked',
    labelNames: ['name'],
    registers,
  });

  return {
    request: (method, route, status, milliseconds) =>
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, milliseconds / 1000),
    command: (event, outcome, milliseconds) => commands.observe({ event, outcome }, milliseconds / 1000),
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
            unreadable.inc({ name });
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
