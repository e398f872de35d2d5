import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Server, type Socket } from 'socket.io';
import { Decoder } from 'socket.io-parser';
import type { Clock } from '../clock.ts';
import { newGuid } from '../clock.ts';
import { unavailable } from '../database/outage.ts';
import { commonErrors, ServiceError } from '../errors.ts';
import { refuseOn } from '../http/errors.ts';
import { HEADERS } from '../http/server.ts';
import { BOUNDS, RATES } from '../limits.ts';
import { addressLimit, TokenBuckets, windowLimit } from '../rate-limit.ts';
import type { Redis } from '../redis.ts';
import type { Binding, ClientEvent } from './contract.ts';
import { JsonEncoder } from './encoder.ts';
import { pollingAnswers } from './polling.ts';
import { countStrangers } from './strangers.ts';

/** What the channel must know of an admitted connection; the product's session holds more. */
export interface ChannelSession {
  /** One connection; a reconnect is another one. */
  connectionGuid: string;
  playerGuid: string;
}

export interface Handshake {
  /** What the client put into `auth`, unchecked. */
  auth: Record<string, unknown>;
  /** Address of the client, proxies in front taken into account. */
  address: string;
}

export interface ChannelOptions<Session extends ChannelSession> {
  server: HttpServer;
  logger: FastifyBaseLogger;
  clock: Clock;
  /** Origins a browser may connect from. A plugin sends no Origin at all. */
  origins: readonly string[];
  addressOf(request: IncomingMessage): string;
  /** The refusal of a connection that is not for this caller, with status 403. */
  forbidden(about: { message?: string | undefined }): ServiceError;
  rateLimitFactor: number;
  /** Where nodes count handshakes together; left out: each counts for itself. */
  redis?: Redis | null;
  /** Told of every acknowledged command. @param outcome `ok` or the code of the refusal */
  observe?(event: string, outcome: string, milliseconds: number): void;
  /** Decides who may connect. @throws ServiceError: becomes a `connect_error`. */
  admit(handshake: Handshake): Promise<Omit<Session, 'connectionGuid'>>;
  /** The connection stands; messages wait until this is done. */
  connected(session: Session): Promise<void>;
  /** The connection is gone, for whatever reason. */
  disconnected(session: Session): Promise<void>;
  bindings: readonly Binding<Session>[];
}

export interface Channel {
  /** Sends to the player's live connection on this node, if there is one. @returns whether there was. */
  send(playerGuid: string, event: string, payload: unknown): boolean;
  /** Sends to one connection of this node, live or replaced. */
  sendTo(connectionGuid: string, event: string, payload: unknown): void;
  /** Ends one connection for good: after a namespace disconnect clients do not come back by themselves. */
  disconnect(connectionGuid: string): void;
  /** Sends to everybody connected to this node. */
  broadcast(event: string, payload: unknown): void;
  /** Whether the player's live connection is on this node. */
  holds(playerGuid: string): boolean;
  /** Players with a live connection on this node. */
  players(): string[];
  /**
   * Closes every transport without leaving the namespace, so that clients come back elsewhere. Resolves when
   * everything they had asked for is done.
   */
  close(): Promise<void>;
}

/** How long transports are given to close when the channel does. */
const CLOSE_MS = 1000;
const CLOSE_LOOK_MS = 20;
/** Long enough for the refusal to leave, short enough not to be a way to hold connections. */
const CLOSE_AFTER_REFUSAL_MS = 250;

/** Engine.IO's word on a connection that it does not open. */
interface EngineRefusal {
  /** With `websocket` once that is open. */
  req: IncomingMessage & { websocket?: unknown };
  code: number;
  message: string;
  context?: { message?: string };
}
/** Its code for what `allowRequest` refuses. */
const ENGINE_FORBIDDEN = 4;

