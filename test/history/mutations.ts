import type { MatchState, SeatName } from '../../src/domains/matches/state.ts';
import { SEATS } from '../../src/domains/matches/state.ts';
import type { Model } from './model.ts';
import { COMMANDS, eventFor } from './operations.ts';
import type { Answer, Note } from './recording.ts';
import { type Shown, shownTo } from './shown.ts';

/**
 * Histories of faulty services, made from a correct one: each function takes a history of one match that both
 * clients left knowing everything, and returns one that no correct service can have made, or null where
 * this history has no place for the fault.
 */
export type Mutation = (history: Mutable) => readonly Note[] | null;

export interface Mutable {
  notes: readonly Note[];
  model: Model;
  /** One of the list, drawn by lot. */
  pick<T>(list: readonly T[]): T | undefined;
}

type Update = Note & { kind: 'told' };
type Asked = Note & { kind: 'asked' };
type Answered = Note & { kind: 'answered' };

const without = (notes: readonly Note[], ...gone: readonly (Note | undefined)[]): Note[] =>
  notes.filter((note) => !gone.includes(note));
const replaced = (notes: readonly Note[], from: Note, to: Note): Note[] =>
  notes.map((note) => (note === from ? to : note));

const updateNotes = (notes: readonly Note[]): Update[] => notes.filter((note) => note.kind === 'told');
const seatOf = ({ state }: Model, playerGuid: string): SeatName =>
  SEATS.find((seat) => state.seats[seat].playerGuid === playerGuid) as SeatName;
const questionsWith = (notes: readonly Note[]): { asked: Asked; answered: Answered }[] =>
  notes.flatMap((answered) => {
    if (answered.kind !== 'answered') return [];
    const asked = notes.find((one) => one.kind === 'asked' && one.question === answered.question);
    return asked?.kind === 'asked' ? [{ asked, answered }] : [];
  });
const shownIn = (answer: Answer): Shown | null =>
  !answer.ok ? null : 'shown' in answer ? answer.shown : answer.running;
const withShown = (answered: Answered, shown: Shown): Answered => {
  const { answer } = answered;
  if (!answer.ok) return answered;
  return { ...answered, answer: 'shown' in answer ? { ...answer, shown } : { ...answer, running: shown } };
};
const leftConnections = (notes: readonly Note[]): Set<number> =>
  new Set(notes.flatMap((note) => (note.kind === 'closed' && note.how === 'left' ? note.connection : [])));
/** The first update of each version on each connection: later ones tell of progress. */
function steps({ notes }: Mutable): Update[] {
  const seen = new Set<string>();
  return updateNotes(notes).filter(({ connection, shown }) => {
    const key = `${connection} ${shown.version}`;
    return !seen.has(key) && seen.add(key);
  });
}
const stateAt = ({ model }: Mutable, version: number): MatchState => model.states[version - 1] as MatchState;

/** A command whose effect is in the log, and the only one of its kind that was sent. */
function onlyMaker({ notes, model, pick }: Mutable): { asked: Asked; answered: Answered } | undefined {
  const players = new Map(
    notes.flatMap((note) => (note.kind === 'opened' ? [[note.connection, note.player] as const] : [])),
  );
  const key = ({ event, payload, connection }: Asked): string =>
    JSON.stringify([eventFor(event, payload, 'red'), players.get(connection)]);
  const all = notes.filter((note) => note.kind === 'asked').map(key);
  return pick(
    questionsWith(notes).filter(({ asked, answered }) => {
      const { event, payload, connection } = asked;
      if (!COMMANDS.has(event) || !answered.answer.ok) return false;
      const seat = players.get(connection) as SeatName;
      const command = JSON.stringify(eventFor(event, payload, seat));
      const isStored = model.log.some((line) => JSON.stringify(line.event) === command);
      const own = key(asked);
      return isStored && all.filter((one) => one === own).length === 1;
    }),
  );
}

const playerOf = (notes: readonly Note[], connection: number): string =>
  notes.flatMap((note) => (note.kind === 'opened' && note.connection === connection ? note.player : []))[0] ??
  '';

