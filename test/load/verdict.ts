import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { SEATS } from '../../src/domains/matches/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ratingProblems, ratingsOfEnd, type StoredRow, storedMatches } from '../crash/findings.ts';
import { type Lateness, latenessOf } from '../crash/lateness.ts';
import { checkHistory } from '../history/check.ts';
import type { CheckOptions } from '../history/reading.ts';
import type { Note } from '../history/recording.ts';
import type { Intent } from './player.ts';

/** The result of a run: the data that were lost, and the times from the notes. */
export interface Verdict {
  matches: { made: number; ended: number };
  /** How matches ended, by reason. */
  reasons: Record<string, number>;
  commands: number;
  acknowledged: number;
  /** From a change to the update that tells of it: when it was told (steady clock), and the milliseconds between. */
  updates: readonly { at: number; ms: number }[];
  /** From a message to its acknowledgement. */
  acks: readonly { at: number; ms: number }[];
  connects: readonly number[];
  lateness: Lateness;
  problems: string[];
}

/** Reasons that no script needs to ask for. */
const FAIR_ENDS = new Set(['health', 'cards_used_up']);

/** The notes of several processes of one machine, in the order of the clock that they share. */
export async function readNotes(files: readonly string[]): Promise<Note[]> {
  const notes: Note[] = [];
  const guids = new Map<string, string>();
  /** The same text once: histories are mostly the same few thousand ids. */
  const same = (text: string): string => {
    const known = guids.get(text);
    if (known !== undefined) return known;
    guids.set(text, text);
    return text;
  };
  let connections = 0;
  let questions = 0;
  for (const file of files) {
    const [firstConnection, firstQuestion] = [connections, questions];
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const note = JSON.parse(line, (_, value) => (typeof value === 'string' ? same(value) : value)) as Note;
      if ('connection' in note) {
        note.connection += firstConnection;
        connections = Math.max(connections, note.connection + 1);
      }
      if ('question' in note) {
        note.question += firstQuestion;
        questions = Math.max(questions, note.question + 1);
      }
      notes.push(note);
    }
  }
  return notes.sort((a, b) => a.at - b.at);
}

export interface VerdictOptions extends CheckOptions {
  databaseUrl: string;
  notes: readonly Note[];
  intents: readonly Intent[];
  /** The zero of the steady clock, milliseconds since 1970. */
  origin: number;
}

export async function judge(options: VerdictOptions): Promise<Verdict> {
  const { databaseUrl, notes, intents, origin } = options;
  const database = openDatabase({ url: databaseUrl });
  try {
    const matches = await storedMatches(database);
    const penalties = await database.prisma.penalty.findMany();
    const reasons: Record<string, number> = {};
    for (const { state } of matches)
      if (state.result) reasons[state.result.reason] = (reasons[state.result.reason] ?? 0) + 1;
    const told = notes.filter((note) => note.kind === 'told');
    const asked = new Map(notes.flatMap((note) => (note.kind === 'asked' ? [[note.question, note]] : [])));
    const answered = notes.filter((note) => note.kind === 'answered');
    const isCommand = (question: number) => 'matchGuid' in (asked.get(question)?.payload ?? {});
    return {
      matches: { made: matches.length, ended: matches.filter(({ state }) => state.endedAt !== null).length },
      reasons,
      commands: [...asked.keys()].filter(isCommand).length,
      acknowledged: answered.filter(({ answer, question }) => answer.ok && isCommand(question)).length,
      acks: answered.map(({ at, question }) => ({ at, ms: at - (asked.get(question)?.at ?? at) })),
      updates: updateTimes(told, matches, origin),
      connects: notes.flatMap(({ kind, at }) => (kind === 'opened' ? at : [])),
      lateness: latenessOf(matches, told, origin),
      problems: [
        ...checkHistory(notes, matches, options),
        ...matches.flatMap((match) => endProblems(match, intents)),
        ...penalties
          .filter(({ playerGuid, matchGuid }) => {
            const match = matches.find((one) => one.matchGuid === matchGuid);
            return !match || !isAskedFor(playerGuid, match, intents);
          })
          .map(
            ({ playerGuid, matchGuid, reason }) =>
              `player ${playerGuid}: penalised for ${reason} in match ${matchGuid}, which no script asked for`,
          ),
        ...(await ratingProblems(database)),
      ],
    };
  } finally {
    await database.close();
  }
}

/** Whether the script of this player did something that may have cost this match. */
function isAskedFor(
  playerGuid: string,
  { matchGuid, state, log }: StoredRow,
  intents: readonly Intent[],
): boolean {
  const from = log[0]?.at ?? 0;
  const to = state.endedAt ?? Number.POSITIVE_INFINITY;
  return intents.some((intent) => {
    if (intent.playerGuid !== playerGuid) return false;
    return intent.kind === 'forfeit'
      ? intent.matchGuid === matchGuid
      : intent.from <= to && from <= intent.to;
  });
}

/** The problems with the end of a match; none for a match that still ran when the run ended. */
export function endProblems(match: StoredRow, intents: readonly Intent[]): string[] {
  const { state } = match;
  const { result } = state;
  if (result === null) return [];
  const problems = ratingsOfEnd(match);
  const losers = SEATS.filter((seat) => seat !== result.winner).map((seat) => state.seats[seat].playerGuid);
  if (!FAIR_ENDS.has(result.reason) && !losers.some((one) => isAskedFor(one, match, intents)))
    problems.push(`it ended by ${result.reason}, which no script asked for`);
  return problems.map((problem) => `match ${match.matchGuid}: ${problem}`);
}

/** From the decision about a change, by the clock of the service on this machine, to its first update of each player. */
function updateTimes(
  told: readonly (Note & { kind: 'told' })[],
  matches: readonly StoredRow[],
  origin: number,
): { at: number; ms: number }[] {
  const logs = new Map(matches.map(({ matchGuid, log }) => [matchGuid, log]));
  const seen = new Set<string>();
  return told.flatMap(({ at, shown: { matchGuid, playerGuid, version } }) => {
    const key = `${matchGuid} ${playerGuid} ${version}`;
    const decidedAt = logs.get(matchGuid)?.[version - 1]?.at;
    // A second message about one version is progress, which no log has.
    if (decidedAt === undefined || seen.has(key)) return [];
    seen.add(key);
    return [{ at, ms: Math.max(0, origin + at - decidedAt) }];
  });
}
