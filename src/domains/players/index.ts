export { playerErrors } from './errors.ts';
export { playerRoutes } from './routes.ts';
export type { Identity, KnownPlayer } from './rules.ts';
export { type Player, type PlayerRating, player, playerRating, ROLES, type Role, role } from './schemas.ts';
export { createPlayers, type Players } from './service.ts';
export {
  activeBan,
  bannedAmong,
  ensurePlayer,
  lockPlayers,
  ownerOfPlatformId,
  playerOfSubject,
  playersByGuid,
} from './store.ts';
