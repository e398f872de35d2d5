import { Agent, request } from 'node:http';

/** Requests over HTTP from an address of one's own. */
export interface HttpClient {
  /** @throws Error when no answer came */
  ask(
    method: string,
    url: string,
    options?: { headers?: Record<string, string>; body?: Buffer | object },
  ): Promise<HttpAnswer>;
  close(): void;
}
export interface HttpAnswer {
  status: number;
  body: string;
  ms: number;
}

const PATIENCE_MS = 30_000;

export function httpFrom(address: string): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return {
    ask: (method, url, { headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
        const asked = request(
          url,
          {
            method,
            agent,
            localAddress: address,
            timeout: PATIENCE_MS,
            headers: {
              ...(body !== undefined && bytes !== body && { 'content-type': 'application/json' }),
              ...(bytes && { 'content-length': bytes.length }),
              ...headers,
            },
          },
          (answer) => {
            const chunks: Buffer[] = [];
            answer.on('data', (chunk) => chunks.push(chunk));
            answer.on('error', reject);
            answer.on('end', () =>
              resolve({
                status: answer.statusCode ?? 0,
                body: Buffer.concat(chunks).toString(),
                ms: performance.now() - startedAt,
              }),
            );
          },
        );
        asked.on('timeout', () => asked.destroy(new Error('No answer came in time.')));
        asked.on('error', reject);
        asked.end(bytes);
      }),
    close: () => agent.destroy(),
  };
}

/** An address for each number. Linux has all of 127.0.0.0/8 for that; elsewhere all numbers share one. */
export function addressOf(number: number): string {
  if (process.platform !== 'linux') return '127.0.0.1';
  const second = 1 + (Math.floor(number / (254 * 254)) % 254);
  const third = 1 + (Math.floor(number / 254) % 254);
  return `127.${second}.${third}.${1 + (number % 254)}`;
}
