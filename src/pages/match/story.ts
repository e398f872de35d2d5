import type { PublicMatch } from '../../domains/matches/index.ts';
import type { ProvenStep } from '../../domains/matches/proof.ts';
import type { MatchState, SeatName } from '../../domains/matches/state.ts';
import { nameIn, resultText, roundText } from '../parts/match-text.ts';
import { plain } from '../parts/text.ts';
import { strings } from '../strings.ts';

/** The events of a match, in words. */

const texts = strings.match;

/** One line of the story. */
export interface StoryLine {
  version: number;
  /** Since the match was made, milliseconds. */
  afterMs: number;
  text: string;
}

/** A change of the phase in words, for any event that caused it; null: it needs none. */
function phaseText({ cause, state }: ProvenStep, match: PublicMatch): string | null {
  const name = (seat: SeatName | null) => nameIn(match, seat === null ? null : state.seats[seat].playerGuid);
  switch (cause.type) {
    case 'pickStarted':
      return texts.story.pickStarted(state.roundNumber, name(state.pickerSeat));
    case 'mapSelected':
      return texts.story.picked(name(state.pickerSeat), plain(state.current?.card.map.name ?? ''));
    case 'mapStarted':
      return texts.story.mapStarted;
    case 'roundFinished':
      return lastRoundText(state, match);
    case 'finished':
      return resultText({ players: match.players, result: resultOf(state) });
    default:
      return null;
  }
}

function lastRoundText({ rounds, seats }: MatchState, match: PublicMatch): string | null {
  const round = rounds.at(-1);
  if (round === undefined) return null;
  const winnerGuid = round.winner && seats[round.winner].playerGuid;
  return texts.story.roundFinished(round.roundNumber, roundText({ ...round, winnerGuid }, match));
}

const resultOf = ({ result, seats }: MatchState): PublicMatch['result'] =>
  result && {
    outcome: result.outcome,
    reason: result.reason,
    winnerGuid: result.winner && seats[result.winner].playerGuid,
    ratings: [],
  };

/** An event in words, without the change of the phase. */
function eventText({ event, state }: ProvenStep, match: PublicMatch): string {
  const name = 'seat' in event ? nameIn(match, state.seats[event.seat].playerGuid) : '';
  switch (event.type) {
    case 'discardMaps':
      return texts.story.discardMaps(name, event.cardGuids.length);
    case 'setReady':
      return texts.story.setReady[event.state](name);
    case 'submitScore':
      return texts.story.submitScore(name, event.score.rawScore);
    case 'serviceResumed':
      return texts.story.serviceResumed(Math.round(event.downMs / 1000));
    default:
      return texts.story[event.type](name);
  }
}

/** Events that need no words of their own where the change of the phase is told. */
const TOLD_BY_PHASE: readonly ProvenStep['event']['type'][] = ['limitPassed', 'phaseOver', 'selectMap'];

/** An event and the change of the phase in words. */
function stepText(step: ProvenStep, match: PublicMatch): string {
  const phase = phaseText(step, match);
  if (phase === null) return eventText(step, match);
  return TOLD_BY_PHASE.includes(step.event.type) ? phase : `${eventText(step, match)} ${phase}`;
}

/** The story of an ended match, a line for each version. */
export const storyOf = (steps: readonly ProvenStep[], match: PublicMatch): StoryLine[] =>
  steps.map((step) => ({
    version: step.version,
    afterMs: step.at - (steps[0]?.at ?? step.at),
    text: stepText(step, match),
  }));
