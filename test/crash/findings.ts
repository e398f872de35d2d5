import { isDeepStrictEqual } from 'node:util';
import { statesOf } from '../../src/domains/matches/machine.ts';
import type { LogLine, MatchState } from '../../src/domains/matches/state.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { StubbornPlayer } from './player.ts';

/** What the database and the players' own notes say once everything has ended. */
export interface Findings {
  matches: number;
  /** How matches ended, by reason. */
  reasons: Record<string, number>;
  rated: number;
  commands: number;
  acknowledged: number;
  changesTold: number;
  connections: number;
  /** Matches whose players were connected to different nodes. */
  acrossNodes: number;
  problems: string[];
}

/** Ends that players who always come back and always answer can meet. */
const FAIR_ENDS = new Set(['health', 'cards_used_up', 'forfeit']);

/** What the log of a match holds at most once. */
const COMMANDS = new Set(['joinMatch', 'discardMaps', 'selectMap', 'submitScore', 'forfeit']);

/** The log's event that a command became. */
function isEventOf({ event, payload }: { event: string; payload: Record<string, any> }, line: any): boolean {
  const { event: stored } = line;
  if (stored.type !== event) return false;
  switch (event) {
    case 'discardMaps':
      return isDeepStrictEqual(stored.cardGuids, payload.cardGuids);
    case 'selectMap':
      return stored.cardGuid === payload.cardGuid;
    case 'setReady':
      return stored.roundNumber === payload.roundNumber && stored.state === payload.state;
    case 'submitScore':
      return stored.roundNumber === payload.roundNumber && stored.score.rawScore === payload.rawScore;
    default:
      return true;
  }
}

/**
 * Looks for everything that must never be, whatever was killed when.
 * @param undisturbed nobody was ever disconnected, so everybody must have been told of everything
 */
