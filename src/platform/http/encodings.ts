import type { FastifyInstance } from 'fastify';
import { commonErrors } from '../errors.ts';

/** The declared encoding of a text (RFC 9110, 8.3.2). A body of bytes has none, even if one is declared. */
const CHARSET = /^(?!application\/octet-stream).*;\s*charset\s*=\s*"?([^\s";]*)/i;
/** ASCII is a subset of UTF-8. */
const READ = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** Refuses texts in other encodings than UTF-8, and compressed bodies; upload routes check for compression themselves. */
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
