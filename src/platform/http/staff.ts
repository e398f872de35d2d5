import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { commonErrors } from '../errors.ts';
import { RATES } from '../limits.ts';
import { etagOf, requireMatch } from './etag.ts';
import type { Principal } from './principal.ts';

const STAFF_ROLES = ['role:pooler', 'role:admin', 'role:developer'];

/** Whether this is somebody of the staff at work: a game's token is a player, whoever holds it. */
export const isStaff = (principal: Principal | null): boolean =>
  principal !== null &&
  principal.tokenType !== 'platform:game' &&
  STAFF_ROLES.some((role) => principal.roles.has(role));

/** Who changes something, and the state the change was made against. */
export interface Change {
  actorGuid: string;
  /** `If-Match` as sent; undefined: whatever the state is. */
  ifMatch: string | undefined;
  /** Whether who asked has hung up meanwhile: nobody will learn what became of the change. */
  hasLeft?(): boolean;
}

/** Headers of a write. Loose: what is not named here is kept. */
export const writeHeaders = z.looseObject({
  'if-match': z.string().max(1000).optional().describe('ETag of the thing that is changed; another one: 412'),
});

/**
 * The change a request asks for.
 * @throws INTERNAL_ERROR when nobody was let in: the route lacks its access rule, so nothing is done.
 */
export function changeOf(request: FastifyRequest): Change {
  if (request.principal === null)
    throw commonErrors.INTERNAL_ERROR({ cause: new Error(`${request.url} let a stranger in`) });
  return {
    actorGuid: request.principal.playerGuid,
    ifMatch: request.headers['if-match'],
    hasLeft: () => request.raw.socket.destroyed,
  };
}

/**
 * Entity tag of a thing: a function of what its own GET answers. The GET sets it as `ETag`, a write
 * computes it again under the row's lock, so of two people who read the same state one is refused.
 * @param passing what the answer shows beside the state: it makes another answer, hence another tag, but
 *   stands behind a dot, where writes do not look
 */
export const tagOf = (state: object, passing?: number): string => {
  const tag = etagOf(JSON.stringify(state));
  return passing === undefined ? tag : tag.replace(/"$/, `.${passing}"`);
};

/**
 * Refuses a change made against an older state.
 * @param views the thing as its own GETs answer it now; the tag of any of them will do
 * @throws STALE
 */
export function requireCurrent({ ifMatch }: Change, ...views: readonly object[]): void {
  if (ifMatch === undefined) return;
  const ofStates = ifMatch.replaceAll(/\.\d+"/g, '"');
  requireMatch(ofStates, ...views.map((view) => tagOf(view)));
}

/** Route configuration of a staff write: requests a minute for one person. */
export const staffWrite = {
  limit: {
    name: 'staff-writes',
    perMinute: RATES.staffWrites.most,
    caller: (request: FastifyRequest) => request.principal?.playerGuid ?? request.ip,
  },
} as const;
