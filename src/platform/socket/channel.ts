import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Server, type Socket } from 'socket.io';
import { type Clock, newGuid, type Randomness } from '../clock.ts';
import { commonErrors, type ServiceError } from '../errors.ts';
import { refuseOn } from '../http/errors.ts';
import { HEADERS } from '../http/server.ts';
import { BOUNDS } from '../limits.ts';
import type { Redis } from '../redis.ts';
import { bindCommands, mostWaiting } from './commands.ts';
import type { Binding, Envelope } from './contract.ts';
import { COMMAND, type Command, CommandDecoder } from './decoder.ts';
import { openDoor } from './door.ts';
import { JsonEncoder } from './encoder.ts';
import { type CutReason, type Guard, guardTransport } from './guard.ts';
import { openLine } from './line.ts';
import { pollingAnswers } from './polling.ts';
import { refusals } from './refusals.ts';
import { countStrangers } from './strangers.ts';
import { BoundedWebSocketServer } from './web-socket-engine.ts';

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
  randomness: Randomness;
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
  /** Told of every handshake. @param outcome `ok` or the code of the refusal */
  onHandshake(outcome: string): void;
  /** Told of every connection that was cut because it broke a bound. */
  onCut(reason: CutReason): void;
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
  /** Sends to everybody connected to this node, to each what is made for it. */
  broadcast(event: string, makePayload: () => unknown): void;
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
type Transport = Socket['conn'];

/** A request of polling, with what Engine.IO read of its address. */
type EngineRequest = IncomingMessage & { _query: { sid?: string } };
const clientsOf = (io: Server): Record<string, Transport> =>
  (io.engine as unknown as { clients: Record<string, Transport> }).clients;

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

/** Lets go of what only the handshake needed and Socket.IO would keep: several kilobytes, the token among them. */
function forgetHandshake({ conn, handshake }: Socket): void {
  Object.assign(conn, { request: null });
  Object.assign(handshake, { auth: {}, headers: {} });
}

/** Engine.IO under Socket.IO, bounded, with the headers every answer has. */
function openServer<Session extends ChannelSession>(options: ChannelOptions<Session>) {
  const strangers = countStrangers(options.rateLimitFactor);
  const guards = new WeakMap<Transport, Guard>();
  let isClosing = false;
  const io = new Server(options.server, {
    serveClient: false,
    maxHttpBufferSize: BOUNDS.message.value,
    // The guard of a connection is earlier, and waits for no good-bye.
    connectTimeout: 2 * BOUNDS.connect.value,
    pingInterval: BOUNDS.ping.value,
    pingTimeout: BOUNDS.ping.value,
    perMessageDeflate: false,
    httpCompression: false,
    wsEngine: BoundedWebSocketServer,
    parser: { Encoder: JsonEncoder, Decoder: CommandDecoder },
    // What is not for this channel is for somebody else, who may need longer than Engine.IO would wait.
    destroyUpgrade: false,
    cors: { origin: [...options.origins], credentials: false, preflightContinue: true },
    // CORS does not stop a page of another site from opening a WebSocket; this does.
    allowRequest: (request, decide) => {
      const origin = request.headers.origin;
      if (origin !== undefined && !options.origins.includes(origin)) decide('Origin not allowed', false);
      else if (strangers.isCrowded(options.addressOf(request))) decide('Too many connections', false);
      // Whoever comes between the end of the channel and that of the listener would keep both from ending.
      else if (isClosing) decide('Closing', false);
      else decide(null, true);
    },
  });
  io.engine.on('connection', (transport: Transport) => {
    strangers.arrived(transport, options.addressOf(transport.request));
    guards.set(transport, guardTransport(transport, options.onCut));
  });
  // Engine.IO ends an upgrade it refuses with a line of text and none of our headers.
  io.engine.on('connection_error', ({ req, code, message, context }: EngineRefusal) => {
    if (req.headers.upgrade === undefined || req.websocket !== undefined) return;
    const refuse = code === ENGINE_FORBIDDEN ? options.forbidden : commonErrors.VALIDATION_FAILED;
    refuseOn(req.socket, refuse({ message: `${context?.message ?? message}.` }), HEADERS);
  });
  io.engine.use(pollingAnswers(options.forbidden));
  io.engine.use((request: EngineRequest, _response: ServerResponse, next: () => void) => {
    const transport = clientsOf(io)[request._query.sid ?? ''];
    const guard = request.method === 'POST' && transport ? guards.get(transport) : undefined;
    if (guard === undefined) next();
    else guard.whenPaid(() => request.destroyed || next());
  });
  return {
    io,
    /** A handshake is through, and Socket.IO knows. */
    welcome: (transport: Transport): void => {
      strangers.welcome(transport);
      guards.get(transport)?.admitted();
    },
    /** A handshake was refused and its sender told, or a client has left. */
    showOut: (transport: Transport): void => guards.get(transport)?.leave(),
    /** A message was refused for the rate of its sender. */
    slowDown: (transport: Transport, refuse: () => void): void => guards.get(transport)?.slowDown(refuse),
    /** Nobody is let in any more, and everybody here is closed. */
    close: (): void => {
      isClosing = true;
      io.engine.close();
    },
  };
}

