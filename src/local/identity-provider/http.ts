import type { IncomingMessage, ServerResponse } from 'node:http';

/** Refuses a request with a status and a machine-readable reason. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: object | undefined;

  constructor(status: number, code: string, message: string, details?: object) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/**
 * Reads a body of the given media type.
 * @throws Refusal 415 for another type, 413 above `maxBytes`.
 */
export async function readBody(
  request: IncomingMessage,
  mediaType: string,
  maxBytes: number,
): Promise<string> {
  const given = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (given !== mediaType) throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', `Send ${mediaType}.`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop must not destroy the socket: the refusal still has to go out.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Refusal(413, 'PAYLOAD_TOO_LARGE', `Send at most ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function send(response: ServerResponse, status: number, mediaType: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': mediaType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

export const sendJson = (response: ServerResponse, status: number, body: object): void =>
  send(response, status, 'application/json', JSON.stringify(body));

/**
 * The policy of our pages. There is no `form-action`: browsers apply that to the redirects after the form
 * too, and those lead to the service and on to its website.
 */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export function sendPage(response: ServerResponse, status: number, html: string): void {
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  send(response, status, 'text/html; charset=utf-8', html);
}
