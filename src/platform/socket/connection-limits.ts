import type { ServerResponse } from 'node:http';
import type { Socket } from 'socket.io';
import type { WebSocket } from 'ws';
import { BOUNDS } from '../limits.ts';
import { Budget } from './budget.ts';
import { CHANNEL_BUDGET } from './web-socket-engine.ts';

type Transport = Socket['conn'];

/** Why a connection was cut. */
export type CutReason =
  /** It sent more than its token bucket holds, for too long. */
  | 'over_budget'
  /** It sent anything but one CONNECT before it was admitted, or anything after it was refused. */
  | 'not_admitted'
  /** It was not admitted in time. */
  | 'too_late'
  /** It sent a binary message, another namespace, a second CONNECT, or an invalid packet. */
  | 'not_spoken_here'
  /** It reads too slowly. */
  | 'not_reading';

export type ConnectionLimits = ReturnType<typeof limitConnection>;

/**
 * For how long a connection is not read after a refusal for its rate. Its next messages then arrive in one read and
 * their refusals leave in one write, which costs a tenth of a read and a write for each.
 */
const THROTTLE_MS = 100;

/** Connections that are read again, one in each turn of the event loop. All in one turn would delay everybody else. */
const resumingInTurn: WebSocket[] = [];

function resumeInTurn(webSocket: WebSocket): void {
  if (resumingInTurn.push(webSocket) === 1) setImmediate(resumeNext);
}

function resumeNext(): void {
  resumingInTurn.shift()?.resume();
  if (resumingInTurn.length > 0) setImmediate(resumeNext);
}

const webSocketOf = ({ transport }: Transport): WebSocket | null =>
  transport.name === 'websocket' ? (transport as unknown as { socket: WebSocket }).socket : null;

/** Whether it is a text packet of Socket.IO for the default namespace. */
function isValidPacket(packet: unknown): packet is string {
  if (typeof packet !== 'string') return false;
  // 0 to 3 are CONNECT, DISCONNECT, EVENT and ACK; 5 and 6 are binary.
  if (!/^[0-3]/.test(packet)) return false;
  return packet[1] !== '/' || packet[2] === ',' || packet.length === 2;
}

const sizeOf = (data: unknown): number =>
  typeof data === 'string' ? Buffer.byteLength(data) : Buffer.isBuffer(data) ? data.byteLength : 0;

/**
 * Limits one Engine.IO connection: what it sends, in which order, and what waits to be sent to it. A connection over a
 * limit is cut at once, so that attacks cost little.
 * @param onHandshakeEnded called when the connection was admitted or has closed
 * @param onCut called before the connection is cut
 */
