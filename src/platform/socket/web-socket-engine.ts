import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { BOUNDS } from '../limits.ts';
import { Budget, type BudgetLimits } from './budget.ts';

/** Options of every WebSocket of the service. */
export const WEB_SOCKET_OPTIONS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  // One message per turn of the event loop: a chunk of 64 KiB may hold ten thousand.
  allowSynchronousEvents: false,
  closeTimeout: BOUNDS.closing.value,
  // Fragments cost as much as messages, but the budget does not count them.
  maxFragments: BOUNDS.fragments.value,
} as const;

/** The budget of a connection of the channel for messages; WebSocket pings and pongs have a second one of this size. */
export const CHANNEL_BUDGET: BudgetLimits = {
  packets: { holds: BOUNDS.packets.value, perSecond: BOUNDS.packets.value / 2 },
  bytes: { holds: BOUNDS.packetBytes.value, perSecond: BOUNDS.packetBytes.value / 2 },
  patienceMs: BOUNDS.overBudget.value,
};

/** Limits WebSocket pings and pongs. `ws` answers them, so Engine.IO does not see them. */
function boundControlFrames(webSocket: WebSocket): void {
  let budget: Budget | undefined;
  const count = (payload: Buffer): void => {
    budget ??= new Budget({ ...CHANNEL_BUDGET, patienceMs: 0 }, () => performance.now());
    const isTooMuch = budget.take(payload.byteLength) === 'exhausted';
    if (isTooMuch || webSocket.bufferedAmount > BOUNDS.waiting.value) webSocket.terminate();
  };
  webSocket.on('ping', count);
  webSocket.on('pong', count);
}

/** So many messages of a connection are handled in one turn of the event loop. */
const MESSAGES_A_TURN = 16;

/**
 * Allows a connection several messages per turn, because with one a busy process reads fewer than a connection may
 * send. `ws` checks this field before each message and has no public way to set it; without the field it stays one.
 */
function takeTurns(webSocket: WebSocket): void {
  const { _receiver: receiver } = webSocket as unknown as {
    _receiver?: { _allowSynchronousEvents: boolean };
  };
  if (receiver === undefined) return;
  let count = 0;
  webSocket.on('message', () => {
    count = (count + 1) % MESSAGES_A_TURN;
    receiver._allowSynchronousEvents = count !== 0;
  });
}

/**
 * Writes all messages of one turn of the event loop with one system call. That call takes longer than everything else
 * that is done for an answer.
 */
function writeOnceATurn(webSocket: WebSocket, socket: Duplex): void {
  const send = webSocket.send.bind(webSocket) as (...message: unknown[]) => void;
  let isCorked = false;
  webSocket.send = (...message: unknown[]): void => {
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      setImmediate(() => {
        isCorked = false;
        socket.uncork();
      });
    }
    send(...message);
  };
}

/** The WebSocket server under Engine.IO, which sets the largest message itself. */
export class BoundedWebSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, ...WEB_SOCKET_OPTIONS } as ServerOptions);
  }

  override handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    take: (webSocket: WebSocket, request: IncomingMessage) => void,
  ): void {
    super.handleUpgrade(request, socket, head, (webSocket) => {
      boundControlFrames(webSocket);
      takeTurns(webSocket);
      writeOnceATurn(webSocket, socket);
      take(webSocket, request);
    });
  }
}
