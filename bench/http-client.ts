import net from 'node:net';

/** A keep-alive connection that does next to nothing: what is measured is the server. */
export interface HttpConnection {
  /** Sends these bytes, a whole request, in two parts where its body is large, and returns the answer's status and body. One at a time. */
  ask(request: Buffer, body?: Buffer): Promise<{ status: number; body: Buffer }>;
  close(): void;
}

export const requestOf = (path: string, headers: Record<string, string> = {}): Buffer =>
  Buffer.from(
    [
      `GET ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n'),
  );

const HEAD_END = Buffer.from('\r\n\r\n');
/** As Node and as Fastify write it. It is looked for among bytes: a text of each head would cost this side more. */
const LENGTHS = ['\r\nContent-Length: ', '\r\ncontent-length: '].map((name) => Buffer.from(name));
const ZERO = 48;

/** The number that stands in the head behind this name; 0 where it does not. */
function lengthIn(head: Buffer): number {
  for (const name of LENGTHS) {
    const at = head.indexOf(name);
    if (at < 0) continue;
    let length = 0;
    for (let digit = at + name.length; (head[digit] ?? 0) >= ZERO; digit++)
      length = length * 10 + (head[digit] ?? 0) - ZERO;
    return length;
  }
  return 0;
}

export async function connectHttp(port: number): Promise<HttpConnection> {
  const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received = Buffer.alloc(0);
  let waiting: {
    resolve(answer: { status: number; body: Buffer }): void;
    reject(error: Error): void;
  } | null = null;
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf(HEAD_END);
    if (end < 0) return;
    const length = lengthIn(received.subarray(0, end));
    const from = end + HEAD_END.length;
    if (received.length < from + length) return;
    const answer = {
      status: Number(received.toString('latin1', 9, 12)),
      body: received.subarray(from, from + length),
    };
    received = received.subarray(from + length);
    const done = waiting;
    waiting = null;
    done?.resolve(answer);
  });
  socket.on('close', () => waiting?.reject(new Error('The server closed the connection.')));
  return {
    ask: (request, content) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) throw new Error('The server has closed the connection.');
        waiting = { resolve, reject };
        socket.write(request);
        if (content) socket.write(content);
      }),
    close: () => socket.destroy(),
  };
}
