import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';

/** Socket.IO with nothing on top: acknowledges every `getMatchState` with what it was given at its start. */

const http = createServer();
const io = new Server(http, { serveClient: false, perMessageDeflate: false, httpCompression: false });
let answer: unknown;
io.on('connection', (socket) => {
  socket.on('getMatchState', (_payload, acknowledge) => acknowledge(answer));
});
http.listen(0, '127.0.0.1', () => process.send?.({ port: (http.address() as AddressInfo).port }));
process.on('message', (message) => {
  if (message instanceof Object && 'answer' in message) answer = message.answer;
});
