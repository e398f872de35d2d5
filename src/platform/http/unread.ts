import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BOUNDS } from '../limits.ts';
import { queuedBytes } from './undocumented.ts';

/**
 * The time is counted in checks and not read from a clock: while the process stands still nothing is sent, and no
 * connection may be cut for that.
 */
const CHECKS = 12;

/** How many bytes of a connection the system has taken. */
interface Progress {
  /** In finished writes. */
  sent: number;
  /** Not taken of the current write. */
  queued: number;
  /** Checks in a row without progress. */
  still: number;
}

/**
 * Cuts every connection that has bytes to send and has sent none for a minute, for any kind of response: data, a file, a
 * stream of events. Connections without bytes to send and slow readers are not cut.
 */
export function giveUpUnread(
  app: Pick<FastifyInstance, 'addHook' | 'log'>,
  connections: ReadonlySet<Socket>,
): void {
  const waiting = new WeakMap<Socket, Progress>();
  const isGivenUp = (socket: Socket): boolean => {
    const left = socket.writableLength;
    if (left === 0) {
      waiting.delete(socket);
      return false;
    }
    const sent = socket.bytesWritten - left;
    const queued = queuedBytes(socket);
    const before = waiting.get(socket);
    const isStill = before?.sent === sent && before.queued === queued;
    const still = isStill ? before.still + 1 : 0;
    waiting.set(socket, { sent, queued, still });
    return still >= CHECKS;
  };

  const looking = setInterval(() => {
    const unread = [...connections].filter(isGivenUp);
    if (unread.length === 0) return;
    const bytes = unread.reduce((sum, socket) => sum + socket.writableLength, 0);
    app.log.info(
      { connections: unread.length, bytes },
      'closed connections whose clients have read nothing for a minute',
    );
    // After a normal close the system would still wait until the rest is read.
    for (const socket of unread) socket.resetAndDestroy();
  }, BOUNDS.unread.value / CHECKS).unref();
  app.addHook('onClose', async () => clearInterval(looking));
}
