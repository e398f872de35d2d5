import type { FastifySchema } from 'fastify';

/** A header that holds text. */
const text = (description: string, example?: string) => ({
  description,
  schema: { type: 'string' },
  ...(example !== undefined && { example }),
});

/** The headers of responses that mean something to a client, as the document describes them. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Id of the request, as in the log',
    schema: { type: 'string', format: 'uuid' },
  },
  ETag: text(
    'Tag of this state: for `If-None-Match` of the next read, and for `If-Match` of a change',
    '"mTUwOWvQ1pJyUkGW0Bzp4e9QmQk"',
  ),
  'Cache-Control': text('How long the answer may be used without asking again', 'public, max-age=30'),
  'Content-Disposition': text('The name of the file', 'attachment; filename="plugin-1.4.0-1.40.0.dll"'),
  'Content-Range': text('Which bytes of how many these are', 'bytes 0-1023/48213'),
  'Accept-Ranges': {
    description: 'Ranges of bytes are understood',
    schema: { type: 'string', const: 'bytes' },
  },
  Location: { description: 'Where to go on', schema: { type: 'string', format: 'uri' } },
  'Set-Cookie': text('Sets or removes cookies of a login'),
  'Retry-After': {
    description: 'Seconds after which to try again',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  'WWW-Authenticate': text('How to present credentials (RFC 6750)', 'Bearer'),
  'X-Service-Plugin-Version': text('Version of the plugin in the file', '1.4.0'),
  'X-Checksum-SHA256': {
    description: 'SHA-256 of the whole file, hexadecimal',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
};

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

declare module 'fastify' {
  interface FastifySchema {
    /** Headers of the route's successful responses, for the document. Those of a cached read are known. */
    sends?: readonly ResponseHeader[];
  }
}

/** Headers of the successful responses of a route. */
export function headersOf(schema: FastifySchema, config: { reads?: unknown } | undefined): ResponseHeader[] {
  const ofRead: ResponseHeader[] = config?.reads === undefined ? [] : ['ETag', 'Cache-Control'];
  return [...new Set([...ofRead, ...(schema.sends ?? [])])];
}

/** Headers of a refusal with this status. */
export const headersOfRefusal = (status: number): ResponseHeader[] => {
  if (status === 401) return ['WWW-Authenticate'];
  if (status === 416) return ['Content-Range'];
  return [429, 502, 503].includes(status) ? ['Retry-After'] : [];
};
