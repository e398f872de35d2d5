import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A server that speaks Socket.IO and does what no server should: each packet is what the test says. */

export interface Command {
  id: string;
  event: string;
  payload: any;
}

/** The client gives a connection up that was silent for twice this time. A busy machine may stand still for some of it. */
const PING_MS = 1000;

/** A client that has sent its CONNECT. */
export class UnrulyConnection {
  readonly auth: { token: string; pluginVersion: string };
  readonly commands: Command[] = [];
  readonly #socket: WebSocket;
  #pings: NodeJS.Timeout | undefined;
  #wake: () => void = () => {};
  readonly closed: Promise<unknown>;

  constructor(socket: WebSocket, auth: UnrulyConnection['auth']) {
    this.#socket = socket;
    this.auth = auth;
    this.closed = once(socket, 'close').then(() => clearInterval(this.#pings));
    socket.on('message', (data) => {
      const [, id, json] = /^42(\d+)(\[.*)$/s.exec(String(data)) ?? [];
      if (id === undefined || json === undefined) return;
      const [event, payload] = JSON.parse(json);
      this.commands.push({ id, event, payload });
      this.#wake();
    });
  }

  /** @param pings false: not even those are sent */
  admit({ pings = true } = {}): void {
    this.raw(`40${JSON.stringify({ sid: randomUUID() })}`);
    if (pings) this.#pings = setInterval(() => this.raw('2'), PING_MS / 3);
  }

  refuse(code: string, retryAfterMs: number | null = null): void {
    this.raw(
      `44${JSON.stringify({ message: code, data: { code, message: `Because of ${code}.`, retryAfterMs } })}`,
    );
    this.#socket.close();
  }

  /** Waits for the next command of this name that was not waited for before. */
  async next(event: string): Promise<Command> {
    for (;;) {
      const at = this.commands.findIndex((command) => command.event === event);
      if (at >= 0) return this.commands.splice(at, 1)[0] as Command;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  answer({ id }: Pick<Command, 'id'>, envelope: object): void {
    this.raw(`43${id}${JSON.stringify([envelope])}`);
  }

  /** Admits the client and answers its hello. */
  async welcome(data: object): Promise<this> {
    this.admit();
    this.answer(await this.next('hello'), { ok: true, data });
    return this;
  }

  push(event: string, payload: unknown): void {
    this.raw(`42${JSON.stringify([event, payload])}`);
  }
  raw(packet: string): void {
    this.#socket.send(packet);
  }
  close(): void {
    this.#socket.terminate();
  }
}

export type UnrulyServer = Awaited<ReturnType<typeof startUnrulyServer>>;

export async function startUnrulyServer() {
  const waiting: UnrulyConnection[] = [];
  let wake: (() => void) | undefined;
  let respond: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.end();
  const http = createServer((request, response) => respond(request, response));
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.once('message', (data) => {
      waiting.push(new UnrulyConnection(socket, JSON.parse(String(data).slice(2))));
      wake?.();
    });
    socket.send(
      `0${JSON.stringify({ sid: randomUUID(), upgrades: [], pingInterval: PING_MS, pingTimeout: PING_MS, maxPayload: 100_000 })}`,
    );
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    /** The next client that connects. */
    connection: async (): Promise<UnrulyConnection> => {
      while (waiting.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return waiting.shift() as UnrulyConnection;
    },
    onRequest: (handler: typeof respond): void => {
      respond = handler;
    },
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
