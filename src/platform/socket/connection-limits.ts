import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { BOUNDS } from '../limits.ts';
import { ConnectionBucket } from './connection-bucket.ts';
import { pollingAnswerOf, SOCKET_BUCKET, type Transport, webSocketOf } from './web-socket-engine.ts';

/** Why a connection was cut. */
export type CutReason =
  /** It sent more than its token bucket holds, for too long. */
  | 'over_budget'
  /** It sent anything but one CONNECT before it was admitted, or anything after it was refused. */
  | 'not_admitted'
  /** It was not admitted in time. */
  | 'too_late'
  /** It sent a binary message, another namespace, a second CONNECT, or an invalid packet. */
  | 'invalid_packet'
  /** It reads too slowly. */
  | 'not_reading';

/**
 * For how long a connection is not read after a refusal for its rate, once everything it had sent is read. Its next
 * messages then arrive in one read and their refusals leave in one write, which costs a tenth of a read and a write for
 * each.
 */
const THROTTLE_MS = 100;

/** A polling connection with more debt is cut. Its next request waits until the debt is paid. */
const MOST_POLLING_DEBT_MS = 1000;

/** Continues reading connections, one in each turn of the event loop. All in one turn would delay everybody else. */
const resumingInTurn: (() => void)[] = [];

function resumeInTurn(resume: () => void): void {
  resumingInTurn.push(resume);
  if (resumingInTurn.length === 1) setImmediate(resumeNext);
}

function resumeNext(): void {
  resumingInTurn.shift()?.();
  if (resumingInTurn.length > 0) setImmediate(resumeNext);
}

/** Whether it is a text packet of Socket.IO for the default namespace. */
function isValidPacket(packet: unknown): packet is string {
  if (typeof packet !== 'string') return false;
  // 0 to 3 are CONNECT, DISCONNECT, EVENT and ACK; 5 and 6 are binary.
  if (!/^[0-3]/.test(packet)) return false;
  return packet[1] !== '/' || packet[2] === ',' || packet.length === 2;
}

/** A packet of Engine.IO. */
interface EnginePacket<Data = unknown> {
  type: string;
  data?: Data;
}

const sizeOf = (data: unknown): number =>
  typeof data === 'string' ? Buffer.byteLength(data) : Buffer.isBuffer(data) ? data.byteLength : 0;

/**
 * Limits one Engine.IO connection: what it sends, in which order, and what waits to be sent to it. A connection over a
 * limit is cut at once, so that attacks cost little.
 */
export class ConnectionLimits {
  readonly #transport: Transport;
  readonly #onCut: (reason: CutReason) => void;
  readonly #bucket = new ConnectionBucket(SOCKET_BUCKET);
  /** Packets that have arrived. */
  #packets = 0;
  #stage: 'new' | 'asking' | 'admitted' | 'closing' | 'cut' = 'new';
  #endHandshake: (() => void) | undefined;
  #tooLate: NodeJS.Timeout | undefined;
  /** When the WebSocket is read again, by `performance.now()`. */
  #readAgainAt = 0;
  #resuming: NodeJS.Timeout | undefined;
  #releasing: NodeJS.Timeout | undefined;
  /** Refusals that are sent together. */
  #refusals: (() => void)[] | undefined;
  /** Continues a polling request that waits to be read. */
  #held: (() => void) | undefined;
  /** Transports that were probed for an upgrade. */
  #probed: WeakSet<object> | undefined;
  /** Characters that wait in Engine.IO, and those in polling answers that the client has not read. */
  #queued = 0;
  #unread = 0;
  /** Those answers. */
  #answers: Set<ServerResponse> | undefined;

