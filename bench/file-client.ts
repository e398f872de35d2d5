import net from 'node:net';

/** A keep-alive connection that reads files: it compares what comes with what should come, and keeps nothing. */
export interface FileConnection {
  /**
   * Sends these bytes, a whole request, and reads the answer. One at a time.
   * @throws when the status is another one, or the body is not `expected`
   */
  ask(request: Buffer, status: number, expected: Buffer): Promise<void>;
  close(): void;
}

const HEAD_END = '\r\n\r\n';
const CHUNK = 256 * 1024;

interface Reading {
  status: number;
  expected: Buffer;
  /** Null until the head has come. */
  left: number | null;
  head: string;
  resolve(): void;
  reject(error: Error): void;
}

export async function connectFiles(port: number): Promise<FileConnection> {
  let reading: Reading | null = null;

  const fail = (message: string): void => {
    const failed = reading;
    reading = null;
    failed?.reject(new Error(message));
  };

  /** @returns the part of the body among these bytes, once the head is over */
  const afterHead = (now: Reading, bytes: Buffer): Buffer | null => {
    now.head += bytes.toString('latin1');
    const end = now.head.indexOf(HEAD_END);
    if (end < 0) return null;
    const body = Buffer.from(now.head.slice(end + HEAD_END.length), 'latin1');
    now.head = now.head.slice(0, end);
    now.left = Number(/\r\ncontent-length: (\d+)/i.exec(now.head)?.[1] ?? 0);
    // For a client that has the file already: its length, and no body.
    if (now.status === 304) now.left = 0;
    if (Number(now.head.slice(9, 12)) !== now.status || now.left !== now.expected.length)
      fail(`Answered ${now.head}`);
    return body;
  };

  const read = (bytes: Buffer): void => {
    const now = reading;
    if (now === null) return;
    const body = now.left === null ? afterHead(now, bytes) : bytes;
    if (body === null || reading === null || now.left === null) return;
    const from = now.expected.length - now.left;
    if (body.compare(now.expected, from, from + body.length) !== 0) {
      fail('Another file.');
      return;
    }
    now.left -= body.length;
    if (now.left > 0) return;
    reading = null;
    now.resolve();
  };

  const buffer = Buffer.allocUnsafe(CHUNK);
  const socket = net.connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    // One buffer for everything: what is measured is not our allocator.
    onread: {
      buffer,
      callback: (length) => {
        read(buffer.subarray(0, length));
        return true;
      },
    },
  });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.on('close', () => fail('The server closed the connection.'));
  return {
    ask: (request, status, expected) =>
      new Promise((resolve, reject) => {
        reading = { status, expected, left: null, head: '', resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
