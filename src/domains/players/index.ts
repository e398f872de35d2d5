import type { Http } from '../../platform/http/server.ts';
import { playerRoutes } from './routes.ts';
import type { PlayerRating } from './schemas.ts';
import { createService, type PlayersOptions } from './service.ts';

export { activeBan, bannedAmong, bansInForce, bansStored } from './bans-store.ts';
export {
  ERASED,
  erasedAmong,
  erasedSince,
  erasePlayer,
  expireErasedIdentities,
  lockPerson,
  mayBe,
  mayBeAmong,
  sharePlayer,
} from './erasure-store.ts';
export { playerErrors } from './errors.ts';
export { lockGrants } from './grants-store.ts';
export type { ActiveBan, Identity, KnownPlayer } from './rules.ts';
export { type PlayerRating, player, ROLES, type Role, role, shownPlatformId } from './schemas.ts';
export type { Players } from './service.ts';
export {
  ensurePlayer,
  findPlayer,
  lockPlayers,
  ownerOfPlatformId,
  playerOfSubject,
  playersByGuid,
  playersOfSubjects,
} from './store.ts';

/** Opens the domain. */
export const createPlayers = (
  options: PlayersOptions & {
    /** A player's rating in every queue and season. */
    ratingsOf(playerGuid: string): Promise<PlayerRating[]>;
  },
) => {
  const players = createService(options);
  const { ratingsOf } = options;
  return { ...players, routes: (http: Http) => http.register(playerRoutes, { players, ratingsOf }) };
};
