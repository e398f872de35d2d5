import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Server, type Socket } from 'socket.io';
import { type Clock, newGuid, type Randomness } from '../clock.ts';
import { commonErrors, type ServiceError } from '../errors.ts';
import { refuseOn } from '../http/errors.ts';
import { HEADERS } from '../http/server.ts';
import { BOUNDS } from '../limits.ts';
import type { Redis } from '../redis.ts';
import type { Arrivals } from './arrivals.ts';
import { CommandQueue, type QueueBounds } from './command-queue.ts';
import { bindCommands, queueBounds } from './commands.ts';
import { ConnectionLimits, type CutReason } from './connection-limits.ts';
import type { Binding, Envelope } from './contract.ts';
import { COMMAND, type Command, CommandDecoder } from './decoder.ts';
import { JsonEncoder } from './encoder.ts';
import { createHandshakes } from './handshakes.ts';
import { countPendingHandshakes } from './pending-handshakes.ts';
import { pollingAnswers } from './polling.ts';
import { refusals } from './refusals.ts';
import { BoundedWebSocketServer, connectionOf, type Transport } from './web-socket-engine.ts';

/** The channel's data of an admitted connection; the session of the product holds more. */
export interface ChannelSession {
  /** Each reconnect has another one. */
  connectionGuid: string;
  playerGuid: string;
}

export interface Handshake {
  /** The `auth` of the client, unchecked. */
  auth: Record<string, unknown>;
  /** Address of the client behind the trusted proxies. */
  address: string;
}

export interface ChannelOptions<Session extends ChannelSession> {
  server: HttpServer;
  logger: FastifyBaseLogger;
  clock: Clock;
  /** Notes the commands of all connections. */
  arrivals: Arrivals;
  randomness: Randomness;
  /** Origins a browser may connect from. A plugin sends no Origin at all. */
  origins: readonly string[];
  addressOf(request: IncomingMessage): string;
  /** The refusal with status 403. */
  forbidden(about: { message?: string | undefined }): ServiceError;
  rateLimitFactor: number;
  /** Where nodes count handshakes together; null: each counts its own. */
  redis: Redis | null;
  /** Called for every acknowledged command. @param outcome `ok` or the code of the refusal */
  observe(event: string, outcome: string, milliseconds: number): void;
  /** Called for every handshake. @param outcome `ok` or the code of the refusal */
  onHandshake(outcome: string): void;
  /** Called for every connection that is cut at a limit. */
  onCut(reason: CutReason): void;
  /** Authenticates a client. @throws ServiceError: becomes a `connect_error`. */
  admit(handshake: Handshake): Promise<Omit<Session, 'connectionGuid'>>;
  /** Called for an admitted connection. Its commands wait until this resolves. */
  connected(session: Session): Promise<void>;
  /** Called when the connection has ended and its commands are done. */
  disconnected(session: Session): Promise<void>;
  bindings: readonly Binding<Session>[];
}

export interface Channel {
  /** Sends to the player's live connection on this node. @returns false when there is none */
  send(playerGuid: string, event: string, payload: unknown): boolean;
  /** Sends to one connection of this node, live or replaced. */
  sendTo(connectionGuid: string, event: string, payload: unknown): void;
  /**
   * Disconnects the namespace of a connection: clients do not reconnect by themselves after that. Changes that the
   * client has sent are made and acknowledged first; what it sends later is ignored.
   */
  disconnect(connectionGuid: string): void;
  /** Sends to every connection of this node a payload of its own. */
  broadcast(event: string, makePayload: () => unknown): void;
  /** Whether the player's live connection is on this node. */
  holds(playerGuid: string): boolean;
  /** Players with a live connection on this node. */
  players(): string[];
  /** Closes every transport, so that clients reconnect to another node. Resolves when all their commands are done. */
  close(): Promise<void>;
}

/** How long the end of the channel waits for transports to close. */
const CLOSE_MS = 1000;
const CLOSE_POLL_MS = 20;

/** The data that Engine.IO emits about a connection that it refuses. */
interface EngineRefusal {
  /** `websocket` is set once the WebSocket is open. */
  req: IncomingMessage & { websocket?: unknown };
  code: number;
  message: string;
  context?: { message?: string };
}
/** Engine.IO's code for a refusal by `allowRequest`. */
const ENGINE_FORBIDDEN = 4;
const CLOSING = 'Closing';
const OTHER_PROTOCOL = 'Unsupported protocol version';

/** The version of Engine.IO's protocol in a request. Socket.IO's clients from 3 on speak 4. */
const protocolOf = ({ url = '' }: IncomingMessage): string | null =>
  new URLSearchParams(url.slice(url.indexOf('?'))).get('EIO');

