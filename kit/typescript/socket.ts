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

/** An acknowledgement is lost with its connection, so waiting for it has to end. The service takes less (docs/limits.md). */
const ACKNOWLEDGED_WITHIN_MS = 15_000;

type RefusedHandshake = Error & { data?: Shapes['HandshakeError'] };

/** Gives what a player connects with. @param renew true: the last token was refused, so one that was kept will not do */
export type GiveHandshake = (renew: boolean) => Handshake | Promise<Handshake>;

/** Refusals of a handshake that another token may undo. */
const NEED_TOKEN: readonly ErrorCode[] = [
  'INSUFFICIENT_SCOPE',
  'PLATFORM_NOT_VERIFIED',
  'TOKEN_EXPIRED',
  'TOKEN_INVALID',
  'TOKEN_MISSING',
  'TOKEN_TYPE_NOT_ALLOWED',
];

/** A connection that has lasted for longer is settled. */
const SETTLED_MS = 10_000;
/** The longest pause after connections that did not settle. An attempt that finds no service waits at most for Socket.IO's own. */
const LONGEST_PAUSE_MS = 10_000;
/** The pauses after this many losses in a row are as random as Socket.IO's client is set; later ones differ by this share at most. */
const FIRST_LOSSES = 3;
const LATER_SPREAD = 0.15;

/**
 * Makes the pauses longer with each connection that is lost before it has settled, by the figures of the C# kit. Socket.IO's
 * client begins its pauses anew with every connection: one that is lost every second would use up the 10 handshakes a minute
 * that the service lets a player in for, and the player would be refused for the rest of that minute. Ten of these pauses
 * last for more than a minute, the first is as short as ever.
 * @returns gives the pause before the next attempt where the service gives no time
 */
function lengthenPauses(socket: PlayerSocket, longestMs = LONGEST_PAUSE_MS): () => number {
  const manager = socket.io;
  const [firstMs, mostMs, spread] = [
    manager.reconnectionDelay(),
    manager.reconnectionDelayMax(),
    manager.randomizationFactor(),
  ];
  /** Attempts that failed and connections that did not settle, in a row. */
  let failures = 0;
  let connectedAt = Number.POSITIVE_INFINITY;
  socket.on('connect', () => {
    connectedAt = performance.now();
  });
  // Comes before Socket.IO's client chooses its pause.
  socket.on('disconnect', () => {
    if (performance.now() - connectedAt > SETTLED_MS) failures = 0;
    connectedAt = Number.POSITIVE_INFINITY;
    manager.randomizationFactor(failures < FIRST_LOSSES ? spread : Math.min(spread, LATER_SPREAD));
    const pauseMs = Math.min(longestMs, firstMs * 2 ** failures++);
    manager.reconnectionDelay(pauseMs).reconnectionDelayMax(Math.max(mostMs, pauseMs));
  });
  return () => Math.min(mostMs, firstMs * 2 ** failures++) * (0.5 + Math.random());
}

/** Connects again after a while. `disconnect` ends the waiting. */
function comeAgain(socket: PlayerSocket, afterMs: number): void {
  const again = setTimeout(() => socket.connect(), afterMs);
  socket.io.once('close', () => clearTimeout(again));
}

/**
 * Connects a player. Afterwards it connects again by itself, also after a refusal that passes (a refused handshake ends the
 * attempts of Socket.IO's client); a refusal that stays, as of a retired plugin version, is the last `connect_error`.
 * Send `hello` on each `connect`.
 * @param url base address of the service
 * @param auth a function is asked first, and again whenever the service wants another token
 * @param options of Socket.IO's client, such as `reconnectionDelay`
 * @throws Refused when the first handshake is refused
 * @throws Error when there is no service, or what the function throws
 */
export async function connectPlayer(
  url: string,
  auth: Handshake | GiveHandshake,
  options: Partial<ManagerOptions & SocketOptions> = {},
): Promise<PlayerSocket> {
  const give = typeof auth === 'function' ? auth : null;
  const first = give ? await give(false) : auth;
  const socket: PlayerSocket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    // An attempt that began while the network was away may wait much longer for TCP than a new one needs.
    timeout: 5000,
    ...options,
    auth: first,
  });
  let wasAdmitted = false;
  let isTokenNew = false;
  const nextPause = lengthenPauses(socket, options.reconnectionDelayMax);

  return new Promise((resolve, reject) => {
    const renew = async (giveAgain: GiveHandshake): Promise<void> => {
      let isOver = false;
      socket.io.once('close', () => {
        isOver = true;
      });
      try {
        socket.auth = await giveAgain(true);
        isTokenNew = true;
        if (!isOver) socket.connect();
      } catch (error) {
        // The old token is refused again, then the function is asked again.
        if (wasAdmitted && !isOver) comeAgain(socket, nextPause());
        reject(error);
      }
    };
    socket.on('connect', () => {
      wasAdmitted = true;
      isTokenNew = false;
      resolve(socket);
    });
    socket.on('connect_error', (error: RefusedHandshake) => {
      const { data } = error;
      if (data && give && !isTokenNew && NEED_TOKEN.includes(data.code)) return void renew(give);
      isTokenNew = false;
      const pauseMs = nextPause();
      const waitMs = data?.retryAfterMs ?? (data?.code === 'INTERNAL_ERROR' ? pauseMs : null);
      if (!wasAdmitted) {
        socket.disconnect();
        reject(data ? new Refused(data.code, data.message, data.retryAfterMs) : error);
      } else if (waitMs !== null) comeAgain(socket, waitMs);
    });
  });
}

/**
 * Sends a message and waits for its answer.
 * @returns the data of a success
 * @throws Refused with the code
 * @throws Error when no answer comes in time: ask again, which has no second effect
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