export async function examine(
  databaseUrl: string,
  players: readonly StubbornPlayer[],
  { undisturbed }: { undisturbed: boolean },
): Promise<Findings> {
  const problems = players.flatMap((player) => player.problems);
  const database = openDatabase({ url: databaseUrl });
  const { prisma } = database;
  try {
    const matches = await prisma.match.findMany({ include: { changes: true } });
    const events = await prisma.matchEvent.findMany({ orderBy: [{ matchGuid: 'asc' }, { version: 'asc' }] });
    const logs = Map.groupBy(events, (event) => event.matchGuid);
    const reasons: Record<string, number> = {};
    const statuses = new Map<string, string[]>();
    const seats = new Map<string, Map<string, string>>();
    let rated = 0;

    for (const match of matches) {
      const problem = (what: string) => problems.push(`match ${match.matchGuid}: ${what}`);
      const stored = match.state as unknown as MatchState;
      const log = logs.get(match.matchGuid) ?? [];
      seats.set(
        match.matchGuid,
        new Map([
          [match.redGuid, 'red'],
          [match.blueGuid, 'blue'],
        ]),
      );
      if (log.some(({ version }, at) => version !== at + 1)) problem('its log has gaps');
      const states = statesOf(
        log.map(({ event, at }) => ({ event, at: at.getTime() }) as unknown as LogLine),
      );
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(states.at(-1))), stored))
        problem('its log replays to another state than the stored one');
      const once = log
        .map(({ event }) => event as any)
        .filter(({ type }) => COMMANDS.has(type))
        .map((event) => JSON.stringify(event));
      if (new Set(once).size < once.length) problem('a command that came twice was applied twice');
      statuses.set(
        match.matchGuid,
        states.map(({ status }) => status),
      );
      if (match.endedAt === null || stored.result === null) {
        problem(`it has not ended: ${match.status}`);
        continue;
      }
      const { outcome, reason } = stored.result;
      reasons[reason] = (reasons[reason] ?? 0) + 1;
      if (!FAIR_ENDS.has(reason)) problem(`it ended by ${reason}, though everybody came back and answered`);
      const isRated = stored.rated && outcome !== 'no_contest';
      if (isRated) rated++;
      if (match.changes.length !== (isRated ? 2 : 0))
        problem(`it has ${match.changes.length} rating changes`);
      const score = match.changes.reduce((sum, change) => sum + change.score, 0);
      if (isRated && score !== 1) problem(`its rating changes share ${score} points`);
    }

    const changes = await prisma.ratingChange.findMany({ orderBy: { at: 'asc' } });
    const byPlayer = Map.groupBy(changes, (change) => change.playerGuid);
    for (const rating of await prisma.rating.findMany()) {
      const own = byPlayer.get(rating.playerGuid) ?? [];
      const problem = (what: string) => problems.push(`player ${rating.playerGuid}: ${what}`);
      if (rating.wins + rating.losses + rating.draws !== own.length)
        problem('wins, losses and draws are not one for each rated match');
      if (own.filter(({ score }) => score === 1).length !== rating.wins) problem('wins do not add up');
      // Each change begins where another one ended; the first begins and the last ends nowhere else.
      const ends = new Set([...own.map(({ muAfter }) => muAfter)]);
      const begins = new Set(own.map(({ muBefore }) => muBefore));
      if (own.filter(({ muBefore }) => !ends.has(muBefore)).length > 1)
        problem('a rating change was skipped');
      if (
        own.length > 0 &&
        own.filter(({ muAfter }) => !begins.has(muAfter)).some(({ muAfter }) => muAfter !== rating.mu)
      )
        problem('the rating is not where its last change left it');
    }

    const taken = await prisma.runningSeat.findMany({ where: { match: { endedAt: { not: null } } } });
    if (taken.length > 0) problems.push(`${taken.length} players sit in a match that has ended`);
    for (const { reason, playerGuid } of await prisma.penalty.findMany())
      problems.push(`player ${playerGuid} was penalised: ${reason}`);
    const waiting = await prisma.queueEntry.count();
    if (waiting > 0) problems.push(`${waiting} players who left still wait`);

    const sent = players.flatMap((player) => player.sent);
    for (const command of sent) {
      const { matchGuid } = command.payload;
      if (matchGuid === undefined || command.answer === null) continue;
      const seat = seats.get(matchGuid)?.get(command.playerGuid);
      const isLogged = (logs.get(matchGuid) ?? []).some(
        (line) => (line.event as any).seat === seat && isEventOf(command, line),
      );
      if (command.answer === 'ok' && !isLogged)
        problems.push(`match ${matchGuid}: an acknowledged ${command.event} is not in the log`);
      if (command.answer !== 'ok' && isLogged)
        problems.push(
          `match ${matchGuid}: ${command.event} was refused (${command.answer}), but is in the log`,
        );
    }
    for (const { matchGuid, version, status } of players.flatMap((player) => player.seen)) {
      if (statuses.get(matchGuid)?.[version - 1] !== status)
        problems.push(
          `match ${matchGuid}: version ${version} was told as ${status}, but is not stored as that`,
        );
    }
    const seen = Map.groupBy(
      players.flatMap((player) => player.seen),
      (change) => change.matchGuid,
    );
    let acrossNodes = 0;
    for (const { matchGuid, version, redGuid, blueGuid } of matches) {
      const changes = seen.get(matchGuid) ?? [];
      if (new Set(changes.map(({ url }) => url)).size > 1) acrossNodes++;
      for (const playerGuid of undisturbed ? [redGuid, blueGuid] : []) {
        const told = changes.filter((one) => one.playerGuid === playerGuid).map((one) => one.version);
        const all = Array.from({ length: version }, (_, at) => at + 1);
        if (!isDeepStrictEqual(told, all))
          problems.push(`match ${matchGuid}: player ${playerGuid} was told of ${told.join()} of ${version}`);
      }
    }
    return {
      matches: matches.length,
      acrossNodes,
      reasons,
      rated,
      commands: sent.length,
      acknowledged: sent.filter(({ answer }) => answer === 'ok').length,
      changesTold: players.reduce((sum, player) => sum + player.seen.length, 0),
      connections: players.reduce((sum, player) => sum + player.connections, 0),
      problems,
    };
  } finally {
    await database.close();
  }
}