  /**
   * @param onHandshakeEnded called once, when the connection was admitted or has closed before
   * @param onCut called before the connection is cut
   */
  constructor(transport: Transport, onHandshakeEnded: () => void, onCut: (reason: CutReason) => void) {
    this.#transport = transport;
    this.#onCut = onCut;
    this.#endHandshake = onHandshakeEnded;
    this.#tooLate = setTimeout(() => this.#cut('too_late'), BOUNDS.connect.value);
    transport.on('packet', (packet: EnginePacket) => this.#received(packet));
    transport.on('packetCreate', ({ data }: EnginePacket<string>) => this.#created(data));
    transport.on('flush', () => this.#flushed());
    if (webSocketOf(transport) === null) transport.on('upgrading', (next: object) => this.#upgrading(next));
    transport.once('close', () => this.#closed());
  }

  /** The handshake has succeeded. */
  admitted(): void {
    this.#handshakeEnded();
    if (this.#stage !== 'asking') return;
    this.#stage = 'admitted';
    this.#stopWaiting();
  }

  /** Closes the connection after a refusal or a disconnect, and cuts it when the client does not close it. */
  close(): void {
    if (this.#stage === 'cut' || this.#transport.readyState !== 'open') return;
    this.#stage = 'closing';
    closeOrCut(this.#transport);
  }

  /** Reads a polling request when the connection has no debt. A second request that waits cuts the connection. */
  whenInBudget(read: () => void): void {
    const debtMs = this.#bucket.debtMs();
    if (debtMs > 0 && this.#held === undefined) {
      this.#held = () => {
        this.#held = undefined;
        read();
      };
      this.#releasing = setTimeout(this.#held, debtMs);
      return;
    }
    if (debtMs > 0) this.#cut('over_budget');
    read();
  }

  /** Pauses reading after a refusal for the rate, and sends the refusals of the pause together. */
  throttle(sendRefusal: () => void): void {
    if (this.#refusals !== undefined) {
      this.#refusals.push(sendRefusal);
      return;
    }
    this.#refusals = [sendRefusal];
    this.#pauseWhenRead(this.#packets);
    setTimeout(() => {
      const due = this.#refusals ?? [];
      this.#refusals = undefined;
      if (this.#stage !== 'cut') for (const send of due) send();
    }, THROTTLE_MS);
  }

  #cut(reason: CutReason): void {
    if (this.#stage === 'cut') return;
    this.#stage = 'cut';
    this.#onCut(reason);
    const webSocket = webSocketOf(this.#transport);
    for (const answer of this.#answers ?? []) answer.destroy();
    this.#transport.close(true);
    webSocket?.terminate();
  }

  #received({ type, data }: EnginePacket): void {
    this.#packets += 1;
    const verdict = this.#bucket.take(sizeOf(data));
    if (verdict === 'exhausted') this.#cut('over_budget');
    else if (verdict === 'beyond') this.#holdBack();
    if (type !== 'message') return;
    if (!isValidPacket(data)) this.#cut('invalid_packet');
    else if (!this.#isInOrder(data))
      this.#cut(this.#stage === 'admitted' ? 'invalid_packet' : 'not_admitted');
  }

  /** The first packet is CONNECT; nothing may follow before the answer. */
  #isInOrder(packet: string): boolean {
    if (this.#stage === 'admitted') return !packet.startsWith('0');
    if (this.#stage !== 'new' || !packet.startsWith('0')) return false;
    this.#stage = 'asking';
    return true;
  }

  /** Pauses a WebSocket until its debt is paid. A polling request has waited before it is read. */
  #holdBack(): void {
    const debtMs = this.#bucket.debtMs();
    const webSocket = webSocketOf(this.#transport);
    if (webSocket !== null) this.#pause(webSocket, debtMs);
    else if (debtMs >= MOST_POLLING_DEBT_MS) this.#cut('over_budget');
  }

  /**
   * Pauses a WebSocket after a turn of the event loop in which nothing arrived. Earlier, a stream of large messages
   * would be read more slowly than its bucket refills, and never be over its budget.
   */
  #pauseWhenRead(packets: number): void {
    setImmediate(() => {
      const webSocket = webSocketOf(this.#transport);
      if (this.#packets !== packets) this.#pauseWhenRead(this.#packets);
      else if (webSocket !== null) this.#pause(webSocket, THROTTLE_MS);
    });
  }

  /** Pauses a WebSocket, and cuts it when its debt is not paid in time. */
  #pause(webSocket: WebSocket, forMs: number): void {
    this.#readAgainAt = Math.max(this.#readAgainAt, performance.now() + forMs);
    if (this.#resuming !== undefined) return;
    webSocket.pause();
    const resume = (): void => {
      // It may have been paused again meanwhile.
      if (this.#resuming === undefined) webSocket.resume();
    };
    const wait = (): void => {
      const leftMs = this.#readAgainAt - performance.now();
      const exhaustedInMs = this.#bucket.exhaustedInMs();
      this.#resuming = undefined;
      if (leftMs <= 0) resumeInTurn(resume);
      else if (exhaustedInMs === 0) this.#cut('over_budget');
      else this.#resuming = setTimeout(wait, Math.ceil(Math.min(leftMs, exhaustedInMs)));
    };
    wait();
  }

  /** Limits what waits to be sent: in Engine.IO, in the socket, and in polling answers. A character counts as one byte. */
  #created(data: string | undefined): void {
    this.#queued += data?.length ?? 0;
    const waiting = this.#queued + this.#unread + (webSocketOf(this.#transport)?.bufferedAmount ?? 0);
    if (waiting > BOUNDS.waiting.value) this.#cut('not_reading');
  }

  #flushed(): void {
    const size = this.#queued;
    this.#queued = 0;
    const answer = pollingAnswerOf(this.#transport);
    if (answer === null) return;
    this.#unread += size;
    this.#answers ??= new Set();
    this.#answers.add(answer);
    // The system has taken all of it, or the connection is closed.
    answer.once('close', () => {
      this.#unread -= size;
      this.#answers?.delete(answer);
    });
  }

  /** An upgrade from polling to a WebSocket needs one probe. Engine.IO answers each one. */
  #upgrading(next: object): void {
    this.#probed ??= new WeakSet();
    if (this.#probed.has(next)) this.#cut('invalid_packet');
    this.#probed.add(next);
  }

  #handshakeEnded(): void {
    this.#endHandshake?.();
    this.#endHandshake = undefined;
  }

  #stopWaiting(): void {
    clearTimeout(this.#tooLate);
    this.#tooLate = undefined;
  }

  #closed(): void {
    this.#handshakeEnded();
    this.#stopWaiting();
    clearTimeout(this.#resuming);
    clearTimeout(this.#releasing);
    this.#held?.();
  }
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
