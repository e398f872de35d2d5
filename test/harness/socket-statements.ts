import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { Server, type Socket } from 'socket.io';
import { textOf } from './statement-text.ts';

type Transport = Socket['conn'];

/** The statements that the service sends because of what one connection sent to it. Those of tasks are not among them. */
export interface SocketStatements {
  /** The statements of each connection since the start, in the order in which the connections were opened. */
  readonly ofConnections: string[][];
  restore(): void;
}

/** Call it before the service starts. */
export function watchSocketStatements(): SocketStatements {
  const scopes = new AsyncLocalStorage<string[]>();
  const ofConnections: string[][] = [];
  const server = Server.prototype as unknown as { onconnection(transport: Transport): unknown };
  const client = pg.Client.prototype as unknown as { query(...args: unknown[]): unknown };
  const { onconnection } = server;
  const { query } = client;

  server.onconnection = function (transport) {
    const statements: string[] = [];
    ofConnections.push(statements);
    const emit = transport.emit.bind(transport) as (...args: unknown[]) => boolean;
    transport.emit = ((...args: unknown[]) => scopes.run(statements, emit, ...args)) as typeof transport.emit;
    return onconnection.call(this, transport);
  };
  client.query = function (...args) {
    const text = textOf(args[0]);
    if (text !== undefined) scopes.getStore()?.push(text.replaceAll(/\s+/g, ' ').trim());
    return query.apply(this, args);
  };
  return {
    ofConnections,
    restore: () => {
      server.onconnection = onconnection;
      client.query = query;
    },
  };
}
