import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { HotHistogram } from './histogram.ts';

/**
 * What an operator watches, in the form Prometheus reads. What happens often costs
 * a fifth of a microsecond to note.
 */
export interface Metrics {
  /** An HTTP request was answered. @param route as declared, such as `/pools/:poolGuid` */
  request(method: string, route: string, status: number, milliseconds: number): void;
  /** A command on the socket was acknowledged. @param outcome `ok` or the code of the refusal */
  command(event: string, outcome: string, milliseconds: number): void;
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
  const failedLooks = new Counter({
    name: 'metrics_unreadable_total',
    help: 'Numbers that could not be looked up when somebody asked',
    labelNames: ['name'],
    registers,
  });

  // All labels are names of ours or from tables of ours, so there are few.
  return {
    request: (method, route, status, milliseconds) => {
      const group = `${Math.floor(status / 100)}xx`;
      requests.observe(
        `${method} ${route} ${group}`,
        () => ({ method, route, status: group }),
        milliseconds / 1000,
      );
    },
    command: (event, outcome, milliseconds) =>
      commands.observe(`${event} ${outcome}`, () => ({ event, outcome }), milliseconds / 1000),
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
