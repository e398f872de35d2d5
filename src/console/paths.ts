/**
 * The addresses of the console, with `:parameters`. The service answers these and the browser shows something at each of
 * them; every other address below `/staff` is a page that does not exist.
 */
export const PATHS = {
  overview: '/staff',
  pools: '/staff/pools',
  pool: '/staff/pools/:poolGuid',
  seasons: '/staff/seasons',
  queues: '/staff/queues',
  queue: '/staff/queues/:queueGuid',
  matches: '/staff/matches',
  match: '/staff/matches/:matchGuid',
  reviews: '/staff/reviews',
  reports: '/staff/reports',
  players: '/staff/players',
  player: '/staff/players/:playerGuid',
  audit: '/staff/audit',
} as const;
