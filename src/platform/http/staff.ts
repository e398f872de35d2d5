import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { commonErrors } from '../errors.ts';
import { RATES } from '../limits.ts';
import { etagOf, tagsIn } from './etag.ts';
import type { Principal } from './principal.ts';

const STAFF_ROLES = ['role:pooler', 'role:admin', 'role:developer'];

/** Whether the caller works as staff. A token of the game is a player, also if its owner is staff. */
export const isStaff = (principal: Principal | null): boolean =>
  principal !== null &&
  principal.tokenType !== 'platform:game' &&
  STAFF_ROLES.some((role) => principal.roles.has(role));

/** The person who asks for a write, and the state of the resource that this person has read. */
export interface WriteRequest {
  actorGuid: string;
  /** `If-Match` as sent; undefined: any state. */
  ifMatch: string | undefined;
  /** Whether the client has closed the connection and cannot receive the response. */
  hasLeft?(): boolean;
}

/** Headers of a write. Other headers pass unchanged. */
export const writeHeaders = z.looseObject({
  'if-match': z.string().max(1000).optional().describe('ETag of the thing that is changed; another one: 412'),
});

/**
 * The author and the `If-Match` of a request.
 * @throws INTERNAL_ERROR when there is no caller, because the route has no access rule
 */
export function writeRequestOf(request: FastifyRequest): WriteRequest {
  if (request.principal === null)
    throw commonErrors.INTERNAL_ERROR({ cause: new Error(`${request.url} let a stranger in`) });
  return {
    actorGuid: request.principal.playerGuid,
    ifMatch: request.headers['if-match'],
    hasLeft: () => request.raw.socket.destroyed,
  };
}

/**
 * The entity tag of a state, computed from the response of its GET, which sets it as `ETag`. A write computes it again
 * under the lock of the row, so of two people who read the same state only one can change it.
 * @param passing what the response shows beside the state: it changes the tag of the response, but stands behind a dot,
 *   which writes ignore
 */
export const tagOf = (state: object, passing?: object): string => {
  const tag = etagOf(JSON.stringify(state));
  return passing === undefined ? tag : tag.replace(/"$/, `.${etagOf(JSON.stringify(passing)).slice(1)}`);
};

/** Sends a state with its entity tag. */
export function sendTagged<T extends object>(reply: FastifyReply, state: T): T {
  reply.header('etag', tagOf(state));
  return state;
}

/**
 * Refuses a change made against an older state: `If-Match` must name a current tag (RFC 9110, 13.1.1: strong comparison).
 * Without the header nothing is checked. A weak tag never matches, so a proxy must not weaken the tags of responses to
 * staff (docs/operations.md).
 * @param views the current responses of its GETs; the tag of any of them is accepted
 * @throws STALE (412)
 */
export function requireCurrent({ ifMatch }: WriteRequest, ...views: readonly object[]): void {
  if (ifMatch === undefined) return;
  const named = tagsIn(ifMatch.replaceAll(/\.[\w-]+"/g, '"'));
  if (!named.includes('*') && !views.some((view) => named.includes(tagOf(view)))) throw commonErrors.STALE();
}

/** Route configuration of a staff write. */
export const staffWrite = {
  limit: { name: 'staff-writes', rate: RATES.staffWrites },
} as const;
