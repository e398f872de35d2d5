import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface RecordedRequest {
  method: string;
  /** Path and query as they came. */
  url: string;
  /** Path without the query. */
  path: string;
  userAgent: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

const MAX_RECORDED = 10_000;
export const HOST = '127.0.0.1';

interface ListenerOptions {
  /** 0 takes a free one. */
  port: number;
  /** @param path of the request, without the query */
  respond(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
  /** Answers when `respond` throws, unless the client or the listener is gone. */
  failed(response: ServerResponse, error: unknown): void;
}

/** Opens a server of a stand-in on the loopback interface. It records requests. @throws Error when the port is taken */
export async function openListener({ port, respond, failed }: ListenerOptions) {
  const requests: RecordedRequest[] = [];
  const stopping = new AbortController();
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const { method = '', url = '/', headers } = request;
    if (requests.length === MAX_RECORDED) requests.shift();
    const path = url.split('?', 1)[0] ?? '/';
    requests.push({ method, url, path, userAgent: headers['user-agent'] ?? null, at: Date.now() });
    respond(request, response, path).catch((error: unknown) => {
      if (!response.destroyed && !stopping.signal.aborted) failed(response, error);
    });
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    /** `http://`, host and port. */
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    /** Oldest first; the last 10,000. */
    requests: requests as readonly RecordedRequest[],
    /** Aborted when the listener stops. */
    signal: stopping.signal,
    /** Closes the listener and every connection. */
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
