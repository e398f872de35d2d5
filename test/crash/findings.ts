import { logOf } from '../../src/domains/matches/log-store.ts';
import type { MatchState } from '../../src/domains/matches/state.ts';
import { withMaps } from '../../src/domains/matches/stored-state.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { checkHistory, type StoredMatch } from '../history/check.ts';
import type { CheckOptions } from '../history/reading.ts';
import type { Note } from '../history/recording.ts';
import { type Lateness, latenessOf } from './lateness.ts';

/** Findings in the database and in the players' own notes, once everything has ended. */
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
  /** How far from its due time each limit was told to have passed. */
  lateness: Lateness;
  problems: string[];
}

/** Ends that players who always come back and always answer can meet. */
const FAIR_ENDS = new Set(['health', 'cards_used_up', 'forfeit']);

export type StoredRow = StoredMatch & { rated: number; points: number };

/** Every match with its whole log, as it is stored. */
export async function storedMatches(database: Database): Promise<StoredRow[]> {
  const matches = await database.prisma.match.findMany({ include: { changes: true } });
  const stored = matches.map((match) => ({ ...match, state: match.state as unknown as MatchState }));
  const rows: StoredRow[] = [];
  for (const { matchGuid, state, changes } of await withMaps(database.prisma, stored))
    rows.push({
      matchGuid,
      state,
      log: await logOf(database, matchGuid),
      rated: changes.length,
      points: changes.reduce((sum, { score }) => sum + score, 0),
    });
  return rows;
}

/** Checks of an ended match beside its history. */
function endProblems(match: StoredRow): string[] {
  const { matchGuid, state } = match;
  const { result, status } = state;
  if (result === null) return [`match ${matchGuid}: it has not ended: ${status}`];
  const problems = ratingsOfEnd(match);
  if (!FAIR_ENDS.has(result.reason))
    problems.push(`it ended by ${result.reason}, though everybody came back and answered`);
  return problems.map((problem) => `match ${matchGuid}: ${problem}`);
}

/** An ended match moved the ratings of both players, or of none where it does not count. */
export function ratingsOfEnd({ state, rated, points }: StoredRow): string[] {
  const problems: string[] = [];
  const isRated = state.rated && state.result !== null && state.result.outcome !== 'no_contest';
  if (rated !== (isRated ? 2 : 0)) problems.push(`it has ${rated} rating changes`);
  if (isRated && points !== 1) problems.push(`its rating changes share ${points} points`);
  return problems;
}

/** Each rating is the sum of its changes, each of which begins where another one ended. */
export async function ratingProblems({ prisma }: Database): Promise<string[]> {
  const changes = await prisma.ratingChange.findMany({ orderBy: { at: 'asc' } });
  const byPlayer = Map.groupBy(changes, (change) => change.playerGuid);
  return (await prisma.rating.findMany()).flatMap((rating) => {
    const own = byPlayer.get(rating.playerGuid) ?? [];
    const problems: string[] = [];
    if (rating.wins + rating.losses + rating.draws !== own.length)
      problems.push('wins, losses and draws are not one for each rated match');
    if (own.filter(({ score }) => score === 1).length !== rating.wins) problems.push('wins do not add up');
    const ends = new Set(own.map(({ muAfter }) => muAfter));
    const begins = new Set(own.map(({ muBefore }) => muBefore));
    if (own.filter(({ muBefore }) => !ends.has(muBefore)).length > 1)
      problems.push('a rating change was skipped');
    const last = own.filter(({ muAfter }) => !begins.has(muAfter));
    if (last.some(({ muAfter }) => muAfter !== rating.mu))
      problems.push('the rating is not where its last change left it');
    return problems.map((problem) => `player ${rating.playerGuid}: ${problem}`);
  });
}

/** Nothing is left behind of matches that ended and players who left. */
async function remains({ prisma }: Database): Promise<string[]> {
  const problems: string[] = [];
  const taken = await prisma.runningSeat.count({ where: { match: { endedAt: { not: null } } } });
  if (taken > 0) problems.push(`${taken} players sit in a match that has ended`);
  for (const { reason, playerGuid } of await prisma.penalty.findMany())
    problems.push(`player ${playerGuid} was penalised: ${reason}`);
  const waiting = await prisma.queueEntry.count();
  if (waiting > 0) problems.push(`${waiting} players who left still wait`);
  return problems;
}

const isCommand = (note: Note): boolean => note.kind === 'asked' && 'matchGuid' in note.payload;

/** Looks for everything that must never be, whatever was killed when. */
export async function examine(
  databaseUrl: string,
  notes: readonly Note[],
  options: CheckOptions,
): Promise<Findings> {
  const database = openDatabase({ url: databaseUrl });
  try {
    const matches = await storedMatches(database);
    const reasons: Record<string, number> = {};
    for (const { state } of matches)
      if (state.result) reasons[state.result.reason] = (reasons[state.result.reason] ?? 0) + 1;
    const commands = new Set(
      notes.flatMap((note) => (isCommand(note) && note.kind === 'asked' ? note.question : [])),
    );
    const urls = notes.flatMap((note) => (note.kind === 'opened' ? note.url : []));
    const told = notes.filter((note) => note.kind === 'told');
    const nodesOf = Map.groupBy(told, ({ shown }) => shown.matchGuid);
    return {
      matches: matches.length,
      acrossNodes: [...nodesOf.values()].filter(
        (seen) => new Set(seen.map(({ connection }) => urls[connection])).size > 1,
      ).length,
      reasons,
      rated: matches.filter((match) => match.rated > 0).length,
      commands: commands.size,
      acknowledged: notes.filter(
        (note) => note.kind === 'answered' && note.answer.ok && commands.has(note.question),
      ).length,
      changesTold: told.length,
      connections: urls.length,
      lateness: latenessOf(matches, told),
      problems: [
        ...checkHistory(notes, matches, options),
        ...matches.flatMap(endProblems),
        ...(await ratingProblems(database)),
        ...(await remains(database)),
      ],
    };
  } finally {
    await database.close();
  }
}
