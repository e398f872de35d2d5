import type { Http } from '../../platform/http/server.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { MatchesOptions } from './context.ts';
import { matchRoutes } from './routes.ts';
import { createService } from './service.ts';
import { matchesSocket } from './socket.ts';

export type { FollowedMatch } from './context.ts';
export type { Pair } from './creation.ts';
export { matchErrors } from './errors.ts';
export * as matchEvents from './events.ts';
export { loadLog } from './evidence.ts';
export { type FeedMatch, feedMatch } from './feed-schemas.ts';
export type { Following, MatchSpan } from './following.ts';
export { type Period, periodSince } from './history-store.ts';
export { LIFE } from './life.ts';
export { type MatchLog, matchLog } from './log-schemas.ts';
export { requireOutsider } from './outsiders.ts';
export { PUT_OFF_MS } from './presence.ts';
export type { ProgressReport } from './progress.ts';
export { isProven, playLog, proveMatch } from './proof.ts';
export { RULEBOOK, type Rulebook } from './rulebook.ts';
export {
  matchCause,
  matchPlayer,
  matchResult,
  matchView,
  type PublicMatch,
  publicMatch,
  type RoundView,
  submittedScore,
} from './schemas.ts';
export { modifiedScoreOf, playingMs, scoresDueAt } from './scoring.ts';
export { LAST_MATCH_MS, type LatestMatches, type Matches } from './service.ts';
export { type MatchMap, type MatchState, type Score, SEATS, seatOf } from './state.ts';
export { claimForReplayCheck, type StoredMatch, verdictsOf } from './store.ts';
export { completeAmong, withMaps } from './stored-state.ts';
export { type LastMatch, lastMatchFor, mapShown, playerShown } from './view.ts';

/** Opens the domain. */
export const createMatches = (options: MatchesOptions & { metrics: Metrics }) => {
  const matches = createService(options);
  options.metrics.gauge('matches_running', 'Matches under way, on all nodes', matches.running);
  options.metrics.total(
    'match_logs_broken_total',
    'Matches whose log did not lead to what is stored, found when changes were delivered or after the end',
    matches.brokenLogs,
  );
  options.metrics.total(
    'match_logs_replayed_total',
    'Logs of ended matches that this node has played again',
    matches.replayedLogs,
  );
  return {
    ...matches,
    routes: (http: Http) => http.register(matchRoutes, { matches }),
    binding: matchesSocket(matches),
  };
};
