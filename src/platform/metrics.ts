import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The numbers for operators, in the format of Prometheus. Labels are names of ours or come from tables of ours, so a
 * metric has few series.
 */
export type Metrics = ReturnType<typeof createMetrics>;

/**
 * The numbers of the process: memory, processor time, event-loop lag, garbage collection. One registry for all services
 * of a process, because the library offers no way to end its timer and its observer, which hold their registry.
 */
let processRegistry: Registry | undefined;

function openProcessRegistry(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/**
 * Codes of which a few raise an alert (docs/operations.md). Prometheus sees no increase in a count that begins at 1, so these
 * begin at 0 with the start of the node.
 */
const ALERTING = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
const ALERTING_ROUTE = [...ALERTING, 'STORAGE_UNAVAILABLE', 'STORAGE_FULL'];
/** The same of routes with the deploy secret: somebody guesses it. */
const ALERTING_INTERNAL = [...ALERTING_ROUTE, 'UNAUTHENTICATED', 'RATE_LIMITED'];

const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const ofProcess = openProcessRegistry();

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
  const count = (name: string, help: string, label: string, known: readonly string[] = []) => {
    const counter = new Counter({ name, help, labelNames: [label], registers });
    for (const word of known) counter.inc({ [label]: word }, 0);
    return (word: string): void => counter.inc({ [label]: word });
  };
  const unreadable = count(
    'metrics_unreadable_total',
    'Gauges that could not be read for a scrape, by name',
    'name',
  );

  return {
    /** There is a route. Its refusals of which a few raise an alert begin at 0. @param route as declared */
    route: (method: string, route: string) => {
      for (const code of route.startsWith('/internal/') ? ALERTING_INTERNAL : ALERTING_ROUTE)
        refusals.inc({ method, route, code }, 0);
    },
    /** There are these commands on the socket. Their refusals of which a few raise an alert begin at 0. */
    commands: (events: readonly string[]) => {
      for (const event of events) for (const outcome of ALERTING) commands.zero({ event, outcome });
    },
    /** An HTTP request was answered. @param route as declared, such as `/pools/:poolGuid` */
    request: (method: string, route: string, status: number, milliseconds: number) =>
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, milliseconds / 1000),
    /** A command on the socket was acknowledged. @param outcome `ok` or the code of the refusal */
    command: (event: string, outcome: string, milliseconds: number) =>
      commands.observe({ event, outcome }, milliseconds / 1000),
    /** A handshake of the socket channel was decided. Takes `ok` or the code of the refusal. */
    handshake: count('socket_handshakes_total', 'Handshakes of the socket channel, by outcome', 'outcome', [
      'ok',
    ]),
    /** A connection of the socket channel broke a bound and was cut. */
    cut: count(
      'socket_connections_cut_total',
      'Connections of the socket channel that broke a bound and were cut, by which',
      'reason',
    ),
    /** An HTTP request was refused. @param route as declared */
    refusal: (method: string, route: string, code: string) => refusals.inc({ method, route, code }),
    /**
     * Counts events by one label, which has few values.
     * @param known values that an alert compares, or of which a few raise one: they begin at 0
     * @returns takes a value of the label
     */
    count,
    /** A count since the start that is kept elsewhere and read for each answer. */
    total: (name: string, help: string, read: () => number) => {
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
    /** A number that is read for each answer. One that cannot be read is left out. */
    gauge: (name: string, help: string, read: () => number | Promise<number>) => {
      const gauge = new Gauge({
        name,
        help,
        registers,
        collect: async () => {
          try {
            gauge.set(await read());
          } catch {
            gauge.remove();
            unreadable(name);
          }
        },
      });
    },
    /** Durations of a domain. @param buckets in seconds @returns takes milliseconds */
    times: (name: string, help: string, buckets: number[]) => {
      const histogram = new Histogram({ name, help, buckets, registers });
      return (milliseconds: number): void => histogram.observe(milliseconds / 1000);
    },
    /** All metrics, as text. */
    text: async () => (await ofProcess.metrics()) + (await registry.metrics()),
    contentType: registry.contentType,
  };
}
