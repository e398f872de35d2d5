import type { Clock } from '../clock.ts';
import { withDeadline } from '../database/deadline.ts';
import { commonErrors } from '../errors.ts';
import { BOUNDS, RATES } from '../limits.ts';
import { TokenBuckets } from '../rate-limit.ts';
import { firstSentence } from '../validation.ts';
import type { QueueBounds, QueuedCommand } from './command-queue.ts';
import type { Binding, ClientEvent, Envelope } from './contract.ts';
import type { Command } from './decoder.ts';
import { type AsRefusal, tooMany } from './refusals.ts';

interface CommandsOptions<Session> {
  clock: Clock;
  /** Multiplies the rates; 0: no limit. */
  rateLimitFactor: number;
  bindings: readonly Binding<Session>[];
  asRefusal: AsRefusal;
  observe(event: string, outcome: string, milliseconds: number): void;
}

/** After how long to try again when the queue of a connection is full, because the service is slow. */
const SLOW_MS = 1000;

/** How often the same read of a connection is executed in a second. Those in between share an answer. */
const REPEATS_PER_SECOND = 5;

/** As many commands of a connection may wait as may come at once. */
export const queueBounds = (factor: number): QueueBounds => {
  const burst = ({ most }: { most: number }): number =>
    factor === 0 ? Number.POSITIVE_INFINITY : Math.max(1, 2 * most * factor);
  return {
    ordinary: burst(RATES.commands),
    merged: burst(RATES.mergedCommands),
    repeatMs: factor === 0 ? 0 : 1000 / (REPEATS_PER_SECOND * factor),
  };
};

/** How many characters are sent of a refusal that quotes the client. */
const LONGEST_QUOTE = 200;
const shortened = (text: string): string =>
  text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE).toWellFormed()}…`;

/** Limits, parses and dispatches the messages of all domains. */
export function bindCommands<Session extends { playerGuid: string }>(options: CommandsOptions<Session>) {
  const { clock, rateLimitFactor: factor, bindings, asRefusal, observe } = options;
  type Handle = (session: Session, payload: never, arrivedAt: number) => Promise<unknown>;
  const messages = new Map<string, { contract: ClientEvent; handle: Handle }>();
  for (const { contract, handlers } of bindings) {
    for (const [event, about] of Object.entries(contract)) {
      const handle = handlers[event];
      if (handle === undefined || messages.has(event))
        throw new Error(`The message ${event} needs one handler.`);
      messages.set(event, { contract: about, handle });
    }
  }

  // A player has one connection, so its node counts the commands without Redis.
  const buckets = ({ most }: { most: number }) =>
    new TokenBuckets({ perSecond: most, burst: 2 * most }, factor, clock);
  const ordinary = buckets(RATES.commands);
  // Merged commands need a higher rate: a plugin may send one for every frame that a headset draws.
  const merged = buckets(RATES.mergedCommands);

  const note = (name: string, outcome: string, startedAt: number): void =>
    // Unknown names are counted as one, because clients can invent any number of them.
    observe(messages.has(name) ? name : 'unknown', outcome, performance.now() - startedAt);

  const refusal = (session: Session, name: string, error: unknown, startedAt: number): Envelope => {
    const { code, message } = asRefusal(error, { event: name, playerGuid: session.playerGuid });
    note(name, code, startedAt);
    return { ok: false, error: { code, message } };
  };

  /** Made without an error object, because a flood of commands must cost little. */
  const refuseForRate = (name: string, waitMs: number): Envelope => {
    note(name, 'RATE_LIMITED', performance.now());
    return { ok: false, error: { code: 'RATE_LIMITED', message: tooMany(waitMs) } };
  };

  /** @throws UNKNOWN_EVENT, VALIDATION_FAILED */
  const parse = (command: Command) => {
    const message = messages.get(command.name);
    if (message === undefined)
      throw commonErrors.UNKNOWN_EVENT({ message: `There is no event ${command.name.slice(0, 50)}.` });
    const payloads = command.read();
    if (payloads.length > 1)
      throw commonErrors.VALIDATION_FAILED({ message: 'An event carries one payload object.' });
    const payload = message.contract.payload.safeParse(payloads.length === 0 ? {} : payloads[0]);
    if (payload.success) return { ...message, payload: payload.data };
    throw commonErrors.VALIDATION_FAILED({ message: shortened(firstSentence(payload.error)) });
  };

  /**
   * @param arrivedAt by the service's clock, see `arrivals.ts`
   * @returns the refusal, which is sent at once, or the parsed command for the queue
   */
  return (session: Session, command: Command, arrivedAt: number): Envelope | QueuedCommand => {
    const { name } = command;
    const { playerGuid } = session;
    const isMerged = messages.get(name)?.contract.isMerged;
    const first = isMerged ? merged : ordinary;
    const waitMs = first.take(playerGuid);
    if (waitMs > 0) return refuseForRate(name, waitMs);
    const startedAt = performance.now();
    let parsed: ReturnType<typeof parse> | null = null;
    let problem: unknown;
    try {
      parsed = parse(command);
    } catch (error) {
      problem = error;
    }
    // Only the payload says whether this command is merged.
    const isOrdinary = isMerged !== undefined && !(parsed && isMerged(parsed.payload));
    const ownWaitMs = isOrdinary ? ordinary.take(playerGuid) : 0;
    if (ownWaitMs > 0) return refuseForRate(name, ownWaitMs);
    if (parsed === null) return refusal(session, name, problem, startedAt);
    const { contract, handle, payload } = parsed;
    return {
      readKey: contract.isReadOnly ? `${name} ${JSON.stringify(payload)}` : null,
      isMerged: isMerged !== undefined && !isOrdinary,
      refuse: () => refuseForRate(name, SLOW_MS),
      expire: () => refusal(session, name, commonErrors.SERVICE_UNAVAILABLE(), startedAt),
      run: async () => {
        const begunAt = performance.now();
        try {
          const until = startedAt + BOUNDS.command.value;
          const data = await withDeadline(until, () => handle(session, payload as never, arrivedAt));
          note(name, 'ok', begunAt);
          return { ok: true, data };
        } catch (error) {
          return refusal(session, name, error, begunAt);
        }
      },
    };
  };
}