/** How much of a refusal that quotes the client is sent back. */
const LONGEST_QUOTE = 200;
const shortened = (text: string): string =>
  text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE).toWellFormed()}…`;

/** A refusal as Socket.IO carries it: C# clients see `message` only, so it is exactly the code. */
const asConnectError = (refusal: ServiceError): Error =>
  Object.assign(new Error(refusal.code), { data: { code: refusal.code, message: refusal.message } });

/** Lets go of what only the handshake needed and Socket.IO would keep: several kilobytes, the token among them. */
function forgetHandshake({ conn, handshake }: Socket): void {
  Object.assign(conn, { request: null });
  Object.assign(handshake, { auth: {}, headers: {} });
}

/** The socket channel: handshake, envelope, limits and order; knows nothing of the game. */
export function openChannel<Session extends ChannelSession>(options: ChannelOptions<Session>): Channel {
  const { logger, clock, rateLimitFactor: factor, redis = null } = options;
  let closing = false;
  const strangers = countStrangers(factor);
  const io = new Server(options.server, {
    serveClient: false,
    maxHttpBufferSize: BOUNDS.message.value,
    connectTimeout: BOUNDS.connect.value,
    pingInterval: BOUNDS.ping.value,
    pingTimeout: BOUNDS.ping.value,
    perMessageDeflate: false,
    httpCompression: false,
    parser: { Encoder: JsonEncoder, Decoder },
    // What is not for this channel is for somebody else, who may need longer than Engine.IO would wait.
    destroyUpgrade: false,
    cors: { origin: [...options.origins], credentials: false, preflightContinue: true },
    // CORS does not stop a page of another site from opening a WebSocket; this does.
    allowRequest: (request, decide) => {
      const origin = request.headers.origin;
      if (origin !== undefined && !options.origins.includes(origin)) decide('Origin not allowed', false);
      else if (strangers.isCrowded(options.addressOf(request))) decide('Too many connections', false);
      // Whoever comes between the end of the channel and that of the listener would keep both from ending.
      else if (closing) decide('Closing', false);
      else decide(null, true);
    },
  });
  io.engine.on('connection', (conn: Socket['conn']) =>
    strangers.arrived(conn, options.addressOf(conn.request)),
  );
  // Engine.IO ends an upgrade it refuses with a line of text and none of our headers.
  io.engine.on('connection_error', ({ req, code, message, context }: EngineRefusal) => {
    if (req.headers.upgrade === undefined || req.websocket !== undefined) return;
    const refuse = code === ENGINE_FORBIDDEN ? options.forbidden : commonErrors.VALIDATION_FAILED;
    refuseOn(req.socket, refuse({ message: `${context?.message ?? message}.` }), HEADERS);
  });
  io.engine.use(pollingAnswers(options.forbidden));

  const messages = new Map<
    string,
    { contract: ClientEvent; handle: (s: Session, p: never) => Promise<unknown> }
  >();
  for (const { contract, handlers } of options.bindings) {
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
  const commands = buckets(RATES.commands);
  // What is merged is not refused: room for one in every frame a headset draws.
  const mergedCommands = buckets(RATES.mergedCommands);
  const handshakes = {
    ofAddress: addressLimit('handshakes-address', RATES.handshakesOfAddress, { factor, clock, redis }),
    ofPlayer: windowLimit('handshakes-player', RATES.handshakesOfPlayer, { factor, clock, redis }),
  };
  const refuseAfter = (waitMs: number): void => {
    if (waitMs > 0)
      throw commonErrors.RATE_LIMITED({
        message: `Too many requests. Try again in ${(waitMs / 1000).toFixed(1)} s.`,
      });
  };

  const sockets = new Map<string, Socket>();
  const live = new Map<string, Socket>();
  /** Connections that ended and are not yet recorded as lost. */
  const leaving = new Set<Promise<void>>();

  const asRefusal = (error: unknown, about: Record<string, unknown>): ServiceError => {
    if (error instanceof ServiceError && (error.status < 500 || error.code === 'DRAINING')) {
      logger.debug({ ...about, code: error.code }, 'refused');
      return error;
    }
    const outage = unavailable(error);
    if (outage) {
      logger.debug({ ...about, code: outage.code }, 'refused');
      return outage;
    }
    const requestId = newGuid();
    logger.error({ ...about, err: error, requestId }, 'a socket message failed');
    return error instanceof ServiceError
      ? error
      : commonErrors.INTERNAL_ERROR({
          message: `${commonErrors.INTERNAL_ERROR.entry.message} Request ${requestId}.`,
        });
  };

  io.use(async (socket, next) => {
    try {
      const address = options.addressOf(socket.request);
      refuseAfter(await handshakes.ofAddress.take(address));
      const admitted = await options.admit({ auth: socket.handshake.auth, address });
      refuseAfter(await handshakes.ofPlayer.take(admitted.playerGuid));
      socket.data.session = { ...admitted, connectionGuid: newGuid() };
      strangers.welcome(socket.conn);
      next();
    } catch (error) {
      const refusal = asRefusal(error, { handshake: true });
      // Plugins know the codes of a handshake by a list that has no other one for this.
      const { INTERNAL_ERROR } = commonErrors;
      const known =
        refusal.code === 'SERVICE_UNAVAILABLE' ? INTERNAL_ERROR({ message: refusal.message }) : refusal;
      next(asConnectError(known));
      setTimeout(() => socket.conn.close(), CLOSE_AFTER_REFUSAL_MS).unref();
    }
  });

  /**
   * What a message asks for, to be done when its turn has come.
   * @throws ServiceError: the rates, UNKNOWN_EVENT, VALIDATION_FAILED
   */
  const read = (session: Session, event: string, payloads: unknown[]): (() => Promise<unknown>) => {
    const message = messages.get(event);
    const payload = message?.contract.payload.safeParse(payloads.length === 0 ? {} : payloads[0]);
    const isMerged = payload?.success === true && message?.contract.isMerged?.(payload.data) === true;
    refuseAfter((isMerged ? mergedCommands : commands)?.take(session.playerGuid) ?? 0);
    if (message === undefined || payload === undefined)
      throw commonErrors.UNKNOWN_EVENT({ message: `There is no event ${event.slice(0, 50)}.` });
    if (payloads.length > 1)
      throw commonErrors.VALIDATION_FAILED({ message: 'An event carries one payload object.' });
    if (!payload.success) {
      const issue = payload.error.issues[0];
      const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
      throw commonErrors.VALIDATION_FAILED({
        message: shortened(`${where}${issue?.message ?? 'is invalid'}`),
      });
    }
    return () => message.handle(session, payload.data as never);
  };

  /** The envelope of a command, once it is done. */
  const answer = async (
    session: Session,
    event: string,
    command: () => Promise<unknown>,
  ): Promise<unknown> => {
    const startedAt = performance.now();
    const observe = (outcome: string): void =>
      // Names that clients make up are one name: there is no end of them.
      options.observe?.(messages.has(event) ? event : 'unknown', outcome, performance.now() - startedAt);
    try {
      const data = await command();
      observe('ok');
      return { ok: true, data };
    } catch (error) {
      const { code, message } = asRefusal(error, { event, playerGuid: session.playerGuid });
      observe(code);
      return { ok: false, error: { code, message } };
    }
  };

  io.on('connection', (socket) => {
    const session = socket.data.session as Session;
    forgetHandshake(socket);
    const about = { playerGuid: session.playerGuid, connectionGuid: session.connectionGuid };
    sockets.set(session.connectionGuid, socket);
    // One after the other: what a client sent first is decided first.
    let last: Promise<void> = options
      .connected(session)
      .then(() => {
        // Not before it has the seat: of two newcomers the replaced one is closed by now.
        if (socket.connected) live.set(session.playerGuid, socket);
      })
      .catch((error: unknown) => {
        // Without its place in the database the connection would be a ghost: let the client try again.
        logger.error({ ...about, err: error }, 'a connection could not be taken up');
        socket.conn.close();
      });
    // The protocol allows a number for a name.
    socket.onAny((event: string | number, ...rest: unknown[]) => {
      const acknowledge =
        typeof rest.at(-1) === 'function' ? (rest.pop() as (envelope: unknown) => void) : undefined;
      const name = String(event);
      let command: () => Promise<unknown>;
      try {
        command = read(session, name, rest);
      } catch (error) {
        // At once: no more messages wait for their turn than the rates let through.
        void answer(session, name, () => Promise.reject(error)).then(acknowledge);
        return;
      }
      last = last.then(() => answer(session, name, command)).then(acknowledge);
    });
    socket.on('disconnect', () => {
      sockets.delete(session.connectionGuid);
      if (live.get(session.playerGuid) === socket) live.delete(session.playerGuid);
      const recorded = last
        .then(() => options.disconnected(session))
        .catch((error: unknown) =>
          logger.error({ ...about, err: error }, 'a lost connection was not recorded'),
        )
        .finally(() => leaving.delete(recorded));
      leaving.add(recorded);
    });
  });

  return {
    send: (playerGuid, event, payload) => live.get(playerGuid)?.emit(event, payload) ?? false,
    sendTo: (connectionGuid, event, payload) => void sockets.get(connectionGuid)?.emit(event, payload),
    broadcast: (event, payload) => void io.emit(event, payload),
    disconnect: (connectionGuid) => void sockets.get(connectionGuid)?.disconnect(true),
    holds: (playerGuid) => live.has(playerGuid),
    players: () => [...live.keys()],
    close: async () => {
      closing = true;
      for (const socket of sockets.values()) socket.conn.close();
      io.engine.close();
      // What was asked before is done to the end: the database goes only after this. A client that does not
      // answer the closing of its transport is not waited for.
      for (let waited = 0; sockets.size > 0 && waited < CLOSE_MS; waited += CLOSE_LOOK_MS)
        await new Promise((resolve) => setTimeout(resolve, CLOSE_LOOK_MS));
      await Promise.all(leaving);
    },
  };
}
