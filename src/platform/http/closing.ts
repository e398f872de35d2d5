import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How often a server that closes looks for connections that have become idle. */
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
 * Makes a server that closes finish what it began: an answer is sent to its last byte, and its connection ends
 * with it. By itself Node takes an answer for sent once it was handed over, so it cuts off everybody who
 * downloads; and it looks for idle connections once, so that those of requests under way stay open.
 */
export function finishAnswers(
  app: Pick<FastifyInstance, 'server' | 'addHook'>,
  connections: ReadonlySet<Socket>,
): void {
  const server: Server = app.server;
  const closeIdle = server.closeIdleConnections.bind(server);
  // Node tells nobody which connections it takes for idle: all of them wait for those that still send.
  server.closeIdleConnections = () => {
    if (![...connections].some((socket) => socket.writableLength > 0)) closeIdle();
  };
  let looking: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    looking = setInterval(() => server.closeIdleConnections(), LOOK_MS).unref();
  });
  app.addHook('onClose', async () => clearInterval(looking));
}
