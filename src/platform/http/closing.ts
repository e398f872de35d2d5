import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How often a closing server checks for idle connections. */
const LOOK_MS = 50;

/** The connections of a server that are open. */
export function openConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

/**
 * Makes a closing server send every response to its last byte before it ends the connection. Node counts a response as
 * sent when the handler has written it, so it would cut off downloads. Node also checks for idle connections only once, so
 * connections whose request ends later would stay open.
 */
export function finishAnswers(
  app: Pick<FastifyInstance, 'server' | 'addHook'>,
  connections: ReadonlySet<Socket>,
): void {
  const server: Server = app.server;
  const closeIdle = server.closeIdleConnections.bind(server);
  // Node does not say which connections it counts as idle, so all of them wait until none has bytes to send.
  server.closeIdleConnections = () => {
    if (![...connections].some((socket) => socket.writableLength > 0)) closeIdle();
  };
  let looking: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    looking = setInterval(() => {
      // Browsers open connections before they need them. Node does not count one without any request as idle.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      server.closeIdleConnections();
    }, LOOK_MS).unref();
  });
  app.addHook('onClose', async () => clearInterval(looking));
}
