import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can swallow everything without closing a connection, as a broken network does. */
export interface BlackHole {
  /** The address with the way instead of the server. */
  url: string;
  /** From now on nothing gets through on the connections there are, nor on new ones. */
  open(): void;
  /** New connections get through again; what was swallowed stays so. */
  close(): void;
  stop(): Promise<void>;
}

export async function startBlackHole(server: string): Promise<BlackHole> {
  const url = new URL(server);
  const { hostname: host, port } = url;
  const sockets = new Set<Socket>();
  let isOpen = false;
  const way = createServer((near) => {
    if (isOpen) near.pause();
    const far = connect({ host, port: Number(port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      if (!isOpen) from.pipe(to);
    }
  });
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  url.host = `127.0.0.1:${(way.address() as AddressInfo).port}`;
  return {
    url: url.href,
    open: () => {
      isOpen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: () => {
      isOpen = false;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      way.close();
      await once(way, 'close');
    },
  };
}
