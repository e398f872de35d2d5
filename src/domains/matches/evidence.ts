import { inBatches } from '../../platform/batches.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { existing, ServiceError } from '../../platform/errors.ts';
import { recordAudit } from '../audit/index.ts';
import { formerStepsOf } from '../ratings/index.ts';
import { moveToArchive } from './archive-store.ts';
import type { MatchContext } from './context.ts';
import { matchErrors } from './errors.ts';
import { type MatchLog, matchLog } from './log-schemas.ts';
import * as logStore from './log-store.ts';
import { hashState, proveMatch } from './proof.ts';
import { RULEBOOK, type Rulebook } from './rulebook.ts';
import { seatOf } from './state.ts';
import * as store from './store.ts';

/**
 * A log is archived this long after the end. Until then players who come back are told of the match, and its replays arrive.
 */
const ARCHIVED_AFTER_MS = 24 * 3_600_000;
const ARCHIVED_AT_ONCE = 50;

/**
 * The log of a stored match as everybody can check it.
 * @throws SERVICE_UNAVAILABLE for rules this node does not know, LOG_UNREADABLE
 */
function logFrom(
  { state }: store.StoredMatch,
  log: readonly logStore.VersionLine[],
  former: Awaited<ReturnType<typeof formerStepsOf>>,
  rulebook: Rulebook,
): MatchLog {
  const created = log[0]?.event;
  if (created?.type !== 'created') throw matchErrors.LOG_UNREADABLE();
  return {
    matchGuid: state.matchGuid,
    status: state.status,
    seed: state.seed,
    seedHash: state.seedHash,
    dealt: rulebook.of(state.rulesVersion).dealtFrom(created.setup),
    // The match may have moved on since its state was read.
    events: log
      .filter(({ version }) => version <= state.version)
      .map(({ version, at, event }) => ({ version, at: isoTime(at), event })),
    version: state.version,
    stateHash: hashState(state),
    formerRatings: former.map((step) => ({ ...step, replacedAt: isoTime(step.replacedAt) })),
  };
}

/** @throws SERVICE_UNAVAILABLE for rules this node does not know, LOG_UNREADABLE */
async function presentLog(
  database: Database,
  found: store.StoredMatch,
  rulebook: Rulebook,
): Promise<MatchLog> {
  const [log, former] = await Promise.all([
    logStore.logOf(database, found.state.matchGuid),
    formerStepsOf(database.prisma, found.state.matchGuid),
  ]);
  try {
    const shown = logFrom(found, log, former, rulebook);
    matchLog.parse(shown);
    return shown;
  } catch (error) {
    // The rules may throw any error when the value is not a log.
    throw error instanceof ServiceError ? error : matchErrors.LOG_UNREADABLE({ cause: error });
  }
}

/** The problems of the log of a match, in sentences; null: there are none. */
export async function problemOfLog(
  database: Database,
  found: store.StoredMatch,
  rulebook: Rulebook,
): Promise<string | null> {
  const lines = await logStore.logOf(database, found.state.matchGuid);
  try {
    const { checks } = proveMatch(logFrom(found, lines, [], rulebook), { rulebook });
    return checks.flatMap(({ problem }) => problem ?? []).join(' ') || null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The log of a running or ended match, for an operator with the database; null when there is no such match. */
export async function loadLog(database: Database, matchGuid: string): Promise<MatchLog | null> {
  const found = await store.loadMatch(database, matchGuid);
  return found && presentLog(database, found, RULEBOOK);
}

export function createEvidence({
  database,
  clock,
  rulebook,
}: Pick<MatchContext, 'database' | 'clock' | 'rulebook'>) {
  return {
    /**
     * The log of a match. Everybody may read it once the match ended. Before, it holds both hands and the seed: only
     * an admin who does not play in it may read it, and this is recorded.
     * @param adminGuid null when the reader is no admin
     * @throws MATCH_NOT_FOUND, OWN_MATCH, LOG_UNREADABLE, SERVICE_UNAVAILABLE (its rules are newer than this node)
     */
    log: async (matchGuid: string, adminGuid: string | null): Promise<MatchLog> => {
      const found = existing(await store.loadMatch(database, matchGuid), matchErrors.MATCH_NOT_FOUND);
      if (found.state.endedAt === null) {
        if (adminGuid === null) throw matchErrors.MATCH_NOT_FOUND();
        if (seatOf(found.state, adminGuid) !== null) throw matchErrors.OWN_MATCH();
        await recordAudit(database.prisma, {
          at: clock.now(),
          actorGuid: adminGuid,
          action: 'readMatchLog',
          target: `/matches/${matchGuid}`,
          before: null,
          after: { status: found.state.status, version: found.state.version },
        });
      }
      return presentLog(database, found, rulebook);
    },

    /** Moves the logs of matches that ended a day ago into the archive. */
    archiveLogs: (): Promise<void> =>
      inBatches(ARCHIVED_AT_ONCE, (most) =>
        moveToArchive(database, { endedBefore: clock.now() - ARCHIVED_AFTER_MS, most }),
      ),
  };
}
