import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** `ws` with nothing on top: what the first connection sends goes to all that came after it. */

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', (payload) => {
    for (const client of server.clients) if (client !== socket) client.send(payload, { binary: true });
  });
});
server.on('listening', () => process.send?.({ port: (server.address() as AddressInfo).port }));
