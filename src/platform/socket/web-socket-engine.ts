import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket as NetSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Server, Socket } from 'socket.io';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import { commonErrors } from '../errors.ts';
import { refuseOn } from '../http/errors.ts';
import { HEADERS } from '../http/headers.ts';
import { BOUNDS } from '../limits.ts';
import { type BucketLimits, ConnectionBucket } from './connection-bucket.ts';

/**
 * The layers below Socket.IO: Engine.IO and `ws`. Their undocumented members are used in this file only.
 */

/** A connection of Engine.IO. */
export type Transport = Socket['conn'];

/** The WebSocket of a connection; null while it polls. */
export const webSocketOf = ({ transport }: Transport): WebSocket | null =>
  transport.name === 'websocket' ? (transport as unknown as { socket: WebSocket }).socket : null;

/** The answer to the polling request that waits for messages; null without one. */
export const pollingAnswerOf = ({ transport }: Transport): ServerResponse | null =>
  (transport as unknown as { res?: ServerResponse | null }).res ?? null;

/** The connection that a polling request belongs to. */
export function connectionOf(engine: Server['engine'], request: IncomingMessage): Transport | undefined {
  const { clients } = engine as unknown as { clients: Record<string, Transport> };
  const { _query: query } = request as unknown as { _query: { sid?: string } };
  return clients[query.sid ?? ''];
}

/** Options of every WebSocket of the service. */
export const WEB_SOCKET_OPTIONS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  // One message per turn of the event loop: a chunk of 64 KiB may hold ten thousand.
  allowSynchronousEvents: false,
  closeTimeout: BOUNDS.closing.value,
  // Fragments cost as much as messages, but the bucket does not count them.
  maxFragments: BOUNDS.fragments.value,
} as const;

/** The bucket of a connection of the channel for messages; WebSocket pings and pongs have a second one of this size. */
export const SOCKET_BUCKET: BucketLimits = {
  packets: { holds: BOUNDS.packets.value, perSecond: BOUNDS.packets.value / 2 },
  bytes: { holds: BOUNDS.packetBytes.value, perSecond: BOUNDS.packetBytes.value / 2 },
  patienceMs: BOUNDS.overBudget.value,
};

/** Messages of one connection that are handled in one turn of the event loop. */
const MESSAGES_A_TURN = 16;

/** A connection of the channel. Its listeners are methods, because a function for each connection takes memory. */
class ChannelWebSocket extends WebSocket {
  #socket: Duplex | undefined;
  #isCorked = false;
  #messages = 0;
  /** The bucket for pings and pongs. */
  #control: ConnectionBucket | undefined;

  /** @param socket under this WebSocket */
  begin(socket: Duplex): void {
    this.#socket = socket;
    this.on('ping', this.#count);
    this.on('pong', this.#count);
    this.on('message', this.#takeTurns);
  }

  /**
   * Writes all messages of one turn of the event loop with one system call. That call takes longer than everything
   * else that is done for an answer.
   */
  override send(...message: unknown[]): void {
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket?.cork();
      setImmediate(() => {
        this.#isCorked = false;
        this.#socket?.uncork();
      });
    }
    (super.send as (...all: unknown[]) => void)(...message);
  }

  /** Limits pings and pongs. `ws` answers them, so Engine.IO does not see them. */
  #count(payload: Buffer): void {
    this.#control ??= new ConnectionBucket({ ...SOCKET_BUCKET, patienceMs: 0 });
    const isTooMuch = this.#control.take(payload.byteLength) === 'exhausted';
    if (isTooMuch || this.bufferedAmount > BOUNDS.waiting.value) this.terminate();
  }

  /**
   * Allows a connection several messages per turn, because with one a busy process reads fewer than a connection may
   * send. `ws` checks this field before each message and has no public way to set it; without the field it stays one.
   */
  #takeTurns(): void {
    const { _receiver: receiver } = this as unknown as {
      _receiver?: { _allowSynchronousEvents: boolean } | null;
    };
    this.#messages = (this.#messages + 1) % MESSAGES_A_TURN;
    if (receiver) receiver._allowSynchronousEvents = this.#messages !== 0;
  }
}

/** The WebSocket server under Engine.IO, which sets the largest message itself. */
export class BoundedWebSocketServer extends WebSocketServer<typeof ChannelWebSocket> {
  constructor(options: ServerOptions) {
    super({ ...options, ...WEB_SOCKET_OPTIONS, WebSocket: ChannelWebSocket } as ServerOptions<
      typeof ChannelWebSocket
    >);
    // Without a listener `ws` answers with plain text and without our headers.
    this.on('wsClientError', (error, socket) =>
      refuseOn(
        socket as NetSocket,
        commonErrors.VALIDATION_FAILED({
          message: `${error.message}.`,
          headers: { 'sec-websocket-version': '13' },
        }),
        HEADERS,
      ),
    );
  }

  override handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    take: (webSocket: ChannelWebSocket, request: IncomingMessage) => void,
  ): void {
    super.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.begin(socket);
      take(webSocket, request);
    });
  }
}
