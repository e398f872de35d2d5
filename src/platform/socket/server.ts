import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server, type Socket } from 'socket.io';
import { countOpen } from '../address.ts';
import { type Clock, newGuid } from '../clock.ts';
import { commonErrors, type ServiceError } from '../errors.ts';
import { refuseOn } from '../http/errors.ts';
import { HEADERS } from '../http/headers.ts';
import { BOUNDS } from '../limits.ts';
import { ConnectionLimits, type CutReason } from './connection-limits.ts';
import { CommandDecoder } from './decoder.ts';
import { JsonEncoder } from './encoder.ts';
import { pollingAnswers } from './polling.ts';
import { BoundedWebSocketServer, connectionOf, type Transport } from './web-socket-engine.ts';

export interface ServerOptions {
  server: HttpServer;
  clock: Clock;
  /** Origins a browser may connect from. A plugin sends no Origin at all. */
  origins: readonly string[];
  addressOf(request: IncomingMessage): string;
  /** The refusal with status 403. */
  forbidden(about: { message?: string }): ServiceError;
  rateLimitFactor: number;
  /** Called for every handshake. @param outcome `ok`, the code of the refusal, or {@link UNKNOWN_SESSION} */
  onHandshake(outcome: string): void;
  /** Called for every connection that is cut at a limit. */
  onCut(reason: CutReason): void;
}

/**
 * The place of a connection among those of its player. It is set when the connection is opened: its CONNECT may come much
 * later, when the network is back, and then belongs to a connection that the client has given up for a newer one.
 */
export interface Opening {
  /** Each reconnect has another one. Those of one node grow in the order in which connections are opened. */
  connectionGuid: string;
  /** Milliseconds since 1970. */
  openedAt: number;
}

/** The data that Engine.IO emits about a connection that it refuses. */
interface EngineRefusal {
  /** `websocket` is set once the WebSocket is open. */
  req: IncomingMessage & { websocket?: unknown };
  code: number;
  message: string;
  context?: { message?: string };
}
/** Engine.IO's codes for a request with an id of no connection of this node, and for a refusal by `allowRequest`. */
const ENGINE_UNKNOWN_SID = 1;
const ENGINE_FORBIDDEN = 4;
/** Long polling that came to another node than it began on, or whose connection has ended. */
const UNKNOWN_SESSION = 'UNKNOWN_SESSION';
const CLOSING = 'Closing';
const OTHER_PROTOCOL = 'Unsupported protocol version';

/** The version of Engine.IO's protocol in a request. Socket.IO's clients from 3 on speak 4. */
const protocolOf = ({ url = '' }: IncomingMessage): string | null =>
  new URLSearchParams(url.slice(url.indexOf('?'))).get('EIO');

/** Opens Socket.IO over Engine.IO, with limits for each connection and the headers of every answer. */
export function openServer(options: ServerOptions) {
  const factor = options.rateLimitFactor;
  /** Connections whose handshake is not done: each costs memory for a while. */
  const pending = countOpen(
    factor === 0 ? Number.POSITIVE_INFINITY : BOUNDS.pendingHandshakes.value * Math.max(1, factor),
  );
  const limits = new WeakMap<Transport, ConnectionLimits>();
  const openings = new WeakMap<Transport, Opening>();
  let isClosing = false;
  /** The refusals of `allowRequest`, for which Engine.IO has one status, 403. */
  const forbidden: ServerOptions['forbidden'] = (about) => {
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
    const address = options.addressOf(transport.request);
    pending.add(address);
    openings.set(transport, { connectionGuid: newGuid(), openedAt: options.clock.now() });
    limits.set(transport, new ConnectionLimits(transport, () => pending.remove(address), options.onCut));
  });
  // Engine.IO refuses an upgrade with a line of text and without our headers.
  io.engine.on('connection_error', ({ req, code, message, context }: EngineRefusal) => {
    if (code === ENGINE_UNKNOWN_SID) options.onHandshake(UNKNOWN_SESSION);
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
    openingOf: ({ conn }: Socket): Opening => openings.get(conn) as Opening,
    limitsOf: ({ conn }: Socket): ConnectionLimits | undefined => limits.get(conn),
    /** Closes every connection and refuses new ones. */
    close: (): void => {
      isClosing = true;
      io.engine.close();
    },
  };
}
