import { randomBytes } from 'node:crypto';
import net from 'node:net';

/**
 * A Socket.IO client that does next to nothing: what is measured is the server, and on a machine with few
 * processors every microsecond of a real client would be taken from it. Speaks Engine.IO 4 over WebSocket.
 */
export interface ThinClient {
  /** Sends a message and returns its acknowledgement. */
  ask(message: Buffer): Promise<Buffer>;
  /** Sends a message and returns what it is acknowledged with, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: what a message is answered with is the caller's business.
  call(event: string, payload?: unknown): Promise<any>;
  /** The number of events of this name that came. */
  received(event: string): number;
  /** Resolves with the next event of this name. */
  next(event: string): Promise<void>;
  isConnected(): boolean;
  close(): void;
}

/** An acknowledged event as it travels: the same bytes can be sent again and again. */
export const messageOf = (event: string, payload: unknown = {}): Buffer =>
  frameOf(`42${ACK}${JSON.stringify([event, payload])}`);

/** One message at a time is under way, so all can carry the same number. */
const ACK = 1;
const ACKNOWLEDGEMENT = Buffer.from(`43${ACK}`);
const PING = Buffer.from('2');
const PONG = frameOf('3');

/** A masked frame (RFC 6455, section 5.2) of less than 64 KiB; a mask of zeros leaves the payload as it is. */
export function frameOf(content: string | Buffer, kind: 'text' | 'binary' = 'text'): Buffer {
  const payload = Buffer.from(content as string);
  const long = payload.length > 125;
  const head = Buffer.alloc(long ? 8 : 6);
  head[0] = kind === 'text' ? 0x81 : 0x82;
  head[1] = 0x80 | (long ? 126 : payload.length);
  if (long) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

/** The payloads of all complete frames, and what is left of an incomplete one. A server does not mask. */
function unframe(bytes: Buffer): { payloads: Buffer[]; rest: Buffer } {
  const payloads: Buffer[] = [];
  let at = 0;
  while (bytes.length - at >= 2) {
    let size = (bytes[at + 1] ?? 0) & 0x7f;
    let head = 2;
    if (size === 126) {
      if (bytes.length - at < 4) break;
      size = bytes.readUInt16BE(at + 2);
      head = 4;
    } else if (size === 127) {
      if (bytes.length - at < 10) break;
      size = Number(bytes.readBigUInt64BE(at + 2));
      head = 10;
    }
    if (bytes.length - at < head + size) break;
    payloads.push(bytes.subarray(at + head, at + head + size));
    at += head + size;
  }
  return { payloads, rest: bytes.subarray(at) };
}

/** Asks for a WebSocket of the channel. */
export const upgradeRequest = (port: number): string =>
  [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n');

/** A refused handshake. */
export class Refused extends Error {
  readonly retryAfterMs: number | null;

  constructor(code: string, retryAfterMs: number | null) {
    super(code);
    this.retryAfterMs = retryAfterMs;
  }
}

export interface ThinOptions {
  /** Where the connection comes from; left out: the system chooses. */
  localAddress?: string;
  /** After how long to give up; left out: never. */
  timeoutMs?: number;
}

/** Connects and is admitted. @throws Refused, or Error with what else went wrong */
export function connectThin(
  port: number,
  auth: object,
  { localAddress, timeoutMs }: ThinOptions = {},
): Promise<ThinClient> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      ...(localAddress !== undefined && { localAddress }),
    });
    const counts = new Map<string, number>();
    const wanted = new Map<string, () => void>();
    let waiting: { resolve(answer: Buffer): void; reject(error: Error): void } | undefined;
    let rest: Buffer = Buffer.alloc(0);
    let upgraded = false;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => socket.destroy(new Error('The server did not answer in time.')), timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
      waiting?.reject(error);
    };
    const client: ThinClient = {
      ask: (message) =>
        new Promise((resolve, reject) => {
          waiting = { resolve, reject };
          socket.write(message);
        }),
      call: async (event, payload) => {
        const answer = await client.ask(messageOf(event, payload));
        const [envelope] = JSON.parse(answer.toString('utf8', ACKNOWLEDGEMENT.length));
        if (!envelope.ok) throw new Error(`${event}: ${envelope.error.code}: ${envelope.error.message}`);
        return envelope.data;
      },
      received: (event) => counts.get(event) ?? 0,
      next: (event) => new Promise((resolve) => void wanted.set(event, resolve)),
      isConnected: () => !socket.destroyed,
      close: () => socket.destroy(),
    };

    const receive = (payload: Buffer): void => {
      if (payload.equals(PING)) socket.write(PONG);
      else if (payload.subarray(0, 3).equals(ACKNOWLEDGEMENT)) waiting?.resolve(payload);
      else {
        const start = payload.toString('latin1', 0, 40);
        if (start.startsWith('0')) socket.write(frameOf(`40${JSON.stringify(auth)}`));
        else if (start.startsWith('40')) {
          clearTimeout(timer);
          resolve(client);
        } else if (start.startsWith('44')) {
          const { message, data } = JSON.parse(payload.toString('utf8', 2));
          fail(new Refused(message, data?.retryAfterMs ?? null));
          socket.destroy();
        } else if (start.startsWith('42')) {
          const event = start.slice(4, start.indexOf('"', 4));
          counts.set(event, (counts.get(event) ?? 0) + 1);
          wanted.get(event)?.();
        } else fail(new Error(`The server said ${payload.toString()}`));
      }
    };

    socket.on('error', fail);
    socket.on('close', () => fail(new Error('The server closed the connection.')));
    socket.on('data', (chunk) => {
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!upgraded) {
        const end = bytes.indexOf('\r\n\r\n');
        if (end === -1) {
          rest = bytes;
          return;
        }
        if (!bytes.toString('latin1', 0, end).startsWith('HTTP/1.1 101')) {
          fail(new Error(bytes.toString('latin1')));
          return;
        }
        upgraded = true;
        bytes = bytes.subarray(end + 4);
      }
      const read = unframe(bytes);
      rest = read.rest;
      for (const payload of read.payloads) receive(payload);
    });
    socket.write(upgradeRequest(port));
  });
}
