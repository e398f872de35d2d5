import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of a server. It can cut connections, or drop all data without closing one, as a broken network does. */
export interface FaultyProxy {
  /** The server's address with host and port of the proxy. */
  url: string;
  /** Drops all data of present and new connections from now on. */
  stall(): void;
  /** Lets new connections through again, and ends old ones whose other end has ended. Old connections stay without data. */
  resume(): void;
  /** Leads new connections to another server; present ones stay with the old one. */
  moveTo(server: string): void;
  /** Ends every present connection; new ones get through. */
  cut(): void;
  stop(): Promise<void>;
}

export async function startFaultyProxy(server: string): Promise<FaultyProxy> {
  const url = new URL(server);
  let target = server;
  const sockets = new Set<Socket>();
  /** The other ends of connections that ended while the proxy was stalled: they are ended later. */
  const orphans = new Set<Socket>();
  let isStalled = false;
  const dropAll = (socket: Socket): void => void socket.unpipe().removeAllListeners('data').resume();
  const proxy = createServer((near) => {
    const { hostname: host, port } = new URL(target);
    const far = connect({ host, port: Number(port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          sockets.delete(from);
          if (isStalled) orphans.add(to);
          else to.destroy();
        });
      if (isStalled) dropAll(from);
      else from.pipe(to);
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: url.href,
    stall: () => {
      isStalled = true;
      for (const socket of sockets) dropAll(socket);
    },
    resume: () => {
      isStalled = false;
      for (const socket of orphans) socket.destroy();
      orphans.clear();
    },
    moveTo: (other) => {
      target = other;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    stop: async () => {
      isStalled = false;
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
