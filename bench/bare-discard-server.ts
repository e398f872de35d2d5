import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** A server that accepts whatever is sent and does nothing with it: what attackers can reach at all. */

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(201, { 'content-length': 0 }).end());
});
server.requestTimeout = 0;
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
server.on('upgrade', (request, socket, head) => {
  socket.on('error', () => undefined);
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.on('error', () => undefined);
    client.send('0{}');
    // Everybody is let in.
    client.once('message', () => client.send('40{}'));
    client.on('message', () => undefined);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
