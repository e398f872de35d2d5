export { activeBan, bansSince } from './bans-store.ts';
export { playerErrors } from './errors.ts';
export { playerRoutes } from './routes.ts';
export type { Identity, KnownPlayer } from './rules.ts';
export { type PlayerRating, player, ROLES, type Role, role } from './schemas.ts';
export { createPlayers } from './service.ts';
export {
  ensurePlayer,
  lockPlayers,
  ownerOfPlatformId,
  playerOfSubject,
  playersByGuid,
} from './store.ts';
