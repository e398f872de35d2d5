import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BOUNDS } from '../limits.ts';
import { queuedBytes } from './undocumented.ts';

/**
 * A bound is counted in looks instead of read from a clock: while the process stands still nothing goes out to
 * anybody, and nobody is cut off for it.
 */
const LOOKS = 12;

/** What of a connection's bytes the system took. */
interface Progress {
  /** In writes that are done. */
  sent: number;
  /** Left of the write under way, of which the system may have taken a part. */
  queued: number;
  /** Looks at which nothing more had gone out. */
  still: number;
}

/**
 * Cuts every connection on which bytes wait and none went out for a minute, whatever they belong to: an answer, a
 * file, a stream of events. One on which nothing waits may be silent for as long as it likes, and who reads
 * slowly is not cut.
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
    return still >= LOOKS;
  };

  const looking = setInterval(() => {
    const unread = [...connections].filter(isGivenUp);
    if (unread.length === 0) return;
    const bytes = unread.reduce((sum, socket) => sum + socket.writableLength, 0);
    app.log.info({ connections: unread.length, bytes }, 'gave answers up that nobody reads');
    // A connection that is closed properly would wait in the system until the rest was read.
    for (const socket of unread) socket.resetAndDestroy();
  }, BOUNDS.unread.value / LOOKS).unref();
  app.addHook('onClose', async () => clearInterval(looking));
}
