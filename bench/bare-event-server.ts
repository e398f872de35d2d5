import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Streams of events with nothing on top: it sends the given bytes to every reader, at the start and on request. */

let payload = Buffer.alloc(0);
const readers = new Set<ServerResponse>();

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(payload);
  readers.add(response);
  response.on('close', () => readers.delete(response));
});

process.on('message', (message: { payload?: string; tell?: true }) => {
  if (message.payload !== undefined) payload = Buffer.from(message.payload);
  if (message.tell) for (const response of readers) response.write(payload);
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
