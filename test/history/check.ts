import { isDeepStrictEqual } from 'node:util';
import type { Cause, LogLine } from '../../src/domains/matches/match-events.ts';
import { type Rules, statesOf } from '../../src/domains/matches/play.ts';
import { RULEBOOK } from '../../src/domains/matches/rulebook.ts';
import { type MatchState, SEATS, type SeatName } from '../../src/domains/matches/state.ts';
import { causeFor } from '../../src/domains/matches/view.ts';
import {
  COMMANDS,
  commandOperation,
  endOperation,
  eventFor,
  isOutcomeUnknown,
  type Played,
  readOperation,
} from './operations.ts';
import { findOrder, type Happening } from './order.ts';
import { type CheckOptions, type Connection, type History, type Question, readHistory } from './reading.ts';
import type { Answer, Note } from './recording.ts';
import { differences, shownTo } from './shown.ts';
import { type ConnectionRecord, type Knows, seconds, updateProblems } from './updates.ts';

/** A match as the database has it once everything is over. */
export interface StoredMatch {
  matchGuid: string;
  /** In the order of versions, from 1. */
  log: readonly (LogLine & { cause: Cause })[];
  /** The last state. */
  state: MatchState;
}

/**
 * Decides whether a recorded history can be what a correct service did: for each match every acknowledged
 * command took effect exactly once, no refused one did, every answer shows the match as it was while the
 * question was open, and every version was told once to each connected player, in order, to the end.
 * @returns what is wrong, in sentences; empty when nothing is
 */
export function checkHistory(
  notes: readonly Note[],
  matches: readonly StoredMatch[],
  options: CheckOptions,
): string[] {
  const history = readHistory(notes, options);
  const stored = new Set(matches.map(({ matchGuid }) => matchGuid));
  const unknown = [...history.shown.keys()].filter((one) => !stored.has(one));
  return [
    ...unanswered(history),
    ...unknown.map((matchGuid) => `match ${matchGuid}: it was shown and is not stored`),
    ...matches.flatMap((match) =>
      matchProblems(match, history).map((problem) => `match ${match.matchGuid}: ${problem}`),
    ),
  ];
}

/** Questions without an answer on connections that lived for long enough after them. */
function unanswered({ connections, deadline }: History): string[] {
  return connections.flatMap(({ player, closed, questions }) =>
    questions.flatMap(({ event, at, answered }) => {
      if (answered !== null || (closed.how !== 'left' && closed.at <= deadline(at))) return [];
      return `${player}: ${event}, sent at ${seconds(at)}, was never acknowledged, though the connection lived until ${seconds(closed.at)}`;
    }),
  );
}

function matchProblems(match: StoredMatch, history: History): string[] {
  const { log, state } = match;
  let rules: Rules;
  let states: MatchState[];
  try {
    rules = RULEBOOK.of(state.rulesVersion);
    states = statesOf(log, rules);
  } catch (error) {
    return [`its log does not replay: ${(error as Error).message}`];
  }
  const last = states.at(-1) as MatchState;
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(last)), JSON.parse(JSON.stringify(state))))
    return ['its log replays to another state than the stored one'];
  const played: Played = {
    rules,
    matchGuid: match.matchGuid,
    events: log.map(({ event }) => (event.type === 'created' ? null : event)),
    states,
    times: log.map(({ at }) => at),
  };
  const wrong = wronglyShown(played, history);
  if (wrong.length > 0) return wrong;
  const disorder = findOrder(
    {
      last: states.length,
      isCommand: (version) => COMMANDS.has(played.events[version - 1]?.type ?? ''),
      title: (version) => lineTitle(played, version),
    },
    happeningsOf(played, history),
  );
  return [
    ...(disorder === null ? [] : [disorder]),
    ...SEATS.flatMap((seat) => toldWrongly(played, log, seat, history)),
  ];
}

function lineTitle({ events }: Played, version: number): string {
  const event = events[version - 1];
  return event ? `${event.type}${'seat' in event ? ` of ${event.seat}` : ''}` : 'created';
}

/** Views that were shown and differ from the stored version. */
function wronglyShown({ matchGuid, states }: Played, { shown }: History): string[] {
  return (shown.get(matchGuid) ?? []).flatMap(({ at, shown: one }) => {
    const state = states[one.version - 1];
    const seat = state && SEATS.find((name) => state.seats[name].playerGuid === one.playerGuid);
    if (!state || !seat) return `version ${one.version} was shown at ${seconds(at)} and is not stored`;
    const parts = differences(one, shownTo(state, seat));
    if (parts.length === 0) return [];
    return `version ${one.version} was shown to ${seat} at ${seconds(at)} with another ${parts.join(', ')} than is stored`;
  });
}