/** Frees several kilobytes of the handshake, with the token, that Socket.IO would keep. */
function forgetHandshake(socket: Socket): void {
  Object.assign(socket.conn, { request: null });
  Object.assign(socket, { handshake: null });
}

/** Opens Socket.IO over Engine.IO, with limits for each connection and the headers of every answer. */
function openServer<Session extends ChannelSession>(options: ChannelOptions<Session>) {
  const pending = countPendingHandshakes(options.rateLimitFactor);
  const limits = new WeakMap<Transport, ConnectionLimits>();
  let isClosing = false;
  /** The refusals of `allowRequest`, for which Engine.IO has one status, 403. */
  const forbidden: ChannelOptions<Session>['forbidden'] = (about) => {
    if (about.message === `${CLOSING}.`) return commonErrors.DRAINING();
    if (about.message === `${OTHER_PROTOCOL}.`) return commonErrors.VALIDATION_FAILED(about);
    return options.forbidden(about);
  };
  const io = new Server(options.server, {
    serveClient: false,
    maxHttpBufferSize: BOUNDS.message.value,
    // The limits of the connection apply earlier.
    connectTimeout: 2 * BOUNDS.connect.value,
    pingInterval: BOUNDS.ping.value,
    pingTimeout: BOUNDS.ping.value,
    perMessageDeflate: false,
    httpCompression: false,
    wsEngine: BoundedWebSocketServer,
    parser: { Encoder: JsonEncoder, Decoder: CommandDecoder },
    // Engine.IO must not end upgrades of the other WebSocket routes.
    destroyUpgrade: false,
    cors: { origin: [...options.origins], credentials: false, preflightContinue: true },
    // CORS does not stop a page of another site from opening a WebSocket; this does.
    allowRequest: (request, decide) => {
      const origin = request.headers.origin;
      if (origin !== undefined && !options.origins.includes(origin)) decide('Origin not allowed', false);
      // Engine.IO checks it after it has opened the WebSocket.
      else if (protocolOf(request) !== '4') decide(OTHER_PROTOCOL, false);
      else if (pending.isFull(options.addressOf(request))) decide('Too many connections', false);
      // A connection that is opened after the channel has closed would keep the listener from closing.
      else if (isClosing) decide(CLOSING, false);
      else decide(null, true);
    },
  });
  io.engine.on('connection', (transport: Transport) => {
    const endHandshake = pending.begin(options.addressOf(transport.request));
    limits.set(transport, new ConnectionLimits(transport, endHandshake, options.onCut));
  });
  // Engine.IO refuses an upgrade with a line of text and without our headers.
  io.engine.on('connection_error', ({ req, code, message, context }: EngineRefusal) => {
    if (req.headers.upgrade === undefined || req.websocket !== undefined) return;
    const refuse = code === ENGINE_FORBIDDEN ? forbidden : commonErrors.VALIDATION_FAILED;
    refuseOn(req.socket, refuse({ message: `${context?.message ?? message}.` }), HEADERS);
  });
  io.engine.use(pollingAnswers(forbidden));
  io.engine.use((request: IncomingMessage, _response: ServerResponse, next: () => void) => {
    const transport = connectionOf(io.engine, request);
    const limited = request.method === 'POST' && transport ? limits.get(transport) : undefined;
    if (limited === undefined) next();
    else limited.whenInBudget(() => request.destroyed || next());
  });
  return {
    io,
    limitsOf: ({ conn }: Socket): ConnectionLimits | undefined => limits.get(conn),
    /** Closes every connection and refuses new ones. */
    close: (): void => {
      isClosing = true;
      io.engine.close();
    },
  };
}

/** A connection that was admitted and has not ended. */
class Connection<Session extends ChannelSession> {
  readonly socket: Socket;
  readonly session: Session;
  readonly queue: CommandQueue;
  /** It was told why it ends, and is disconnected once its changes are acknowledged. */
  isDismissed = false;

  /** @param takeUp what its first command waits for */
  constructor(
    socket: Socket,
    takeUp: (connection: Connection<Session>) => Promise<void>,
    bounds: QueueBounds,
  ) {
    this.socket = socket;
    this.session = socket.data.session;
    this.queue = new CommandQueue(takeUp(this), bounds, this);
  }

  isOpen(): boolean {
    return this.socket.connected && !this.isDismissed;
  }
}

const isForRate = (answer: Envelope): boolean => !answer.ok && answer.error.code === 'RATE_LIMITED';

