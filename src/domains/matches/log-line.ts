import type { MatchEvent } from './log-schemas.ts';
import { phaseLimit } from './presence.ts';
import type { MatchState } from './state.ts';

/** Checks the form and the time of a line of a log. The rules of the match check everything else. */

type Members = { readonly [T in MatchEvent['type']]: readonly Exclude<MembersOf<T>, 'type'>[] };
type MembersOf<T extends MatchEvent['type']> = keyof Extract<MatchEvent, { type: T }>;

/** The members of each event beside its type, as `log-schemas.ts` has them, which no browser loads. */
export const EVENT_MEMBERS: Members = {
  created: ['setup'],
  joinMatch: ['seat'],
  discardMaps: ['seat', 'cardGuids'],
  selectMap: ['seat', 'cardGuid'],
  setReady: ['seat', 'roundNumber', 'state'],
  submitScore: ['seat', 'roundNumber', 'score'],
  forfeit: ['seat'],
  connected: ['seat'],
  disconnected: ['seat'],
  nodeLost: ['seat'],
  putOff: ['seat'],
  banned: ['seat'],
  limitPassed: ['version'],
  phaseOver: [],
  serviceResumed: ['outage', 'downMs', 'until'],
  abortedByStaff: [],
  decidedByStaff: ['outcome', 'winner'],
  undoneByStaff: [],
};
const LINE_MEMBERS = ['version', 'at', 'event'];

/** The commands that a limit ends. A player may forfeit as long as the match runs. */
const LIMITED: readonly MatchEvent['type'][] = [
  'joinMatch',
  'discardMaps',
  'selectMap',
  'setReady',
  'submitScore',
];

/**
 * The nodes follow the clock of the database. It goes back when it is set, or when another server takes over whose clock is
 * behind: by minutes at most.
 */
const CLOCK_BACK_MS = 600_000;

/**
 * A log has the time of a decision. A command that arrived before the limit is decided up to so much after it: the node
 * stood still (5 s, longer is an outage), and the command waited for a connection (8 s), a lock (4 s) and a silent
 * database (10 s), perhaps again after another writer.
 */
const LATEST_DECISION_MS = 60_000;

/** The value is not a valid line of a log. */
export class WrongLine extends Error {}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function requireMembers(value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new WrongLine(`It has the unknown member ${unknown.slice(0, 40)}.`);
}

/** The type of the event in a line, whatever the line is. */
export function typeIn(line: unknown): string {
  const event = isObject(line) ? line.event : null;
  return isObject(event) && typeof event.type === 'string' ? event.type.slice(0, 40) : 'no event';
}

/** @throws WrongLine for what is no line of a log */
export function requireLine(line: unknown): void {
  const type = typeIn(line);
  if (!isObject(line) || !isObject(line.event)) throw new WrongLine('It is no line of a log.');
  if (!Object.hasOwn(EVENT_MEMBERS, type)) throw new WrongLine('There is no event of this type.');
  requireMembers(line, LINE_MEMBERS);
  requireMembers(line.event, ['type', ...EVENT_MEMBERS[type as MatchEvent['type']]]);
  if (typeof line.at !== 'string' || Number.isNaN(Date.parse(line.at)))
    throw new WrongLine('It does not say its time.');
}

/**
 * @param before the line before and the state it led to
 * @throws WrongLine for a line that was not decided at this time
 */
export function requireTime(
  before: { at: number; state: MatchState },
  { type }: Pick<MatchEvent, 'type'>,
  at: number,
): void {
  if (at < before.at - CLOCK_BACK_MS) throw new WrongLine('It is earlier than the line before it.');
  if (!LIMITED.includes(type)) return;
  const limit = phaseLimit(before.state);
  if (limit !== null && at > limit + LATEST_DECISION_MS)
    throw new WrongLine('It came after the time for it had passed.');
}