const isForRate = (answer: Envelope): boolean => !answer.ok && answer.error.code === 'RATE_LIMITED';

/** The socket channel: handshake, envelope, limits and order; knows nothing of the game. */
export function openChannel<Session extends ChannelSession>(options: ChannelOptions<Session>): Channel {
  const { logger, clock, randomness, rateLimitFactor: factor, redis = null, onHandshake } = options;
  const asRefusal = refusals(logger);
  const { io, welcome, showOut, slowDown, close } = openServer(options);
  const door = openDoor({ clock, randomness, logger, factor, redis, asRefusal, onHandshake });
  const commandOf = bindCommands({
    clock,
    factor,
    bindings: options.bindings,
    asRefusal,
    observe: options.observe,
  });

  const sockets = new Map<string, Socket>();
  const live = new Map<string, Socket>();
  /** Connections that ended and are not yet recorded as lost. */
  const leaving = new Set<Promise<void>>();

  io.use(async (socket, next) => {
    const address = options.addressOf(socket.request);
    const check = () => options.admit({ auth: socket.handshake.auth, address });
    const answer = await door.knock(address, check);
    if (answer instanceof Error) {
      next(answer);
      // The refusal is sent in the next tick.
      setImmediate(() => showOut(socket.conn));
      return;
    }
    socket.data.session = { ...answer, connectionGuid: newGuid() };
    next();
  });

  io.on('connection', (socket) => {
    const session = socket.data.session as Session;
    welcome(socket.conn);
    forgetHandshake(socket);
    const about = { playerGuid: session.playerGuid, connectionGuid: session.connectionGuid };
    sockets.set(session.connectionGuid, socket);
    const takenUp = options
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
    const line = openLine(takenUp, mostWaiting(factor), () => socket.connected);
    socket.on(COMMAND, (command: Command, acknowledge?: (envelope: unknown) => void) => {
      const answer = commandOf(session, command);
      if (!('ok' in answer)) line.add(answer, acknowledge);
      else if (isForRate(answer)) slowDown(socket.conn, () => acknowledge?.(answer));
      else acknowledge?.(answer);
    });
    socket.on('disconnect', () => {
      // Whoever leaves the namespace and keeps the connection would stay for as long as pings are answered.
      showOut(socket.conn);
      sockets.delete(session.connectionGuid);
      if (live.get(session.playerGuid) === socket) live.delete(session.playerGuid);
      const recorded = line
        .done()
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
    broadcast: (event, makePayload) => {
      for (const socket of sockets.values()) socket.emit(event, makePayload());
    },
    disconnect: (connectionGuid) => void sockets.get(connectionGuid)?.disconnect(true),
    holds: (playerGuid) => live.has(playerGuid),
    players: () => [...live.keys()],
    close: async () => {
      for (const socket of sockets.values()) socket.conn.close();
      close();
      // What was asked before is done to the end: the database goes only after this. A client that does not
      // answer the closing of its transport is not waited for.
      for (let waited = 0; sockets.size > 0 && waited < CLOSE_MS; waited += CLOSE_LOOK_MS)
        await new Promise((resolve) => setTimeout(resolve, CLOSE_LOOK_MS));
      await Promise.all(leaving);
    },
  };
}
