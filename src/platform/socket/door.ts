import type { FastifyBaseLogger } from 'fastify';
import type { Clock, Randomness } from '../clock.ts';
import { commonErrors, type ServiceError } from '../errors.ts';
import { BOUNDS, RATES } from '../limits.ts';
import { addressLimit, windowLimit } from '../rate-limit.ts';
import type { Redis } from '../redis.ts';
import { sampleLines } from '../sampled-log.ts';
import { type AsRefusal, tooMany } from './refusals.ts';

interface DoorOptions {
  clock: Clock;
  randomness: Randomness;
  logger: FastifyBaseLogger;
  factor: number;
  redis: Redis | null;
  asRefusal: AsRefusal;
  /** Told of every handshake. @param outcome `ok` or the code of the refusal */
  onHandshake(outcome: string): void;
}

/** A refused handshake as Socket.IO carries it: C# clients see `message` only, so it is exactly the code. */
export interface ConnectError extends Error {
  data: {
    code: string;
    message: string;
    /** Milliseconds after which another attempt may go better; null where time alone changes nothing. */
    retryAfterMs: number | null;
  };
}

const RECONNECT_FIRST_MS = 500;
const RECONNECT_LAST_MS = 5000;

/** When a client of a server that stops should come again: each at another time, so that they do not come at once. */
export function reconnectDelay(randomness: Randomness): number {
  const [high = 0, low = 0] = randomness.bytes(2);
  const share = (high * 256 + low) / 65_535;
  return Math.round(RECONNECT_FIRST_MS + share * (RECONNECT_LAST_MS - RECONNECT_FIRST_MS));
}

/**
 * @returns what is decided within the time of a handshake; a later decision changes nothing
 * @throws SERVICE_UNAVAILABLE after it: the database does not answer
 */
async function inTime<Decision>(decided: Promise<Decision>): Promise<Decision> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(commonErrors.SERVICE_UNAVAILABLE()), BOUNDS.handshake.value);
  });
  try {
    return await Promise.race([decided, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Counts handshakes, and decides what a refused one is told. */
export function openDoor({ clock, randomness, logger, factor, redis, asRefusal, onHandshake }: DoorOptions) {
  const limits = { factor, clock, redis };
  const ofAddress = addressLimit('handshakes-address', RATES.handshakesOfAddress, limits);
  const refused = addressLimit('handshakes-refused', RATES.refusedHandshakes, limits);
  const ofPlayer = windowLimit('handshakes-player', RATES.handshakesOfPlayer, limits);
  const sample = sampleLines(clock);

  const connectError = ({ code, message }: ServiceError, retryAfterMs: number | null): ConnectError =>
    Object.assign(new Error(code), { data: { code, message, retryAfterMs } });
  const rateLimited = (waitMs: number): ConnectError =>
    connectError(commonErrors.RATE_LIMITED({ message: tooMany(waitMs) }), Math.ceil(waitMs));

  /** What whoever was refused for this is told: the cause, or beyond too many refusals only that. */
  const refuse = async (cause: unknown, address: string): Promise<ConnectError> => {
    const refusal = asRefusal(cause, { handshake: true });
    if (refusal.code === 'DRAINING' || refusal.code === 'SERVICE_UNAVAILABLE')
      return connectError(refusal, reconnectDelay(randomness));
    // What is no fault of the client does not count.
    const waitMs = refusal.status >= 500 ? 0 : await refused.take(address);
    return waitMs > 0 ? rateLimited(waitMs) : connectError(refusal, null);
  };

  return {
    /**
     * Decides about one handshake.
     * @param check looks at its credentials. @throws ServiceError
     * @returns what `check` found, or the refusal
     */
    knock: async <Admitted extends { playerGuid: string }>(
      address: string,
      check: () => Promise<Admitted>,
    ): Promise<Admitted | ConnectError> => {
      const decide = async (): Promise<Admitted | ConnectError> => {
        const waitMs = await ofAddress.take(address);
        if (waitMs > 0) return rateLimited(waitMs);
        const admitted = await check();
        const playerWaitMs = await ofPlayer.take(admitted.playerGuid);
        return playerWaitMs > 0 ? rateLimited(playerWaitMs) : admitted;
      };
      const answer = await inTime(decide()).catch((error: unknown) => refuse(error, address));
      const outcome = answer instanceof Error ? answer.message : 'ok';
      onHandshake(outcome);
      const line = answer instanceof Error ? sample(outcome) : null;
      if (line) logger.info({ code: outcome, remoteAddress: address, ...line }, 'a handshake was refused');
      return answer;
    },
  };
}
