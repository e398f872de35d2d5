import type { LogLine, TransitionEvent } from '../../src/domains/matches/match-events.ts';
import type { PlayedStep } from '../../src/domains/matches/play.ts';
import { type MatchState, SEATS } from '../../src/domains/matches/state.ts';
import { reasonOf } from '../../src/platform/reason.ts';
import type { Search, Violation } from './search.ts';
import { SECOND } from './settings.ts';

/** Tells a match that should not be: what happened when, and where it stood then. */

const seconds = (ms: number): string => `${(ms / SECOND).toFixed(3).replace(/\.?0+$/, '')} s`;

/** A card as readers know it: its map, and its place in the hand of its player. */
function cardName({ seats, current, rounds }: MatchState, cardGuid: string): string {
  for (const seat of SEATS) {
    const place = seats[seat].hand.findIndex((card) => card.cardGuid === cardGuid);
    if (place >= 0) return `${seats[seat].hand[place]?.map.name} (${seat}'s card ${place + 1})`;
  }
  const given = [...(seats.red.discarded ?? []), ...(seats.blue.discarded ?? [])];
  const played = [current, ...rounds].flatMap((round) => (round === null ? [] : [round.card]));
  return [...given, ...played].find((card) => card.cardGuid === cardGuid)?.map.name ?? 'an unknown card';
}

function told(event: TransitionEvent, before: MatchState): string {
  const { type, ...about } = event;
  const parts = Object.entries(about).map(([name, value]) => {
    if (name === 'seat') return `${value}`;
    if (name === 'score') return `${(value as { rawScore: number }).rawScore} points`;
    if (name === 'cardGuids')
      return (value as string[]).map((guid) => cardName(before, guid)).join(', ') || 'no card';
    if (name === 'cardGuid') return cardName(before, value as string);
    return `${name} ${value}`;
  });
  return [type, ...parts].join(' ');
}

function standing(
  { version, status, seats, deadlineAt, startsAt, result, roundNumber }: MatchState,
  now: number,
): string {
  const seat = ({ presence, ready, health }: MatchState['seats']['red']) =>
    [
      presence.kind,
      presence.kind === 'away' ? `for ${seconds(presence.deadlineAt - now)} more` : '',
      ready ?? '',
      health,
    ]
      .filter((part) => part !== '')
      .join(' ');
  const limit = deadlineAt === null ? '' : `, limit in ${seconds(deadlineAt - now)}`;
  const starts = startsAt === null ? '' : `, starts in ${seconds(startsAt - now)}`;
  const end =
    result === null ? '' : `, ${result.outcome} by ${result.reason} for ${result.winner ?? 'nobody'}`;
  return `version ${version}, ${status} ${roundNumber}${limit}${starts}${end}; red ${seat(seats.red)}; blue ${seat(seats.blue)}`;
}

/**
 * A counterexample from the deal: lines to read, then a log to play again in a test. The last event is there also when it
 * changes nothing.
 */
export function storyOf(search: Search, { invariant, problem, way }: Violation): string {
  const walk = search.walk({ ...way, choices: [] });
  const [created, ...prefix] = walk.log;
  if (created?.event.type !== 'created') throw new Error('A log begins with what the match was made from.');
  const began = created.at;
  let state = search.machine.createMatch(created.event.setup, began);
  const lines = [`${invariant}: ${problem}`, `setting ${search.setting.name}, beginning ${way.beginning}`];
  const tell = (at: number, what: string, now: MatchState): void => {
    lines.push(`  ${seconds(at - began).padStart(8)}  ${what.padEnd(40)} ${standing(now, at)}`);
    state = now;
  };
  let unchanged: LogLine[] = [];
  tell(began, 'created', state);
  for (const { event, at } of prefix) {
    const outcome = event.type === 'created' ? null : search.machine.transition(state, event, at);
    if (event.type !== 'created' && outcome?.kind === 'changed') tell(at, told(event, state), outcome.state);
  }
  if (prefix.length > 0) lines.push('  The exploration begins.');
  for (const choice of way.choices) {
    const next = search.eventsOf(walk)[choice];
    if (next === undefined) break;
    walk.now = next.at;
    if (next.event === null) continue;
    let answer = ' (changes nothing)';
    let steps: readonly PlayedStep[] = [];
    try {
      steps = walk.happens(next.event);
    } catch (error) {
      answer = ` (${reasonOf(error)})`;
    }
    for (const step of steps) tell(next.at, told(step.event, state), step.state);
    if (steps.length === 0) tell(next.at, `${told(next.event, state)}${answer}`, state);
    unchanged = steps.length === 0 ? [{ event: next.event, at: next.at }] : [];
  }
  return [
    ...lines,
    'As a golden test: the log, each time in milliseconds after the deal.',
    ...[...walk.log, ...unchanged].map(({ event, at }) => `  [${at - began}, ${JSON.stringify(event)}],`),
  ].join('\n');
}
