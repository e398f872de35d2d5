import type { ServerResponse } from 'node:http';
import type { Socket } from 'socket.io';
import type { WebSocket } from 'ws';
import { BOUNDS } from '../limits.ts';
import { Budget } from './budget.ts';
import { CHANNEL_BUDGET } from './web-socket-engine.ts';

/**
 * Bounds of one Engine.IO connection: what it sends, in which order, and what waits to be sent to it. Whoever
 * breaks them is cut off at once, so that a refusal costs less than what it refuses.
 */

type Transport = Socket['conn'];

/** Why a connection was cut. */
export type CutReason =
  /** It asked for more than its bucket holds, for too long. */
  | 'over_budget'
  /** It sent something else than one CONNECT before it was let in, or anything after it was refused. */
  | 'not_admitted'
  /** It was not let in within the time for it. */
  | 'too_late'
  /** A binary message, another namespace, a second CONNECT, or what is no packet of Socket.IO. */
  | 'not_spoken_here'
  /** It reads too slowly. */
  | 'not_reading';

export interface Guard {
  /** Its handshake is through. */
  admitted(): void;
  /** It has been told that it was refused, or has left: it is closed, and cut when it does not go. */
  leave(): void;
  /**
   * Runs this when the connection owes nothing any more: at once as a rule. For requests of polling, which are
   * not read meanwhile. Two that wait cut the connection.
   */
  whenPaid(run: () => void): void;
  /** It was refused for its rate: it is read again after a moment, and its refusals are sent together then. */
  slowDown(refuse: () => void): void;
}

/**
 * How long a connection is not read after a refusal for its rate. What it sends meanwhile comes in one piece, and the
 * answers leave in one: a read and a write for each message cost ten times what refusing it does.
 */
const SLOW_MS = 25;

const webSocketOf = ({ transport }: Transport): WebSocket | null =>
  transport.name === 'websocket' ? (transport as unknown as { socket: WebSocket }).socket : null;

/** What is wrong with the text of a packet, whoever sends it; null when nothing is. */
function isSpokenHere(packet: unknown): packet is string {
  if (typeof packet !== 'string') return false;
  // CONNECT, DISCONNECT, EVENT, ACK. The types of binary messages are 5 and 6.
  if (!/^[0-3]/.test(packet)) return false;
  return packet[1] !== '/' || packet[2] === ',' || packet.length === 2;
}

const sizeOf = (data: unknown): number =>
  typeof data === 'string' ? Buffer.byteLength(data) : Buffer.isBuffer(data) ? data.byteLength : 0;

/** @param onCut told once when the connection is cut, before it is */
export function guardTransport(transport: Transport, onCut: (reason: CutReason) => void): Guard {
  const budget = new Budget(CHANNEL_BUDGET, () => performance.now());
  let stage: 'new' | 'asking' | 'admitted' | 'leaving' | 'cut' = 'new';
  /** When the WebSocket is read again, in time of `performance.now()`. */
  let readAgainAt = 0;
  let resuming: NodeJS.Timeout | undefined;
  let paying: NodeJS.Timeout | undefined;
  /** Refusals that are sent together. */
  let refusals: (() => void)[] = [];
  /** A request of polling that waits to be read. */
  let held: (() => void) | undefined;

  const cut = (reason: CutReason): void => {
    if (stage === 'cut') return;
    stage = 'cut';
    onCut(reason);
    const webSocket = webSocketOf(transport);
    outward.drop();
    transport.close(true);
    webSocket?.terminate();
  };
  const outward = watchOutward(transport, () => cut('not_reading'));

  /** A WebSocket is read again when nothing is owed; a request of polling is held back before it is read. */
  const holdBack = (): void => {
    const webSocket = webSocketOf(transport);
    if (webSocket === null) {
      if (budget.owesMost()) cut('over_budget');
    } else pause(webSocket, budget.owedMs());
  };

  const pause = (webSocket: WebSocket, forMs: number): void => {
    readAgainAt = Math.max(readAgainAt, performance.now() + forMs);
    if (resuming !== undefined) return;
    webSocket.pause();
    const resume = (): void => {
      const leftMs = readAgainAt - performance.now();
      resuming = leftMs > 0 ? setTimeout(resume, leftMs) : undefined;
      if (resuming === undefined) webSocket.resume();
    };
    resuming = setTimeout(resume, forMs);
  };

  /** The first packet asks to be let in; until the answer nothing may follow. */
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
    if (!isSpokenHere(data)) cut('not_spoken_here');
    else if (!isInOrder(data)) cut(stage === 'admitted' ? 'not_spoken_here' : 'not_admitted');
  });
  // One probe opens the way from polling to a WebSocket; each one is answered.
  const probed = new WeakSet();
  transport.on('upgrading', (next: object) => {
    if (probed.has(next)) cut('not_spoken_here');
    probed.add(next);
  });
  const tooLate = setTimeout(() => cut('too_late'), BOUNDS.connect.value);
  transport.once('close', () => {
    clearTimeout(tooLate);
    clearTimeout(resuming);
    clearTimeout(paying);
    held?.();
  });

  return {
    admitted: () => {
      if (stage !== 'asking') return;
      stage = 'admitted';
      clearTimeout(tooLate);
    },
    leave: () => {
      if (stage === 'cut' || transport.readyState !== 'open') return;
      stage = 'leaving';
      leaveOrBeCut(transport);
    },
    whenPaid: (run) => {
      const owedMs = budget.owedMs();
      if (owedMs === 0) return run();
      if (held !== undefined) {
        cut('over_budget');
        return run();
      }
      held = () => {
        held = undefined;
        run();
      };
      paying = setTimeout(held, owedMs);
    },
    slowDown: (refuse) => {
      refusals.push(refuse);
      if (refusals.length > 1) return;
      const webSocket = webSocketOf(transport);
      if (webSocket !== null) pause(webSocket, SLOW_MS);
      setTimeout(() => {
        const due = refusals;
        refusals = [];
        if (stage !== 'cut') for (const send of due) send();
      }, SLOW_MS);
    },
  };
}

/** Closes a connection, and cuts it when that takes too long or something still comes. */
function leaveOrBeCut(transport: Transport): void {
  const webSocket = webSocketOf(transport);
  const end = setTimeout(() => {
    transport.close(true);
    webSocket?.terminate();
  }, BOUNDS.closing.value);
  if (webSocket === null) {
    // Polling: the answer has gone out, and with the next request comes the end.
    transport.once('close', () => clearTimeout(end));
    return;
  }
  webSocket.once('close', () => clearTimeout(end));
  webSocket.once('message', () => webSocket.terminate());
  transport.close();
}

/**
 * Watches what waits to be sent: in Engine.IO, in the socket below it, and in answers of polling that nobody reads.
 * @returns `drop` gives those answers up
 */
function watchOutward(transport: Transport, onTooMuch: () => void): { drop(): void } {
  let queued = 0;
  let unread = 0;
  const answers = new Set<ServerResponse>();
  transport.on('packetCreate', ({ data }: { data?: string }) => {
    // What is sent has one byte for each character.
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
    // Once the system has taken all of it, or the connection is gone.
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
