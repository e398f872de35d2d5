import type { FastifyInstance } from 'fastify';
import findMyWay from 'find-my-way';
import { commonErrors } from '../errors.ts';
import { BOUNDS } from '../limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For callers without access the address looks as if it did not exist. */
    isUnseen?: true;
  }
}

/** The routes of one address. */
interface Address {
  pattern: string;
  methods: Set<string>;
}

/** `Allow` names them in this order. */
const METHOD_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The route of the CORS plugin for preflights of every address. */
const PREFLIGHTS = '*';
/** All addresses are in one tree of the router below, under this method. */
const ANY = 'GET';

/**
 * Responds to requests without a route, before credentials and the body are read: METHOD_NOT_ALLOWED with `Allow` where
 * other methods have a route, 204 with `Allow` for OPTIONS there, NOT_FOUND elsewhere. Must be called before any route is
 * registered and after the limits, so that these requests count.
 */
export function refuseUnrouted(app: Pick<FastifyInstance, 'addHook'>): void {
  // The framework has a router for each method, which does not know the addresses of other methods: `PATCH /maps/batch`
  // would match `/maps/:mapGuid`.
  const router = findMyWay({ maxParamLength: BOUNDS.parameter.value });
  const addresses = new Map<string, Address>();
  app.addHook('onRoute', ({ method, url, config }) => {
    if (url === PREFLIGHTS || config?.isUnseen) return;
    const known = addresses.get(url);
    const address = known ?? { pattern: url, methods: new Set() };
    for (const one of [method].flat()) address.methods.add(one);
    // For the second of two addresses that differ by a slash at the end, the framework only reports HEAD.
    if (address.methods.has('HEAD')) address.methods.add('GET');
    if (known !== undefined) return;
    addresses.set(url, address);
    router.on(ANY, url, () => {}, address);
  });
  const addressAt = (url: string): Address | null => {
    const address: Address | null = router.find(ANY, url)?.store ?? null;
    // A parameter at the end of a pattern also matches an empty text.
    const endsWithSlash = /^[^?]+\/(?:\?|$)/.test(url);
    return address !== null && endsWithSlash && !/\/\*?$/.test(address.pattern) ? null : address;
  };

  app.addHook('onRequest', (request, reply, done) => {
    const address = addressAt(request.raw.url ?? '');
    if (address?.methods.has(request.method) || request.routeOptions.config?.isUnseen) {
      done();
      return;
    }
    if (address === null) {
      done(commonErrors.NOT_FOUND());
      return;
    }
    const headers = { allow: METHOD_ORDER.filter((method) => address.methods.has(method)).join(', ') };
    if (request.method === 'OPTIONS') reply.code(204).headers(headers).send();
    else done(commonErrors.METHOD_NOT_ALLOWED({ headers }));
  });
}