export function limitConnection(
  transport: Transport,
  onHandshakeEnded: () => void,
  onCut: (reason: CutReason) => void,
) {
  const budget = new Budget(CHANNEL_BUDGET, () => performance.now());
  let stage: 'new' | 'asking' | 'admitted' | 'closing' | 'cut' = 'new';
  /** When the WebSocket is read again, by `performance.now()`. */
  let readAgainAt = 0;
  let resuming: NodeJS.Timeout | undefined;
  let releasing: NodeJS.Timeout | undefined;
  /** Refusals that are sent together. */
  let refusals: (() => void)[] = [];
  /** Continues a polling request that waits to be read. */
  let held: (() => void) | undefined;

  const cut = (reason: CutReason): void => {
    if (stage === 'cut') return;
    stage = 'cut';
    onCut(reason);
    const webSocket = webSocketOf(transport);
    unsent.drop();
    transport.close(true);
    webSocket?.terminate();
  };
  const unsent = watchUnsent(transport, () => cut('not_reading'));

  /** Pauses a WebSocket until its debt is paid. A polling request has waited before it is read. */
  const holdBack = (): void => {
    const webSocket = webSocketOf(transport);
    if (webSocket === null) {
      if (budget.isDebtFull()) cut('over_budget');
    } else pause(webSocket, budget.debtMs());
  };

  const pause = (webSocket: WebSocket, forMs: number): void => {
    readAgainAt = Math.max(readAgainAt, performance.now() + forMs);
    if (resuming !== undefined) return;
    webSocket.pause();
    const resume = (): void => {
      const leftMs = readAgainAt - performance.now();
      resuming = leftMs > 0 ? setTimeout(resume, leftMs) : undefined;
      if (resuming === undefined) resumeInTurn(webSocket);
    };
    resuming = setTimeout(resume, forMs);
  };

  /** The first packet is CONNECT; nothing may follow before the answer. */
  const isInOrder = (packet: string): boolean => {
    if (stage === 'admitted') return !packet.startsWith('0');
    if (stage !== 'new' || !packet.startsWith('0')) return false;
    stage = 'asking';
    return true;
  };

  transport.on('packet', ({ type, data }: { type: string; data?: unknown }) => {
    const verdict = budget.take(sizeOf(data));
    if (verdict === 'exhausted') cut('over_budget');
    else if (verdict === 'beyond') holdBack();
    if (type !== 'message') return;
    if (!isValidPacket(data)) cut('not_spoken_here');
    else if (!isInOrder(data)) cut(stage === 'admitted' ? 'not_spoken_here' : 'not_admitted');
  });
  // An upgrade from polling to a WebSocket needs one probe. Engine.IO answers each one.
  const probed = new WeakSet();
  transport.on('upgrading', (next: object) => {
    if (probed.has(next)) cut('not_spoken_here');
    probed.add(next);
  });
  const tooLate = setTimeout(() => cut('too_late'), BOUNDS.connect.value);
  transport.once('close', () => {
    onHandshakeEnded();
    clearTimeout(tooLate);
    clearTimeout(resuming);
    clearTimeout(releasing);
    held?.();
  });

  return {
    /** The handshake has succeeded. */
    admitted: (): void => {
      onHandshakeEnded();
      if (stage !== 'asking') return;
      stage = 'admitted';
      clearTimeout(tooLate);
    },
    /** Closes the connection after a refusal or a disconnect, and cuts it when the client does not close it. */
    close: (): void => {
      if (stage === 'cut' || transport.readyState !== 'open') return;
      stage = 'closing';
      closeOrCut(transport);
    },
    /** Reads a polling request when the connection has no debt. A second request that waits cuts the connection. */
    whenInBudget: (read: () => void): void => {
      const debtMs = budget.debtMs();
      if (debtMs > 0 && held === undefined) {
        held = () => {
          held = undefined;
          read();
        };
        releasing = setTimeout(held, debtMs);
        return;
      }
      if (debtMs > 0) cut('over_budget');
      read();
    },
    /** Pauses reading after a refusal for the rate, and sends the refusals of the pause together. */
    throttle: (sendRefusal: () => void): void => {
      refusals.push(sendRefusal);
      if (refusals.length > 1) return;
      const webSocket = webSocketOf(transport);
      if (webSocket !== null) pause(webSocket, THROTTLE_MS);
      setTimeout(() => {
        const due = refusals;
        refusals = [];
        if (stage !== 'cut') for (const send of due) send();
      }, THROTTLE_MS);
    },
  };
}

/** Closes a connection, and cuts it when that takes too long or when it still sends. */
function closeOrCut(transport: Transport): void {
  const webSocket = webSocketOf(transport);
  const end = setTimeout(() => {
    transport.close(true);
    webSocket?.terminate();
  }, BOUNDS.closing.value);
  if (webSocket === null) {
    // Polling: the client has the answer, and its next request ends the connection.
    transport.once('close', () => clearTimeout(end));
    return;
  }
  webSocket.once('close', () => clearTimeout(end));
  webSocket.once('message', () => webSocket.terminate());
  transport.close();
}

/**
 * Watches what waits to be sent: in Engine.IO, in the socket, and in polling answers that the client does not read.
 * @returns `drop` ends those answers
 */
function watchUnsent(transport: Transport, onTooMuch: () => void): { drop(): void } {
  let queued = 0;
  let unread = 0;
  const answers = new Set<ServerResponse>();
  transport.on('packetCreate', ({ data }: { data?: string }) => {
    // A character counts as one byte.
    queued += data?.length ?? 0;
    const waiting = queued + unread + (webSocketOf(transport)?.bufferedAmount ?? 0);
    if (waiting > BOUNDS.waiting.value) onTooMuch();
  });
  transport.on('flush', () => {
    const size = queued;
    queued = 0;
    const { res: answer } = transport.transport as unknown as { res?: ServerResponse | null };
    if (!answer) return;
    unread += size;
    answers.add(answer);
    // The system has taken all of it, or the connection is closed.
    answer.once('close', () => {
      unread -= size;
      answers.delete(answer);
    });
  });
  return {
    drop: () => {
      for (const answer of answers) answer.destroy();
    },
  };
}
