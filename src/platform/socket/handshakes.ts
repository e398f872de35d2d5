import type { FastifyBaseLogger } from 'fastify';
import type { Clock, Randomness } from '../clock.ts';
import { OutOfReach } from '../database/out-of-reach.ts';
import { commonErrors, type ServiceError } from '../errors.ts';
import { BOUNDS, RATES } from '../limits.ts';
import { addressLimit, windowLimit } from '../rate-limit.ts';
import type { Redis } from '../redis.ts';
import { sampleLines } from '../sampled-log.ts';
import { within } from '../within.ts';
import { type AsRefusal, tooMany } from './refusals.ts';

interface HandshakesOptions {
  clock: Clock;
  randomness: Randomness;
  logger: FastifyBaseLogger;
  rateLimitFactor: number;
  redis: Redis | null;
  asRefusal: AsRefusal;
  /** Called for every handshake. @param outcome `ok` or the code of the refusal */
  onHandshake(outcome: string): void;
}

/** A refused handshake as Socket.IO carries it: C# clients see `message` only, so it is exactly the code. */
type ConnectError = ReturnType<typeof connectError>;

/** @param retryAfterMs milliseconds after which another attempt may succeed; null where waiting does not help */
const connectError = ({ code, message }: ServiceError, retryAfterMs: number | null) =>
  Object.assign(new Error(code), { data: { code, message, retryAfterMs } });

const RECONNECT_FIRST_MS = 500;
const RECONNECT_LAST_MS = 5000;

/** After how many milliseconds a client connects again, with jitter, so that the clients do not come all at once. */
export function reconnectDelay(randomness: Randomness): number {
  const [high = 0, low = 0] = randomness.bytes(2);
  const share = (high * 256 + low) / 65_535;
  return Math.round(RECONNECT_FIRST_MS + share * (RECONNECT_LAST_MS - RECONNECT_FIRST_MS));
}

/** @throws SERVICE_UNAVAILABLE after the time for a handshake: the database does not answer */
async function inTime<Decision>(deciding: Promise<Decision>): Promise<Decision> {
  const decided = await within(BOUNDS.handshake.value, deciding);
  if (decided === 'too long') throw commonErrors.SERVICE_UNAVAILABLE();
  return decided;
}

/** Limits handshakes, and makes the answers of refused ones. */
export function createHandshakes(options: HandshakesOptions) {
  const { clock, randomness, logger, redis, asRefusal, onHandshake } = options;
  const limits = { factor: options.rateLimitFactor, clock, redis };
  const ofAddress = addressLimit('handshakes-address', RATES.handshakesOfAddress, limits);
  const refused = addressLimit('handshakes-refused', RATES.refusedHandshakes, limits);
  const ofPlayer = windowLimit('handshakes-player', RATES.handshakesOfPlayer, limits);
  const sample = sampleLines(clock);

  const rateLimited = (waitMs: number): ConnectError =>
    connectError(commonErrors.RATE_LIMITED({ message: tooMany(waitMs) }), Math.ceil(waitMs));

  /** @returns the cause, or `RATE_LIMITED` when the address had too many refusals */
  const refuse = async (cause: unknown, address: string): Promise<ConnectError> => {
    const refusal = asRefusal(cause, { handshake: true });
    const promisedMs = cause instanceof OutOfReach ? cause.retryAfterMs : null;
    // Failures of the service pass, and do not count.
    if (refusal.status >= 500) return connectError(refusal, promisedMs ?? reconnectDelay(randomness));
    const waitMs = await refused.take(address);
    return waitMs > 0 ? rateLimited(waitMs) : connectError(refusal, null);
  };

  return {
    /**
     * Admits or refuses a client.
     * @param check checks the credentials. @throws ServiceError
     * @returns what `check` returned, or the refusal
     */
    admit: async <Admitted extends { playerGuid: string }>(
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
