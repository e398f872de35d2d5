import { connect, type Socket } from 'node:net';
import { Waiting } from './waiting.ts';

const LIMIT_MS = 30_000;
/** Engine.IO's ping as it travels: a text of one character. */
const PING = Buffer.from([0x81, 1, 0x32]);

/**
 * A WebSocket of the channel by hand (RFC 6455). It does nothing by itself that a library would do, such as answering a
 * close frame; it only answers pings while it reads.
 */
export class BareSocket {
  readonly tcp: Socket;
  /** All bytes received, as text. */
  received = '';
  /** When the connection ended, of `performance.now()`. */
  endedAt: number | null = null;
  /** Resolves when the connection has ended in any way. */
  readonly ended: Promise<void>;
  readonly #waiting = new Waiting();

  private constructor(tcp: Socket) {
    this.tcp = tcp;
    tcp.on('error', () => {});
    tcp.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
      // On a busy machine a test may take longer than the service waits for an answer.
      if (chunk.includes(PING)) tcp.write(frameOf('3'));
      this.#waiting.wake();
    });
    this.ended = new Promise((resolve) =>
      tcp.once('close', () => {
        this.endedAt = performance.now();
        this.#waiting.wake();
        resolve();
      }),
    );
  }

  /** Opens one and waits for Engine.IO's greeting. */
  static async open(url: string): Promise<BareSocket> {
    const { hostname, port } = new URL(url);
    const bare = new BareSocket(connect(Number(port), hostname));
    bare.tcp.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${hostname}\r\nUpgrade: websocket\r\n` +
        'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await bare.until('"pingInterval"');
    return bare;
  }

  /** Waits until this has come. @throws Error when the connection ends before */
  async until(text: string): Promise<void> {
    const hasCome = () => this.received.includes(text);
    const failure = () => `${text} did not come in ${LIMIT_MS} ms: ${this.received}`;
    await this.#waiting.until(() => hasCome() || this.endedAt !== null, failure, LIMIT_MS);
    if (!hasCome()) throw new Error(`It ended before ${text}: ${this.received}`);
  }

  /** Sends one frame; the mask is zero. @param opcode 0 continues, 1 text, 2 binary, 9 ping, 10 pong */
  frame(payload: string, opcode = 1, isLast = true): void {
    this.tcp.write(frameOf(payload, opcode, isLast));
  }

  leave(): void {
    this.tcp.destroy();
  }
}

/** A masked frame, whose mask is zero. */
export function frameOf(payload: string, opcode = 1, isLast = true): Buffer {
  const body = Buffer.from(payload);
  const head = body.length < 126 ? Buffer.from([0, 0x80 | body.length]) : Buffer.from([0, 0xfe, 0, 0]);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  if (body.length >= 126) head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, Buffer.alloc(4), body]);
}
