import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  method: string;
  /** Path and query as they came. */
  url: string;
  /** Path without the query. */
  path: string;
  userAgent: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** A server of a stand-in on the loopback interface. It records requests. */
export interface Listener {
  /** `http://`, host and port. */
  url: string;
  /** Oldest first; the last 10,000. */
  requests: readonly RecordedRequest[];
  /** Aborted when the listener stops. */
  signal: AbortSignal;
  /** Closes the listener and every connection. */
  stop(): Promise<void>;
}

const MAX_RECORDED = 10_000;
export const HOST = '127.0.0.1';

interface ListenerOptions {
  /** 0 takes a free one. */
  port: number;
  respond(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Answers when `respond` throws, unless the client or the listener is gone. */
  failed(response: ServerResponse, error: unknown): void;
}

/** @throws Error when the port is taken */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { port, respond, failed } = options;
  const requests: RecordedRequest[] = [];
  const stopping = new AbortController();
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const { method = '', url = '/', headers } = request;
    if (requests.length === MAX_RECORDED) requests.shift();
    const path = url.split('?', 1)[0] ?? '/';
    requests.push({ method, url, path, userAgent: headers['user-agent'] ?? null, at: Date.now() });
    respond(request, response).catch((error: unknown) => {
      if (!response.destroyed && !stopping.signal.aborted) failed(response, error);
    });
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    requests,
    signal: stopping.signal,
    stop: async () => {
      if (!server.listening) return;
      stopping.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
