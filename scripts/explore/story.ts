import type { MatchEvent } from '../../src/domains/matches/match-events.ts';
import type { MatchState } from '../../src/domains/matches/state.ts';
import type { Search, Violation } from './search.ts';
import { SECOND } from './settings.ts';

/** Tells a match that should not be: what happened when, and where it stood then. */

const seconds = (ms: number): string => `${(ms / SECOND).toFixed(3).replace(/\.?0+$/, '')} s`;

function told(event: MatchEvent): string {
  const { type, ...about } = event;
  const parts = Object.entries(about).map(([name, value]) => {
    if (name === 'seat') return `${value}`;
    if (name === 'score') return `${(value as { rawScore: number }).rawScore} points`;
    if (name === 'cardGuids') return `${(value as string[]).length} cards`;
    if (name === 'cardGuid') return 'a card';
    return `${name} ${value}`;
  });
  return [type, ...parts].join(' ');
}

function standing(
  { status, seats, deadlineAt, startsAt, result, roundNumber }: MatchState,
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
  return `${status} ${roundNumber}${limit}${starts}${end}; red ${seat(seats.red)}; blue ${seat(seats.blue)}`;
}

/** A counterexample as lines to read, then as events to play again in a test. */
export function storyOf(search: Search, { invariant, problem, way }: Violation): string {
  const walk = search.walk({ ...way, choices: [] });
  const lines = [`${invariant}: ${problem}`, `setting ${search.setting.name}, beginning ${way.beginning}`];
  const began = walk.now;
  const events: string[] = [];
  lines.push(`  ${seconds(0).padStart(8)}  ${''.padEnd(40)}${standing(walk.state, walk.now)}`);
  for (const choice of way.choices) {
    const next = search.eventsOf(walk)[choice];
    if (next === undefined) break;
    walk.now = next.at;
    if (next.event === null) continue;
    events.push(`  [${walk.now - began}, ${JSON.stringify(next.event)}],`);
    let answer = '';
    try {
      walk.happens(next.event);
    } catch (error) {
      answer = ` (${error instanceof Error ? error.message : error})`;
    }
    const when = seconds(walk.now - began).padStart(8);
    lines.push(`  ${when}  ${`${told(next.event)}${answer}`.padEnd(40)}${standing(walk.state, walk.now)}`);
  }
  return [...lines, 'As a golden test, milliseconds after the beginning and the event:', ...events].join(
    '\n',
  );
}
