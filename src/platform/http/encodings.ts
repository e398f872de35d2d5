import type { FastifyInstance } from 'fastify';
import { commonErrors } from '../errors.ts';

/** The encoding a text says it is in (RFC 9110, 8.3.2). Bytes that are no text have none, whatever they say. */
const CHARSET = /^(?!application\/octet-stream).*;\s*charset\s*=\s*"?([^\s";]*)/i;
/** ASCII is the part of UTF-8 that everybody has. */
const READ = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/**
 * Refuses what would be read as something else than it says: texts in another encoding than UTF-8, and
 * compressed bodies, except where files are uploaded: those routes look themselves.
 */
export function readPlainUtf8Only(app: FastifyInstance): void {
  app.addHook('preParsing', ({ headers, routeOptions }, _reply, payload, done) => {
    const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
    const coding = headers['content-encoding']?.toLowerCase() ?? 'identity';
    if (charset !== undefined && !READ.has(charset))
      done(commonErrors.UNSUPPORTED_MEDIA_TYPE({ message: 'A text has to be in UTF-8.' }));
    else if (coding !== 'identity' && routeOptions.config.upload !== true)
      done(commonErrors.UNSUPPORTED_MEDIA_TYPE({ message: 'Send this as it is, not compressed.' }));
    else done(null, payload);
  });
}
