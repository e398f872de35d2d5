import type { Answer, Note } from './recording.ts';
import type { Shown } from './shown.ts';
import type { ConnectionRecord, ReceivedUpdate } from './updates.ts';

/** A recording by connection and by match, as the checker looks at it. */

export interface CheckOptions {
  /** A living connection is told of a change, and answered, within this long. */
  withinMs: number;
  /**
   * When something kept the service from answering in time, in milliseconds of the recording's clock: these
   * times do not count. Messages and answers are checked all the same.
   */
  disturbed?: readonly { from: number; to: number }[];
}

export interface Question {
  at: number;
  place: number;
  connection: Connection;
  event: string;
  payload: Readonly<Record<string, any>>;
  answered: { at: number; place: number; answer: Answer } | null;
}

export interface Connection {
  player: string;
  openedAt: number;
  closed: ConnectionRecord['closed'];
  told: (ReceivedUpdate & { place: number })[];
  questions: Question[];
}

/** The notes by connection, and everything that was shown of matches in its order. */
export interface History {
  connections: Connection[];
  /** By player guid. */
  byPlayer: Map<string, Connection[]>;
  /** By match. */
  shown: Map<string, { at: number; place: number; shown: Shown }[]>;
  /** Where each player first saw a match: the matches of one player come one after the other. */
  firstSeen: Map<string, Map<string, number>>;
  deadline(at: number): number;
}

export function readHistory(notes: readonly Note[], { withinMs, disturbed = [] }: CheckOptions): History {
  const connections: Connection[] = [];
  const questions: Question[] = [];
  const shown: History['shown'] = new Map();
  const firstSeen: History['firstSeen'] = new Map();
  const guids = new Map<string, string>();
  const overAt = notes.at(-1)?.at ?? 0;
  const show = (player: string, at: number, place: number, seen: Shown | null): void => {
    if (seen === null) return;
    const { playerGuid, matchGuid } = seen;
    guids.set(player, playerGuid);
    grouped(shown, matchGuid, () => []).push({ at, place, shown: seen });
    const places = grouped(firstSeen, playerGuid, () => new Map<string, number>());
    if (!places.has(matchGuid)) places.set(matchGuid, place);
  };
  for (const [place, note] of notes.entries()) {
    const { at } = note;
    if (note.kind === 'opened') {
      connections[note.connection] = {
        player: note.player,
        openedAt: at,
        closed: { at: overAt, how: 'over' },
        told: [],
        questions: [],
      };
    } else if (note.kind === 'answered') {
      const question = questions[note.question] as Question;
      const { answer } = note;
      question.answered = { at, place, answer };
      if (!answer.ok) continue;
      const { player } = question.connection;
      if ('playerGuid' in answer) guids.set(player, answer.playerGuid);
      show(player, at, place, 'shown' in answer ? answer.shown : answer.running);
    } else {
      const connection = connections[note.connection] as Connection;
      if (note.kind === 'told') {
        connection.told.push({ at, place, shown: note.shown, cause: note.cause });
        show(connection.player, at, place, note.shown);
      } else if (note.kind === 'closed') {
        connection.closed = { at, how: note.how };
      } else {
        const { event, payload } = note;
        const question = { at, place, connection, event, payload, answered: null };
        questions[note.question] = question;
        connection.questions.push(question);
      }
    }
  }
  const byPlayer = Map.groupBy(connections, ({ player }) => guids.get(player) ?? '');
  return { connections, byPlayer, shown, firstSeen, deadline: deadlineAfter(withinMs, disturbed) };
}

function grouped<K, V>(groups: Map<K, V>, key: K, empty: () => V): V {
  const group = groups.get(key) ?? empty();
  groups.set(key, group);
  return group;
}

/** The time by which `withinMs` of undisturbed time have passed. */
function deadlineAfter(
  withinMs: number,
  disturbed: readonly { from: number; to: number }[],
): (at: number) => number {
  const inOrder = disturbed.toSorted((a, b) => a.from - b.from);
  return (at) => {
    let due = at + withinMs;
    let passed = at;
    for (const { from, to } of inOrder) {
      if (to <= passed || from >= due) continue;
      due += to - Math.max(from, passed);
      passed = to;
    }
    return due;
  };
}
