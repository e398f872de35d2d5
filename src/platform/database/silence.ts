import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type pg from 'pg';

/** The error code that the operating system uses when a connection times out. */
const TIMED_OUT = { code: 'ETIMEDOUT', errno: -constants.errno.ETIMEDOUT, syscall: 'read' };

/** Longer than the server lets a statement take, so that only a server that cannot answer is silent for so long. */
const SILENT_MS = 10_000;

/** The members of a client that its types do not have. They are used in this file only. */
type Client = pg.ClientBase & {
  connection: NodeJS.EventEmitter & { stream: Socket };
  readyForQuery: boolean;
};

const socketOf = (client: pg.ClientBase): Socket => (client as Client).connection.stream;

/** Calls a listener with every error that the server answers on a connection, also within a transaction. */
export const onServerError = (client: pg.ClientBase, listener: (error: pg.DatabaseError) => void): void =>
  void (client as Client).connection.on('errorMessage', listener);

/**
 * Ends a connection on which nothing comes any more while a statement waits for its answer: a firewall that forgot
 * it, or a server whose machine is gone, says nothing, and the statement would wait for as long as the operating
 * system tries to send it, or for ever. The one timer of the socket costs a statement nothing.
 * @param client connected already: with TLS the socket is another one before that
 * @param onSilent called when a connection was ended because of silence: other connections may be broken as well
 */
export function endWhenSilent(client: pg.ClientBase, silentMs = SILENT_MS, onSilent: () => void): void {
  const socket = socketOf(client);
  // Not the listener of `setTimeout`, which is called once: an idle connection may be silent many times.
  socket.setTimeout(silentMs).on('timeout', () => {
    if (isIdle(client)) return;
    const seconds = Math.round(silentMs / 1000);
    const silence = new Error(`the database has said nothing for ${seconds} s`);
    socket.destroy(Object.assign(silence, TIMED_OUT));
    onSilent();
  });
}

/** Ends a connection without closing it first: the server does not answer on one that is half open. */
export function cut(client: pg.ClientBase): void {
  socketOf(client).destroy();
}

/** Whether no statement of it is running. */
export const isIdle = (client: pg.ClientBase): boolean => (client as Client).readyForQuery;