export const mutations = {
  'a lost acknowledgement': ({ notes, pick }) => {
    const left = leftConnections(notes);
    const question = pick(questionsWith(notes).filter(({ asked }) => left.has(asked.connection)));
    return question ? without(notes, question.answered) : null;
  },
  'an acknowledged command without effect': ({ notes, model, pick }) => {
    const question = pick(
      questionsWith(notes).filter(
        ({ answered }) => answered.answer.ok && 'shown' in answered.answer && answered.answer.shown,
      ),
    );
    if (!question) return null;
    const { asked, answered } = question;
    const payload = { matchGuid: model.state.matchGuid, cardGuid: 'a card that nobody played' };
    const more: Note[] = [
      { ...asked, question: 9999, event: 'selectMap', payload },
      { ...answered, question: 9999 },
    ];
    return notes.flatMap((note) => (note === answered ? [note, ...more] : note));
  },
  'a refused command with effect': (history) => {
    const question = onlyMaker(history);
    if (!question) return null;
    const answer: Answer = { ok: false, code: 'WRONG_PHASE' };
    return replaced(history.notes, question.answered, { ...question.answered, answer });
  },
  'an effect of a command that nobody sent': (history) => {
    const question = onlyMaker(history);
    return question ? without(history.notes, question.asked, question.answered) : null;
  },
  'a command that took effect before it was sent': (history) => {
    const question = onlyMaker(history);
    if (!question) return null;
    const { asked, answered } = question;
    const rest = without(history.notes, asked, answered);
    const end = rest.findIndex((note) => note.kind === 'closed' && note.how === 'left');
    return [...rest.slice(0, end), asked, answered, ...rest.slice(end)];
  },
  'a stale read': (history) => {
    const { notes, model, pick } = history;
    const floors = new Map<Note, number>();
    let floor = 0;
    for (const note of notes) {
      if (note.kind === 'told') floor = Math.max(floor, note.shown.version);
      if (note.kind === 'answered') floor = Math.max(floor, shownIn(note.answer)?.version ?? 0);
      if (note.kind === 'asked') floors.set(note, floor);
    }
    const question = pick(
      questionsWith(notes).filter(
        ({ asked, answered }) => (floors.get(asked) ?? 0) > 1 && shownIn(answered.answer) !== null,
      ),
    );
    const shown = question && shownIn(question.answered.answer);
    if (!question || !shown) return null;
    const old = stateAt(history, (floors.get(question.asked) ?? 0) - 1);
    return replaced(
      notes,
      question.answered,
      withShown(question.answered, shownTo(old, seatOf(model, shown.playerGuid))),
    );
  },
  'a read of what was not there yet': (history) => {
    const { notes, model, pick } = history;
    const maker = onlyMaker(history);
    if (!maker) return null;
    const { event, payload, connection } = maker.asked;
    const command = eventFor(event, payload, playerOf(notes, connection) as SeatName);
    const version = 1 + model.log.findIndex((line) => JSON.stringify(line.event) === JSON.stringify(command));
    const before = notes.slice(0, notes.indexOf(maker.asked));
    const question = pick(questionsWith(before).filter(({ answered }) => shownIn(answered.answer) !== null));
    const shown = question && shownIn(question.answered.answer);
    if (!question || !shown || version === 0) return null;
    const early = shownTo(stateAt(history, version), seatOf(model, shown.playerGuid));
    return replaced(notes, question.answered, withShown(question.answered, early));
  },
  'a duplicated update': (history) => {
    const note = history.pick(steps(history).filter(({ cause }) => cause.type !== 'readyChanged'));
    if (!note) return null;
    const later = history.notes.findIndex(
      (one) => one.kind === 'closed' && one.connection === note.connection,
    );
    return [...history.notes.slice(0, later), note, ...history.notes.slice(later)];
  },
  'a swallowed update': (history) => {
    const all = steps(history);
    // A missing first or last update of a connection is no proof of a fault: perhaps it was not due.
    const inner = all.filter(
      (note) =>
        all.some((one) => one.connection === note.connection && one.shown.version < note.shown.version) &&
        all.some((one) => one.connection === note.connection && one.shown.version > note.shown.version) &&
        updateNotes(history.notes).filter(
          (one) => one.connection === note.connection && one.shown.version === note.shown.version,
        ).length === 1,
    );
    const note = history.pick(inner);
    return note ? without(history.notes, note) : null;
  },
  'two updates the wrong way round': (history) => {
    const { notes } = history;
    const all = updateNotes(notes);
    const pairs = all.flatMap((first) => {
      const next = all.find(
        (one) => one.connection === first.connection && notes.indexOf(one) > notes.indexOf(first),
      );
      return next && next.shown.version > first.shown.version ? [[first, next] as const] : [];
    });
    const pair = history.pick(pairs);
    if (!pair) return null;
    const [first, next] = pair;
    return notes.map((note) => (note === first ? next : note === next ? first : note));
  },
  'a lost end': (history) => {
    const { notes, pick } = history;
    const left = leftConnections(notes);
    // A player whose first hello showed the end knows of it.
    const end = pick(
      steps(history).filter(({ connection, cause, shown }) => {
        const hello = questionsWith(notes).find(({ asked }) => asked.connection === connection);
        const known = hello ? shownIn(hello.answered.answer) : null;
        return cause.type === 'finished' && left.has(connection) && known && known.version < shown.version;
      }),
    );
    return end ? without(notes, end) : null;
  },
  'an update with another content': (history) => {
    const note = history.pick(updateNotes(history.notes));
    if (!note) return null;
    const shown = { ...note.shown, content: { ...note.shown.content, roundNumber: 77 } };
    return replaced(history.notes, note, { ...note, shown });
  },
  'an update with another cause': (history) => {
    const note = history.pick(steps(history).filter(({ cause }) => cause.type !== 'finished'));
    if (!note) return null;
    return replaced(history.notes, note, { ...note, cause: { type: 'finished', playerGuid: null } });
  },
} satisfies Record<string, Mutation>;
