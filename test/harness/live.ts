import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { Waiting } from './waiting.ts';

const LIMIT_MS = 15_000;

/** One end of a live channel, a publisher's or a spectator's. Remembers everything it was sent. */
export class LivePeer {
  readonly socket: WebSocket;
  readonly frames: Buffer[] = [];
  /** Close code and reason; 1006: the connection was cut. */
  closed: { code: number; reason: string } | null = null;
  readonly #waiting = new Waiting();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      this.frames.push(data);
      this.#waiting.wake();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#waiting.wake();
    });
    socket.on('error', () => {});
  }

  /** Rejects with a {@link LiveRefusal} when the upgrade is refused. */
  static open(url: string, platformId: string, headers: Record<string, string> = {}): Promise<LivePeer> {
    const address = `${url.replace('http', 'ws')}/live/u/${platformId}`;
    const socket = new WebSocket(address, { headers, perMessageDeflate: true });
    const peer = new LivePeer(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(peer));
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => {
        LiveRefusal.read(response).then(reject, reject);
      });
    });
  }

  /** Waits until what came makes the condition true. */
  until(holds: () => boolean, what: string): Promise<void> {
    const failure = () => `There was not ${what} in ${LIMIT_MS} ms; ${this.frames.length} frames came`;
    return this.#waiting.until(holds, failure, LIMIT_MS);
  }

  /** Waits for so many frames; returns them as text. */
  async texts(count: number): Promise<string[]> {
    await this.until(() => this.frames.length >= count, `${count} frames`);
    return this.frames.map(String);
  }

  /** Waits for the end; returns the close code. */
  async closeCode(): Promise<number | undefined> {
    await this.until(() => this.closed !== null, 'an end of the connection');
    return this.closed?.code;
  }

  leave(): void {
    this.socket.terminate();
  }
}

/** A refused upgrade, as HTTP says it. */
export class LiveRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: IncomingMessage['headers'];

  private constructor(response: IncomingMessage, body: string) {
    const { code, message } = JSON.parse(body).error;
    super(`${response.statusCode} ${code}: ${message}`);
    this.status = response.statusCode ?? 0;
    this.code = code;
    this.headers = response.headers;
  }

  static async read(response: IncomingMessage): Promise<LiveRefusal> {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return new LiveRefusal(response, Buffer.concat(chunks).toString());
  }
}
