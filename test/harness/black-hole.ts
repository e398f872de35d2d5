import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can cut connections, or swallow everything without closing one, as a broken network does. */
export interface BlackHole {
  /** The address with the way instead of the server. */
  url: string;
  /** From now on nothing gets through on the connections there are, nor on new ones. */
  open(): void;
  /**
   * New connections get through again, and so does the end of an old one; what was swallowed stays so, and
   * nothing more gets through on a connection there was.
   */
  close(): void;
  /** Ends every connection there is; new ones get through. */
  cut(): void;
  stop(): Promise<void>;
}

export async function startBlackHole(server: string): Promise<BlackHole> {
  const url = new URL(server);
  const { hostname: host, port } = url;
  const sockets = new Set<Socket>();
  /** Other ends of connections that ended while nothing got through: they learn of it when something does. */
  const orphans = new Set<Socket>();
  let isOpen = false;
  const swallow = (socket: Socket): void => void socket.unpipe().removeAllListeners('data').resume();
  const way = createServer((near) => {
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
          if (isOpen) orphans.add(to);
          else to.destroy();
        });
      if (isOpen) swallow(from);
      else from.pipe(to);
    }
  });
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  url.host = `127.0.0.1:${(way.address() as AddressInfo).port}`;
  return {
    url: url.href,
    open: () => {
      isOpen = true;
      for (const socket of sockets) swallow(socket);
    },
    close: () => {
      isOpen = false;
      for (const socket of orphans) socket.destroy();
      orphans.clear();
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    stop: async () => {
      isOpen = false;
      for (const socket of sockets) socket.destroy();
      way.close();
      await once(way, 'close');
    },
  };
}
