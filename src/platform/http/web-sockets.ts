import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { commonErrors } from '../errors.ts';
import { BOUNDS, RATES, type Rate } from '../limits.ts';
import { ConnectionBucket } from '../socket/connection-bucket.ts';
import { WEB_SOCKET_OPTIONS } from '../socket/web-socket-engine.ts';
import { within } from '../within.ts';

/**
 * WebSockets as the answer of a route: an upgrade request passes the routes like any request, so that credentials, limits
 * and refusals are those of HTTP. At its end the route takes the connection over.
 */

/** One accepted connection. */
export type Peer = NonNullable<ReturnType<WebSockets['accept']>>;

export type WebSockets = ReturnType<typeof openWebSockets>;

interface WebSocketsOptions {
  /** Multiplies the limits a second; 0 switches them off. */
  rateLimitFactor: number;
  /** Called for each peer that is cut off because it reads too slowly. */
  onTooSlow(): void;
}

/** A peer that has not answered a ping by the next one counts as gone, also if TCP still holds the connection. */
const PING_MS = BOUNDS.ping.value;
const CLOSE_MS = BOUNDS.closing.value;

const BINARY_AND_LAST = 0x82;

/**
 * A whole unmasked binary frame (RFC 6455, 5.2). It is made once for all peers: a thousand slow peers share its bytes.
 */
export function binaryFrame(payload: Uint8Array): Buffer {
  const size = payload.byteLength;
  const head = size < 126 ? 2 : size < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + size);
  frame[0] = BINARY_AND_LAST;
  frame[1] = size;
  if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(size, 2);
  } else if (head === 10) {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(size), 2);
  }
  frame.set(payload, head);
  return frame;
}

interface Upgrade {
  socket: Socket;
  head: Buffer;
  response: ServerResponse;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Hands the upgrade requests that `isOurs` names to the routes. */
export function routeUpgrades(
  app: Pick<FastifyInstance, 'server' | 'routing'>,
  isOurs: (request: IncomingMessage) => boolean,
): void {
  app.server.on('upgrade', (request, duplex, head) => {
    if (!isOurs(request)) return;
    // The type allows for other streams; the server is a TCP server.
    const socket = duplex as Socket;
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    // Node reads no further requests from this connection, so a refusal ends it.
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => {
      response.detachSocket(socket);
      socket.destroySoon();
    });
    upgrades.set(request, { socket, head, response });
    app.routing(request, response);
  });
}

/** The connection of an upgrade request. @throws UPGRADE_REQUIRED where a request asks for an ordinary answer */
export function upgradeOf({ raw }: FastifyRequest): Upgrade {
  const upgrade = upgrades.get(raw);
  if (upgrade === undefined)
    throw commonErrors.UPGRADE_REQUIRED({ headers: { upgrade: 'websocket', connection: 'Upgrade' } });
  return upgrade;
}

export function openWebSockets({ rateLimitFactor, onTooSlow }: WebSocketsOptions) {
  /** A bucket that holds the limit of one second and fills up within a second. */
  const bucket = ({ most }: Rate) => ({ holds: most * rateLimitFactor, perSecond: most * rateLimitFactor });
  const packets = bucket(RATES.liveMessages);
  const bytes = bucket(RATES.liveBytes);
  const peers = new Map<WebSocket, { answered: boolean }>();
  let problem: Error | undefined;
  const server = new WebSocketServer({
    ...WEB_SOCKET_OPTIONS,
    maxPayload: BOUNDS.liveMessage.value,
    handleProtocols: () => false,
  });
  server.on('wsClientError', (error) => {
    problem = error;
  });

  const heartbeat = setInterval(() => {
    for (const [socket, pulse] of peers) {
      if (!pulse.answered) socket.terminate();
      else {
        pulse.answered = false;
        socket.ping();
      }
    }
  }, PING_MS);
  heartbeat.unref();

  const peerOf = (webSocket: WebSocket, socket: Socket) => {
    const pulse = { answered: true };
    const bucket = rateLimitFactor === 0 ? null : new ConnectionBucket({ packets, bytes, patienceMs: 0 });
    /** Counts ignored messages as well, because reading them costs as much. */
    const isWithinLimits = (bytes: number): boolean => {
      if (webSocket.readyState !== webSocket.OPEN) return false;
      if (bucket === null || bucket.take(bytes) === 'within') return true;
      webSocket.close(1008, 'Too much at once.');
      // Nothing more of it is read.
      webSocket.pause();
      return false;
    };
    let handle = (_payload: Buffer): void => {};
    peers.set(webSocket, pulse);
    webSocket.on('message', (payload: Buffer, isBinary) => {
      if (isWithinLimits(payload.byteLength) && isBinary) handle(payload);
    });
    webSocket.on('ping', (payload) => isWithinLimits(payload.byteLength));
    webSocket.on('pong', (payload) => {
      pulse.answered = true;
      isWithinLimits(payload.byteLength);
    });
    // The close code tells the sender what is wrong with a frame.
    webSocket.on('error', () => {});
    webSocket.on('close', () => peers.delete(webSocket));
    return {
      /**
       * Sends a frame made by {@link binaryFrame}. A peer that reads so slowly that too much waits for it is cut off
       * without a close frame, which would wait behind the rest.
       */
      send: (frame: Buffer): void => {
        if (webSocket.readyState !== webSocket.OPEN) return;
        if (socket.writableLength > BOUNDS.liveWaiting.value) {
          webSocket.terminate();
          onTooSlow();
          return;
        }
        socket.write(frame);
      },
      close: (code: number, reason: string): void => webSocket.close(code, reason),
      /** Called with every binary message; text is ignored. */
      onFrame: (given: (payload: Buffer) => void): void => {
        handle = given;
      },
      onClose: (given: () => void): void => void webSocket.on('close', given),
    };
  };

  return {
    /**
     * Takes the connection of a request over; nothing else may be answered afterwards.
     * @returns null when the client has gone meanwhile
     * @throws as {@link upgradeOf}; VALIDATION_FAILED for a malformed handshake
     */
    accept: (request: FastifyRequest, reply: FastifyReply) => {
      const { socket, head, response } = upgradeOf(request);
      let peer = null as ReturnType<typeof peerOf> | null;
      problem = undefined;
      server.once('headers', (lines) => {
        for (const [name, value] of Object.entries(reply.getHeaders())) lines.push(`${name}: ${value}`);
      });
      server.handleUpgrade(request.raw, socket, head, (webSocket) => {
        peer = peerOf(webSocket, socket);
      });
      server.removeAllListeners('headers');
      if (problem !== undefined)
        throw commonErrors.VALIDATION_FAILED({
          message: `The WebSocket handshake is not well-formed: ${(problem as Error).message}.`,
          headers: { 'sec-websocket-version': '13' },
        });
      response.detachSocket(socket);
      reply.hijack();
      return peer;
    },

    /** Closes every connection with 1001; resolves when all are gone. */
    close: async () => {
      clearInterval(heartbeat);
      const gone = [...peers.keys()].map((webSocket) => {
        webSocket.close(1001, 'The server is going away.');
        return new Promise((resolve) => webSocket.once('close', resolve));
      });
      await within(CLOSE_MS, Promise.all(gone));
      for (const webSocket of peers.keys()) webSocket.terminate();
    },
  };
}
