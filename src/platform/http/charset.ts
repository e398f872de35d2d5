import type { FastifyInstance } from 'fastify';
import { commonErrors } from '../errors.ts';

/** The encoding a text says it is in (RFC 9110, 8.3.2). Bytes that are no text have none, whatever they say. */
const CHARSET = /^(?!application\/octet-stream).*;\s*charset\s*=\s*"?([^\s";]*)/i;
/** ASCII is the part of UTF-8 that everybody has. */
const READ = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** Refuses texts in another encoding than UTF-8: read as if they were, they would say something else. */
export function readUtf8Only(app: FastifyInstance): void {
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
    if (charset === undefined || READ.has(charset)) done(null, payload);
    else done(commonErrors.UNSUPPORTED_MEDIA_TYPE({ message: 'A text has to be in UTF-8.' }));
  });
}
