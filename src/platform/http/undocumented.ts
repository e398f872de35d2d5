import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Members of Node that it does not document, and that nothing documented replaces. No other file uses any. */

/** Tells a response that its head is on its way, as a part of the body. */
export function markHeadSent(response: ServerResponse): void {
  // Any text: an empty head would be rendered.
  Object.assign(response, { _header: 'sent', _headerSent: true });
}

/**
 * Does what Node does with requests without a body where its option `optimizeEmptyRequests` is on: their stream ends
 * without the six ticks that a reader would wait for. The option is for all requests of a server, and other handlers
 * listen to the end of theirs. Without this a 200 takes 23 % more of the service's processor and a 304 takes 36 % more.
 */
export function leaveUnread(request: IncomingMessage & { _dumpAndCloseReadable?(): void }): void {
  if (request._dumpAndCloseReadable === undefined) return;
  request._dumpAndCloseReadable();
  // A request that is read is not dumped again after the answer.
  request._read(0);
}

/** Bytes of the write under way that the system has not taken; 0 where this Node does not count them. */
export const queuedBytes = (socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number =>
  socket._handle?.writeQueueSize ?? 0;