/** Opens the socket channel: handshakes, acknowledgements, limits and order. It knows nothing of the game. */
export function openChannel<Session extends ChannelSession>(options: ChannelOptions<Session>): Channel {
  const { logger, rateLimitFactor: factor } = options;
  const asRefusal = refusals(logger);
  const { io, limitsOf, close } = openServer(options);
  const handshakes = createHandshakes({ ...options, factor, asRefusal });
  const commandOf = bindCommands({ ...options, factor, asRefusal });
  const bounds = queueBounds(factor);

  const connections = new Map<string, Connection<Session>>();
  const live = new Map<string, Socket>();
  /** Ended connections whose loss is not yet stored. */
  const ending = new Set<Promise<void>>();

  io.use(async (socket, next) => {
    const address = options.addressOf(socket.request);
    const check = () => options.admit({ auth: socket.handshake.auth, address });
    const answer = await handshakes.admit(address, check);
    if (answer instanceof Error) {
      next(answer);
      // Socket.IO sends the refusal in the next tick.
      setImmediate(() => limitsOf(socket)?.close());
      return;
    }
    socket.data.session = { ...answer, connectionGuid: newGuid() };
    next();
  });

  const about = ({ session: { playerGuid, connectionGuid } }: Connection<Session>) => ({
    playerGuid,
    connectionGuid,
  });

  /** Has the seat of the player taken. Commands wait for it. */
  const takeUp = async (connection: Connection<Session>): Promise<void> => {
    const { session, socket } = connection;
    try {
      await options.connected(session);
      // Only with the seat: of two new connections the replaced one is dismissed by now.
      if (connection.isOpen()) live.set(session.playerGuid, socket);
    } catch (error) {
      // A connection without a seat would receive nothing, so the client has to connect again.
      logger.error({ ...about(connection), err: error }, 'a connection could not be taken up');
      socket.conn.close();
    }
  };

  const receive = (
    { session, socket, queue, isDismissed }: Connection<Session>,
    command: Command,
    acknowledge?: (envelope: unknown) => void,
  ): void => {
    if (isDismissed) return;
    const at = options.arrivals.now();
    const answer = commandOf(session, command, at);
    if (!('ok' in answer)) {
      const done = queue.add(answer, acknowledge);
      // Nothing depends on when a read is executed.
      if (answer.readKey === null) options.arrivals.add(session.playerGuid, at, done);
    } else if (isForRate(answer)) limitsOf(socket)?.throttle(() => acknowledge?.(answer));
    else acknowledge?.(answer);
  };

  const end = (connection: Connection<Session>): void => {
    const { session, socket, queue } = connection;
    // A client may disconnect from the namespace and keep the transport open.
    limitsOf(socket)?.close();
    connections.delete(session.connectionGuid);
    if (live.get(session.playerGuid) === socket) live.delete(session.playerGuid);
    const recorded = queue
      .done()
      .then(() => options.disconnected(session))
      .catch((error: unknown) =>
        logger.error({ ...about(connection), err: error }, 'a lost connection was not recorded'),
      )
      .finally(() => ending.delete(recorded));
    ending.add(recorded);
  };

  io.on('connection', (socket) => {
    limitsOf(socket)?.admitted();
    forgetHandshake(socket);
    const connection = new Connection<Session>(socket, takeUp, bounds);
    connections.set(connection.session.connectionGuid, connection);
    socket.on(COMMAND, (command: Command, acknowledge?: (envelope: unknown) => void) =>
      receive(connection, command, acknowledge),
    );
    socket.on('disconnect', () => end(connection));
  });

  return {
    send: (playerGuid, event, payload) => live.get(playerGuid)?.emit(event, payload) ?? false,
    sendTo: (connectionGuid, event, payload) => {
      const connection = connections.get(connectionGuid);
      if (connection?.isDismissed === false) connection.socket.emit(event, payload);
    },
    broadcast: (event, makePayload) => {
      for (const { socket } of connections.values()) socket.emit(event, makePayload());
    },
    disconnect: (connectionGuid) => {
      const connection = connections.get(connectionGuid);
      if (connection === undefined || connection.isDismissed) return;
      connection.isDismissed = true;
      connection.queue.done().then(() => connection.socket.disconnect(true));
    },
    holds: (playerGuid) => live.has(playerGuid),
    players: () => [...live.keys()],
    close: async () => {
      for (const { socket } of connections.values()) socket.conn.close();
      close();
      // Commands are executed to the end, because the database is closed after this. A client that does not close
      // its transport is not waited for.
      for (let waited = 0; connections.size > 0 && waited < CLOSE_MS; waited += CLOSE_POLL_MS)
        await new Promise((resolve) => setTimeout(resolve, CLOSE_POLL_MS));
      await Promise.all(ending);
    },
  };
}
