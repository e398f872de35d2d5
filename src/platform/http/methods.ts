import type { FastifyInstance } from 'fastify';
import findMyWay from 'find-my-way';
import { commonErrors } from '../errors.ts';
import { BOUNDS } from '../limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may not use this address need not know that there is something. */
    isUnseen?: true;
  }
}

/** What there is at an address. */
interface Address {
  pattern: string;
  methods: Set<string>;
}

/** `Allow` names them in this order. */
const METHOD_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The route of the CORS plugin for preflights, whatever their address. */
const PREFLIGHTS = '*';
/** The router below has one tree: which methods an address has is looked at afterwards. */
const ANY = 'GET';

/**
 * Answers what no route is for: METHOD_NOT_ALLOWED with `Allow` where there is something for other methods, 204
 * with `Allow` for OPTIONS there, NOT_FOUND elsewhere. Before credentials and the body are looked at. To be
 * called before any route is registered and after the limits, so that these requests count.
 */
export function refuseUnrouted(app: Pick<FastifyInstance, 'addHook'>): void {
  // The framework has a router for each method: none of them knows the others, and `PATCH /maps/batch` is
  // `/maps/:mapGuid` to it.
  const router = findMyWay({ maxParamLength: BOUNDS.parameter.value });
  const addresses = new Map<string, Address>();
  app.addHook('onRoute', ({ method, url, config }) => {
    if (url === PREFLIGHTS || config?.isUnseen) return;
    const known = addresses.get(url);
    const address = known ?? { pattern: url, methods: new Set() };
    for (const one of [method].flat()) address.methods.add(one);
    // Of an address that a prefix has with a slash and without one, the framework tells only this of the second.
    if (address.methods.has('HEAD')) address.methods.add('GET');
    if (known !== undefined) return;
    addresses.set(url, address);
    router.on(ANY, url, () => {}, address);
  });
  const addressAt = (url: string): Address | null => {
    const address: Address | null = router.find(ANY, url)?.store ?? null;
    // A parameter at the end of a pattern takes nothing, too.
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
