import type { Clock } from '../../platform/clock.ts';
import { isOutOfReach } from '../../platform/database/out-of-reach.ts';
import { wholeBody } from '../../platform/whole-body.ts';
import { pauseOf } from './allowance.ts';
import { type Asker, type Gate, HostUnavailable } from './gate.ts';

/** Sends requests to the map host and its file host, each in its turn, and reports to the gate what became of them. */

export interface RequestsOptions {
  userAgent: string;
  /** For one request: connection, headers and body. */
  timeoutMs: number;
  gate: Gate;
  clock: Clock;
  /** Whether a redirect to this address is followed: any other would let the host choose any server. */
  mayFollow(address: URL): boolean;
  /** The types of content that are read, as a pattern of the header. Without the header anything is read. */
  types: RegExp;
  accept: string;
  /** Called with the duration of each request, in milliseconds. */
  onAsked?(milliseconds: number): void;
}

/** The host answered something unusable. */
export class UnusableAnswer extends Error {}

const MAX_REDIRECTS = 3;
/** How often a request is sent at most, as long as the host answers with 429. */
const ATTEMPTS: Record<Asker['rank'], number> = { curator: 2, batch: 4, check: 4 };

/** Whether a status says that the host is in trouble or refuses us, whatever the request is. */
const isUnavailable = (status: number) => status >= 500 || status === 401 || status === 403;

export type Requests = ReturnType<typeof createRequests>;

export function createRequests(options: RequestsOptions) {
  const { gate, clock, timeoutMs, types, mayFollow } = options;

  const read = async (response: Response, maxBytes: number) => {
    const type = response.headers.get('content-type')?.toLowerCase();
    if (type && !types.test(type))
      throw new UnusableAnswer(`the map host answered with ${type.slice(0, 100)}`);
    const body = await wholeBody(response, maxBytes);
    if (body === null) throw new UnusableAnswer('the map host’s answer is too large');
    return body;
  };

  /** @returns an empty body unless the status is 200 */
  const request = async (address: string, maxBytes: number, asker: Asker) => {
    await gate.enter(asker);
    const startedAt = performance.now();
    const timeout = AbortSignal.timeout(timeoutMs);
    let isAvailable = false;
    try {
      const response = await fetch(address, {
        redirect: 'manual',
        headers: { accept: options.accept, 'user-agent': options.userAgent },
        signal: asker.signal ? AbortSignal.any([timeout, asker.signal]) : timeout,
      });
      const { status, headers } = response;
      isAvailable = !isUnavailable(status);
      const pauseMs = pauseOf(status, headers, clock.now());
      if (pauseMs > 0) await gate.pause(pauseMs);
      if (status === 200) return { status, body: await read(response, maxBytes), location: null };
      await response.body?.cancel();
      return { status, body: Buffer.alloc(0), location: headers.get('location') };
    } catch (cause) {
      // That a pause cannot be stored says nothing about the host.
      if (cause instanceof UnusableAnswer || isOutOfReach(cause)) throw cause;
      // An aborted request is no failure of the host.
      isAvailable = asker.signal?.aborted ?? false;
      throw new HostUnavailable('the map host did not answer', { cause });
    } finally {
      options.onAsked?.(performance.now() - startedAt);
      if (isAvailable) gate.answered();
      else gate.failed(asker);
    }
  };

  return {
    /**
     * The answer of an address, after at most three redirects.
     * @throws HostUnavailable (also for 5xx, 401 and 403), UnusableAnswer
     */
    ask: async (address: string, maxBytes: number, asker: Asker) => {
      let at = address;
      let redirects = 0;
      let attempts = 1;
      for (;;) {
        const reply = await request(at, maxBytes, asker);
        if (reply.status === 429) {
          if (attempts === ATTEMPTS[asker.rank])
            throw new HostUnavailable('the map host is over its limit', { retryInMs: gate.pauseMs() });
          attempts += 1;
          continue;
        }
        if (isUnavailable(reply.status))
          throw new HostUnavailable(`the map host answered ${reply.status}`, {
            retryInMs: gate.pauseMs() || null,
          });
        if (reply.status < 300 || reply.status > 399 || reply.location === null) return reply;
        if (!URL.canParse(reply.location, at)) throw new UnusableAnswer('the map host redirected to nowhere');
        const next = new URL(reply.location, at);
        if (!mayFollow(next)) throw new UnusableAnswer('the map host redirected to another origin');
        if (redirects === MAX_REDIRECTS) throw new UnusableAnswer('the map host redirected too often');
        redirects += 1;
        at = next.href;
      }
    },
  };
}
