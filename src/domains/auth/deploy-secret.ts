import { hash, timingSafeEqual } from 'node:crypto';
import type { onRequestAsyncHookHandler } from 'fastify';
import { refusalAfter } from '../../platform/http/limits.ts';
import { RATES } from '../../platform/limits.ts';
import { addressLimit, type LimitOptions } from '../../platform/rate-limit.ts';
import { authErrors } from './errors.ts';

const digestOf = (secret: Uint8Array): Buffer => hash('sha256', secret, 'buffer');

/**
 * Accepts the deploy secret as a bearer token. The comparison of hashes takes constant time.
 *
 * Wrong secrets are counted for each address. The right one is accepted after any number of wrong ones, because many
 * machines may share an address behind a proxy.
 * @param secret undefined: uploads are disabled
 */
export function createDeployGuard(
  secret: string | undefined,
  limits: LimitOptions,
): onRequestAsyncHookHandler {
  const expected = secret === undefined ? null : digestOf(Buffer.from(secret));
  const wrong = addressLimit('deploy', RATES.wrongDeploySecrets, limits);
  return async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (expected === null) throw authErrors.UPLOAD_DISABLED();
    const given = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    // Node reads a header as Latin-1, so these are its bytes.
    if (given !== undefined && timingSafeEqual(digestOf(Buffer.from(given, 'latin1')), expected)) return;
    throw (
      refusalAfter(await wrong.take(request.ip)) ??
      authErrors.UNAUTHENTICATED({
        message: 'This needs the deploy secret: Authorization: Bearer <secret>.',
        headers: { 'www-authenticate': 'Bearer' },
      })
    );
  };
}
