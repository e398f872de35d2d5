import type { Clock } from '../clock.ts';
import { commonErrors } from '../errors.ts';
import { RATES } from '../limits.ts';
import { TokenBuckets } from '../rate-limit.ts';
import { firstSentence } from '../validation.ts';
import type { Binding, ClientEvent, Envelope } from './contract.ts';
import type { Command } from './decoder.ts';
import type { Job } from './line.ts';
import { type AsRefusal, tooMany } from './refusals.ts';

interface CommandsOptions<Session> {
  clock: Clock;
  /** Of the rates. 0 switches them off. */
  factor: number;
  bindings: readonly Binding<Session>[];
  asRefusal: AsRefusal;
  observe?: ((event: string, outcome: string, milliseconds: number) => void) | undefined;
}

/** When to try again what there was no room for: the service is slow, not the client quick. */
const SLOW_MS = 1000;

/** How many commands of a connection may wait for their turn: as many as may come at once. */
export const mostWaiting = (factor: number) => {
  const burst = ({ most }: { most: number }): number =>
    factor === 0 ? Number.POSITIVE_INFINITY : Math.max(1, 2 * most * factor);
  return { ordinary: burst(RATES.commands), merged: burst(RATES.mergedCommands) };
};

/** How much of a refusal that quotes the client is sent back. */
const LONGEST_QUOTE = 200;
const shortened = (text: string): string =>
  text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE).toWellFormed()}…`;

/** The messages of all domains: their rates, their payloads, and what answers them. */
export function bindCommands<Session extends { playerGuid: string }>(options: CommandsOptions<Session>) {
  const { clock, factor, bindings, asRefusal, observe } = options;
  type Handle = (session: Session, payload: never) => Promise<unknown>;
  const messages = new Map<string, { contract: ClientEvent; handle: Handle }>();
  for (const { contract, handlers } of bindings) {
    for (const [event, about] of Object.entries(contract)) {
      const handle = handlers[event];
      if (handle === undefined || messages.has(event))
        throw new Error(`The message ${event} needs one handler.`);
      messages.set(event, { contract: about, handle });
    }
  }

  // A player has one connection, so commands are counted where it is: asking Redis would double their way.
  const buckets = ({ most }: { most: number }) =>
    factor === 0 ? null : new TokenBuckets({ perSecond: most, burst: 2 * most }, factor, clock);
  const ordinary = buckets(RATES.commands);
  // What is merged is not refused: room for one in every frame a headset draws.
  const merged = buckets(RATES.mergedCommands);

  const note = (name: string, outcome: string, startedAt: number): void =>
    // Names that clients make up are one name: there is no end of them.
    observe?.(messages.has(name) ? name : 'unknown', outcome, performance.now() - startedAt);

  const refusal = (session: Session, name: string, error: unknown, startedAt: number): Envelope => {
    const { code, message } = asRefusal(error, { event: name, playerGuid: session.playerGuid });
    note(name, code, startedAt);
    return { ok: false, error: { code, message } };
  };

  /** Without a stack and before anything is read: whoever floods gets nothing that costs more. */
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
   * Reads a command as far as its sender may send it.
   * @returns the refusal, which is told at once, or what is to be done when its turn has come
   */
  return (session: Session, command: Command): Envelope | Job => {
    const { name } = command;
    const { playerGuid } = session;
    const isMerged = messages.get(name)?.contract.isMerged;
    const first = isMerged ? merged : ordinary;
    const waitMs = first?.take(playerGuid) ?? 0;
    if (waitMs > 0) return refuseForRate(name, waitMs);
    const startedAt = performance.now();
    let parsed: ReturnType<typeof parse> | null = null;
    let problem: unknown;
    try {
      parsed = parse(command);
    } catch (error) {
      problem = error;
    }
    // Only its payload says whether this one is merged with others.
    const isOrdinary = isMerged !== undefined && !(parsed && isMerged(parsed.payload));
    const ownWaitMs = isOrdinary ? (ordinary?.take(playerGuid) ?? 0) : 0;
    if (ownWaitMs > 0) return refuseForRate(name, ownWaitMs);
    if (parsed === null) return refusal(session, name, problem, startedAt);
    const { contract, handle, payload } = parsed;
    return {
      question: contract.isQuestion ? `${name} ${JSON.stringify(payload)}` : null,
      isMerged: isMerged !== undefined && !isOrdinary,
      refuse: () => refuseForRate(name, SLOW_MS),
      run: async () => {
        const begunAt = performance.now();
        try {
          const data = await handle(session, payload as never);
          note(name, 'ok', begunAt);
          return { ok: true, data };
        } catch (error) {
          return refusal(session, name, error, begunAt);
        }
      },
    };
  };
}