/** Everything about one match that takes part in the search for an order, in the order of the notes. */
function happeningsOf(played: Played, { byPlayer }: History): Happening[] {
  const { matchGuid, states } = played;
  const happenings: { place: number; happening: Happening }[] = [];
  const add = (place: number, happening: Happening) => happenings.push({ place, happening });
  for (const seat of SEATS) {
    const playerGuid = states[0]?.seats[seat].playerGuid ?? '';
    for (const { told, questions } of byPlayer.get(playerGuid) ?? []) {
      for (const { place, at, shown } of told) {
        if (shown.matchGuid !== matchGuid) continue;
        const { version } = shown;
        add(place, {
          kind: 'told',
          version,
          title: `${seat} was told of version ${version} at ${seconds(at)}`,
        });
      }
      for (const question of questions) {
        for (const operation of operationsOf(played, seat, question)) {
          add(question.place, { kind: 'asked', operation });
          const { answered } = question;
          // An answered failure does not tell whether the command took effect.
          if (answered && !isOutcomeUnknown(answered.answer))
            add(answered.place, { kind: 'answered', operation });
        }
      }
    }
  }
  return happenings.toSorted((a, b) => a.place - b.place).map(({ happening }) => happening);
}

function operationsOf(played: Played, seat: SeatName, { event, payload, at, answered }: Question) {
  const { matchGuid } = played;
  const reply = answered && !isOutcomeUnknown(answered.answer) ? answered.answer : null;
  const title = `${event} of ${seat}, sent at ${seconds(at)}${reply ? ` and answered ${answerTitle(reply)}` : ''}`;
  if (COMMANDS.has(event)) {
    if (payload.matchGuid !== matchGuid) return [];
    return [commandOperation(played, title, eventFor(event, payload, seat), reply)];
  }
  if (reply === null || !reply.ok) return [];
  if ('shown' in reply) {
    if (reply.shown?.matchGuid !== matchGuid) return [];
    return [readOperation(title, reply.shown.version)];
  }
  const { running, lastMatchGuid } = reply;
  return [
    running?.matchGuid === matchGuid
      ? readOperation(title, running.version)
      : endOperation(played, title, { orBefore: true }),
    ...(lastMatchGuid === matchGuid ? [endOperation(played, title, { orBefore: false })] : []),
  ];
}

function answerTitle(answer: Answer): string {
  if (!answer.ok) return answer.code;
  const shown = 'shown' in answer ? answer.shown : answer.running;
  const last =
    'lastMatchGuid' in answer && answer.lastMatchGuid ? ` after match ${answer.lastMatchGuid}` : '';
  return shown ? `with version ${shown.version}` : `without a match${last}`;
}

function toldWrongly(
  { matchGuid, states }: Played,
  log: StoredMatch['log'],
  seat: SeatName,
  { byPlayer, shown, firstSeen, deadline }: History,
): string[] {
  const playerGuid = states[0]?.seats[seat].playerGuid ?? '';
  const places = firstSeen.get(playerGuid);
  const seenFrom = places?.get(matchGuid);
  if (places === undefined || seenFrom === undefined) return [];
  const ended = states.findIndex(({ endedAt }) => endedAt !== null);
  const questionsOf = (guid: string) => (byPlayer.get(guid) ?? []).flatMap(({ questions }) => questions);
  return updateProblems(
    (byPlayer.get(playerGuid) ?? []).map((connection) => sightOf(connection, matchGuid, seenFrom, places)),
    {
      seat,
      lastVersion: ended === -1 ? states.length : ended + 1,
      hasEnded: ended !== -1,
      causeOf: (version) =>
        causeFor(states[version - 1] as MatchState, seat, log[version - 1]?.cause as Cause),
      knownAt: (version) => shown.get(matchGuid)?.find((one) => one.shown.version >= version)?.at ?? null,
      reportsOf: (teller, at) =>
        questionsOf(teller).filter((one) => one.at <= at && isProgressReport(one, matchGuid)).length,
      deadline,
    },
  );
}

const isProgressReport = ({ event, payload }: Question, matchGuid: string): boolean =>
  event === 'setReady' && payload.matchGuid === matchGuid && (payload.progress ?? null) !== null;

function sightOf(
  { closed, told, questions }: Connection,
  matchGuid: string,
  seenFrom: number,
  firstSeen: ReadonlyMap<string, number>,
): ConnectionRecord {
  const later = told.find(({ shown }) => (firstSeen.get(shown.matchGuid) ?? 0) > seenFrom);
  return {
    closed,
    hello: helloOf(questions, matchGuid, seenFrom),
    told: told.filter(({ shown }) => shown.matchGuid === matchGuid),
    movedOnAt: later?.at ?? null,
  };
}

/** The match in the first answered `hello` of a connection. */
function helloOf(
  questions: readonly Question[],
  matchGuid: string,
  seenFrom: number,
): ConnectionRecord['hello'] {
  for (const { event, place, answered } of questions) {
    const answer = answered?.answer;
    if (event !== 'hello' || !answered || !answer?.ok || !('running' in answer)) continue;
    const { running, lastMatchGuid } = answer;
    const knows: Knows =
      running?.matchGuid === matchGuid
        ? running.version
        : lastMatchGuid === matchGuid || seenFrom < place
          ? 'the end'
          : 'nothing yet';
    return { at: answered.at, knows };
  }
  return null;
}
