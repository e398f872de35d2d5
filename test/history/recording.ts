import type { MatchView } from '../../src/domains/matches/schemas.ts';
import { type Shown, shownOf } from './shown.ts';

/**
 * The promises to clients and what they saw: a flat list of notes in the order in which one process took them, so
 * that what came before what is never in doubt, whatever the clocks of the nodes say.
 */
export type Note =
  /** The handshake of a connection was accepted. */
  | { kind: 'opened'; at: number; connection: number; player: string; url: string }
  | { kind: 'asked'; at: number; connection: number; question: number; event: string; payload: Payload }
  | { kind: 'answered'; at: number; question: number; answer: Answer }
  /** A `matchUpdated` arrived. */
  | { kind: 'told'; at: number; connection: number; shown: Shown; cause: ToldCause }
  /** `left`: the client hung up after it had waited for everything that was still to be told. */
  | { kind: 'closed'; at: number; connection: number; how: 'lost' | 'left' };

export type Payload = Readonly<Record<string, any>>;
export interface ToldCause {
  type: string;
  playerGuid: string | null;
}

export type Answer =
  | { ok: false; code: string }
  /** The answer of a command or `getMatchState`; null where the answer has no match. */
  | { ok: true; shown: Shown | null }
  /** The answer of `hello`. */
  | { ok: true; playerGuid: string; running: Shown | null; lastMatchGuid: string | null };

/** The side of one connection that takes notes. */
export interface ConnectionNotes {
  /** @returns takes the acknowledgement, if one comes */
  asked(event: string, payload: Payload): (envelope: any) => void;
  told(update: { match: MatchView; cause: ToldCause }): void;
  /** A second word on the same end is ignored. */
  closed(how: 'lost' | 'left'): void;
}

export interface Recording {
  readonly notes: readonly Note[];
  /** @param player any name that is one player's own; the guid is learned from what the service shows */
  opened(player: string, url: string): ConnectionNotes;
}

/**
 * @param now milliseconds of a steady clock
 * @param take is handed each note; left out: they are kept in `notes`
 */
export function startRecording(
  now: () => number = () => performance.now(),
  take?: (note: Note) => void,
): Recording {
  const notes: Note[] = [];
  const note = take ?? ((one: Note) => void notes.push(one));
  let connections = 0;
  let questions = 0;
  return {
    notes,
    opened: (player, url) => {
      const connection = connections++;
      let isClosed = false;
      note({ kind: 'opened', at: now(), connection, player, url });
      return {
        asked: (event, payload) => {
          const question = questions++;
          note({ kind: 'asked', at: now(), connection, question, event, payload });
          return (envelope) => {
            const answer = answerOf(event, envelope);
            note({ kind: 'answered', at: now(), question, answer });
          };
        },
        told: ({ match, cause }) => {
          note({ kind: 'told', at: now(), connection, shown: shownOf(match), cause });
        },
        closed: (how) => {
          if (isClosed) return;
          isClosed = true;
          note({ kind: 'closed', at: now(), connection, how });
        },
      };
    },
  };
}

function answerOf(event: string, envelope: any): Answer {
  if (!envelope.ok) return { ok: false, code: envelope.error.code };
  const { player, match, lastMatch } = envelope.data;
  const shown = match ? shownOf(match) : null;
  if (event !== 'hello') return { ok: true, shown };
  const lastMatchGuid = lastMatch?.matchGuid ?? null;
  return { ok: true, playerGuid: player.playerGuid, running: shown, lastMatchGuid };
}
