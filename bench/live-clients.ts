import { randomBytes } from 'node:crypto';
import net from 'node:net';

/**
 * Ends of a live channel that do next to nothing, so that what is measured is the server: a spectator counts
 * frames of a known size and looks at the number in each.
 */

export interface Frames {
  /** How many came, each whole and in order. */
  count(): number;
  close(): void;
}

interface Watching {
  port: number;
  path: string;
  /** Each comes from an address of its own. */
  spectator: number;
  onFrame(): void;
  /** Something else came, or the connection was lost. */
  onFailure(error: Error): void;
}

const PAYLOAD = 4096;
/** Opcode and length of a frame of that size (RFC 6455, 5.2). */
const LENGTH_FOLLOWS = 126;
const HEAD = Buffer.from([0x82, LENGTH_FOLLOWS, PAYLOAD >> 8, PAYLOAD & 0xff]);
/** A mask of zeros leaves the payload as it is. */
const MASK = Buffer.alloc(4);
const FRAME = HEAD.length + PAYLOAD;
const FILLING = 7;
const PING = 0x89;
const EMPTY_PONG = Buffer.from([0x8a, 0x80, ...MASK]);

async function connect(
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<{ socket: net.Socket; rest: Buffer }> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      answer = Buffer.concat([answer, chunk]);
      const end = answer.indexOf('\r\n\r\n');
      if (end === -1) return;
      socket.off('data', read);
      socket.pause();
      if (answer.toString('latin1', 0, 12) === 'HTTP/1.1 101')
        resolve({ socket, rest: answer.subarray(end + 4) });
      else reject(new Error(answer.toString()));
    };
    socket.on('data', read);
    socket.on('error', reject);
  });
}

/** The channel's publisher: frames that carry their number. */
export async function publishTo(port: number, path: string, headers: Record<string, string>) {
  const { socket } = await connect(port, path, headers);
  socket.on('data', (chunk: Buffer) => {
    if (chunk[0] === PING) socket.write(EMPTY_PONG);
  });
  socket.resume();
  const head = HEAD.length + MASK.length;
  const frame = Buffer.concat([HEAD, MASK, Buffer.alloc(PAYLOAD, FILLING)]);
  frame[1] = 0x80 | LENGTH_FOLLOWS;
  return {
    send: (number: number): void => {
      frame.writeUInt32BE(number, head);
      socket.write(Buffer.from(frame));
    },
    close: () => void socket.destroy(),
  };
}

/** Counts frames as they are expected: of the known size, numbered without a gap. */
export async function watchAt({ port, path, spectator, onFrame, onFailure }: Watching): Promise<Frames> {
  const address = `10.0.${spectator >> 8}.${spectator & 0xff}`;
  const { socket, rest } = await connect(port, path, { 'x-forwarded-for': address });
  let count = 0;
  /** The received part of the incomplete frame. */
  let begun: Buffer = Buffer.alloc(0);
  const isExpected = (frame: Buffer): boolean =>
    frame.subarray(0, HEAD.length).equals(HEAD) &&
    frame.readUInt32BE(HEAD.length) === count &&
    frame[FRAME - 1] === FILLING;
  const read = (chunk: Buffer): void => {
    let bytes: Buffer = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    while (bytes.length >= 2) {
      if (bytes[0] === PING) {
        socket.write(EMPTY_PONG);
        bytes = bytes.subarray(2);
        continue;
      }
      if (bytes.length < FRAME) break;
      if (!isExpected(bytes)) {
        onFailure(new Error(`Frame ${count} of spectator ${spectator} is not as it was sent.`));
        socket.destroy();
        return;
      }
      count += 1;
      onFrame();
      bytes = bytes.subarray(FRAME);
    }
    begun = Buffer.from(bytes);
  };
  socket.on('data', read);
  socket.on('close', () => onFailure(new Error(`Spectator ${spectator} has lost its connection.`)));
  if (rest.length > 0) read(rest);
  socket.resume();
  return { count: () => count, close: () => void socket.destroy() };
}
