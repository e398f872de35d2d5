import helmet from '@fastify/helmet';
import { HEADERS } from '../http/headers.ts';
import type { Http } from '../http/server.ts';

/** Sources that a page may load, by directive, such as `{ 'script-src': ["'self'"] }`; nothing else. */
export type PageSources = Record<string, string[]>;

/**
 * Gives the pages of this part of the app headers that protect them in a browser; answers that are no pages have a
 * static set of headers instead, which costs nothing.
 */
export async function protectPages(pages: Http, baseUrl: string, sources: PageSources): Promise<void> {
  // Helmet writes to the bare response, which the static set of the reply would replace.
  pages.addHook('onRequest', async (_request, reply) => {
    for (const name of Object.keys(HEADERS)) reply.removeHeader(name);
  });
  await pages.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
        ...sources,
      },
    },
    frameguard: { action: 'deny' },
    // This service does not know whether other names of the domain speak TLS.
    strictTransportSecurity: baseUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: false },
  });
}
