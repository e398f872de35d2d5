import net from 'node:net';
import { addressOf } from '../test/load/http.ts';

/** Thousands of readers of one stream in a process of their own. They count events and do next to nothing else. */

/** Asks for a stream so many times more; answered with `opened` when each has had its first event. */
export interface Open {
  open: { port: number; path: string; count: number };
}
/** Answered with `arrived` once every reader has had so many events. */
export interface Expect {
  expect: number;
}
export type FromReaders = { opened: number } | { arrived: number } | { failed: string };

const MARK = Buffer.from('event: match\n');
/** So many connect at a time. */
const AT_ONCE = 50;

const sockets: net.Socket[] = [];
let events = 0;
let waiting: { events: number; resolve(): void } | undefined;

const arrived = (times: number): Promise<void> =>
  new Promise((resolve) => {
    waiting = { events: times * sockets.length, resolve };
    count(0);
  });

function count(more: number): void {
  events += more;
  if (waiting === undefined || events < waiting.events) return;
  const { resolve } = waiting;
  waiting = undefined;
  resolve();
}

const fail = (error: Error): void => void process.send?.({ failed: error.message } satisfies FromReaders);

/** Connects one reader. Resolves with its first event. */
function connect({ port, path }: Open['open'], number: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: addressOf(number) });
    sockets.push(socket);
    let rest: Buffer = Buffer.alloc(0);
    socket.on('error', fail);
    socket.on('close', () => fail(new Error(`Reader ${number} lost its stream.`)));
    socket.on('data', (chunk: Buffer) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let found = 0;
      let end = 0;
      for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, end)) {
        found += 1;
        end = at + MARK.length;
      }
      // A mark may be cut in two.
      rest = Buffer.from(bytes.subarray(Math.max(end, bytes.length - MARK.length + 1)));
      if (found === 0) return;
      resolve();
      count(found);
    });
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  });
}

async function open(wanted: Open['open']): Promise<void> {
  const last = sockets.length + wanted.count;
  while (sockets.length < last) {
    const from = sockets.length;
    const numbers = Array.from({ length: Math.min(AT_ONCE, last - from) }, (_, at) => from + at);
    await Promise.all(numbers.map((number) => connect(wanted, number)));
  }
  process.send?.({ opened: sockets.length } satisfies FromReaders);
}

process.on('message', (message: Open | Expect) => {
  if ('open' in message) void open(message.open).catch(fail);
  else
    void arrived(message.expect).then(() =>
      process.send?.({ arrived: message.expect } satisfies FromReaders),
    );
});
