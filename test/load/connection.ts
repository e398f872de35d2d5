import { WebSocket } from 'ws';
import type { Acknowledgement, Handshake, ToClient, ToServer } from '../../kit/typescript/socket.ts';

/**
 * A Socket.IO client without the library: thousands of them share a process with little else to do. Speaks Engine.IO 4
 * over WebSocket, from an address of its own.
 */
export interface Connection {
  /** Sends a message. @param answered takes its acknowledgement, if one comes */
  ask<Event extends keyof ToServer>(
    event: Event,
    payload: ToServer[Event]['payload'],
    answered: (envelope: Acknowledgement<Event>) => void,
  ): void;
  /** Ends it as a lost network does: the service is told nothing. */
  drop(): void;
}

export interface ConnectionOptions {
  /** Base address of a node. */
  url: string;
  /** The address it comes from. */
  address: string;
  auth: Handshake;
  /** It is let in. All messages of the service come after this. */
  onOpen(connection: Connection): void;
  onEvent(told: Told): void;
  /** It was open and is not any more, whichever side closed it. */
  onClose(): void;
}

/** Messages that the service sends by itself. */
export type Told = {
  [Event in keyof ToClient]: { event: Event; payload: ToClient[Event] };
}[keyof ToClient];

/** The node refused the handshake, or could not be reached. */
export class NotConnected extends Error {
  readonly code: string;
  /** Milliseconds after which to try again, where the service said so. */
  readonly retryAfterMs: number | null;

  constructor(code: string, retryAfterMs: number | null) {
    super(code);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The default of Socket.IO's clients: nothing that the pace changes. */
const CONNECT_TIMEOUT_MS = 20_000;

/** Resolves when the connection has ended. @throws NotConnected when there was none */
export function connect(options: ConnectionOptions): Promise<void> {
  const { url, address, auth, onOpen, onEvent, onClose } = options;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      localAddress: address,
      perMessageDeflate: false,
      skipUTF8Validation: true,
    });
    const waiting = new Map<number, (envelope: any) => void>();
    let asked = 0;
    let isOpen = false;
    const fail = (code: string, retryAfterMs: number | null = null): void => {
      clearTimeout(timer);
      reject(new NotConnected(code, retryAfterMs));
      socket.terminate();
    };
    const timer = setTimeout(() => fail('TIMEOUT'), CONNECT_TIMEOUT_MS);
    const connection: Connection = {
      ask: (event, payload, answered) => {
        const id = asked++;
        waiting.set(id, answered);
        socket.send(`42${id}${JSON.stringify([event, payload])}`);
      },
      drop: () => socket.terminate(),
    };
    const receive = (packet: string): void => {
      switch (packet[0]) {
        case '0':
          socket.send(`40${JSON.stringify(auth)}`);
          return;
        case '1':
          socket.close();
          return;
        case '2':
          socket.send('3');
          return;
      }
      switch (packet[1]) {
        case '0':
          clearTimeout(timer);
          isOpen = true;
          onOpen(connection);
          return;
        case '1':
          socket.close();
          return;
        case '2': {
          const [event, payload] = JSON.parse(packet.slice(2));
          onEvent({ event, payload });
          return;
        }
        case '3': {
          const from = packet.indexOf('[');
          const id = Number(packet.slice(2, from));
          const answered = waiting.get(id);
          waiting.delete(id);
          answered?.(JSON.parse(packet.slice(from))[0]);
          return;
        }
        case '4': {
          const { message, data } = JSON.parse(packet.slice(2));
          fail(message, data?.retryAfterMs ?? null);
        }
      }
    };
    // Messages after the end are dropped.
    socket.on('message', (data) => {
      if (socket.readyState === WebSocket.OPEN) receive(String(data));
    });
    // A node that stops answers the upgrade with an HTTP status.
    socket.on('unexpected-response', (_, answer) => fail(`HTTP_${answer.statusCode}`));
    socket.on('error', (error: Error & { code?: string }) => {
      if (!isOpen) fail(error.code ?? 'UNREACHABLE');
    });
    socket.on('close', () => {
      if (!isOpen) return fail('CLOSED');
      waiting.clear();
      onClose();
      resolve();
    });
  });
}
