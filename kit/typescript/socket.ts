import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import type { Handshake, Shapes, ToClient, ToServer } from './messages.ts';

/** The socket channel for a program in TypeScript: messages and answers have the types of the reference. */

export type * from './messages.ts';

export type ErrorCode = Shapes['ErrorCode'];
export type Acknowledgement<Event extends keyof ToServer> =
  | { ok: true; data: ToServer[Event]['data'] }
  | Shapes['Failure'];

/** Socket.IO's socket with the events of the channel. */
export type PlayerSocket = Socket<
  { [Event in keyof ToClient]: (payload: ToClient[Event]) => void },
  {
    [Event in keyof ToServer]: (
      payload: ToServer[Event]['payload'],
      acknowledge: (answer: Acknowledgement<Event>) => void,
    ) => void;
  }
>;

/** The service has refused something. The codes and what to do about each are in docs/refusals.md. */
export class Refused extends Error {
  readonly code: ErrorCode;
  /** Milliseconds after which to try again, where the service says so. */
  readonly retryAfterMs: number | null;

  constructor(code: ErrorCode, message: string, retryAfterMs: number | null = null) {
    super(`${code}: ${message}`);
    this.name = 'Refused';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** An acknowledgement is lost with its connection, so waiting for it has to end. */
const ACKNOWLEDGED_WITHIN_MS = 10_000;

type RefusedHandshake = Error & { data?: Shapes['HandshakeError'] };

/**
 * Connects again after a refused handshake, which ends the attempts of Socket.IO's client. Waits as long as the refusal says;
 * a refusal without a time, as for a retired plugin version, is final. `disconnect` ends the waiting.
 */
function comeAgain(socket: PlayerSocket, { data }: RefusedHandshake): void {
  if (socket.active || typeof data?.retryAfterMs !== 'number') return;
  const again = setTimeout(() => socket.connect(), data.retryAfterMs);
  socket.io.once('close', () => clearTimeout(again));
}

/**
 * Connects a player. Afterwards it connects again by itself, until a refusal names no time to try again
 * (`connect_error`); send `hello` on each `connect`.
 * @param url base address of the service
 * @param options of Socket.IO's client, such as `reconnectionDelay`
 * @throws Refused when the handshake is refused
 * @throws Error when there is no service
 */
export async function connectPlayer(
  url: string,
  auth: Handshake,
  options: Partial<ManagerOptions & SocketOptions> = {},
): Promise<PlayerSocket> {
  const socket: PlayerSocket = io(url, { transports: ['websocket'], forceNew: true, ...options, auth });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => {
      socket.off('connect_error');
      socket.on('connect_error', (error: RefusedHandshake) => comeAgain(socket, error));
      resolve(socket);
    });
    socket.once('connect_error', (error: RefusedHandshake) => {
      socket.disconnect();
      const { data } = error;
      reject(data === undefined ? error : new Refused(data.code, data.message, data.retryAfterMs));
    });
  });
}

/**
 * Sends a message and waits for its answer.
 * @returns the data of a success
 * @throws Refused with the code
 * @throws Error when no answer comes in time: ask again after the next `hello`
 */
export async function ask<Event extends keyof ToServer>(
  socket: PlayerSocket,
  event: Event,
  payload: ToServer[Event]['payload'],
): Promise<ToServer[Event]['data']> {
  // Socket.IO's own types do not follow an event that is a parameter.
  const untyped = socket.timeout(ACKNOWLEDGED_WITHIN_MS) as unknown as {
    emitWithAck(event: string, payload: unknown): Promise<Acknowledgement<Event>>;
  };
  const answer = await untyped.emitWithAck(event, payload);
  if (!answer.ok) throw new Refused(answer.error.code, answer.error.message);
  return answer.data;
}
