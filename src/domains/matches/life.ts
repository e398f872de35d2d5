import { ENDED, RUNNING } from './state.ts';

/**
 * The life of a match, for readers of the reference: the ways from phase to phase, the events that lead there, and the
 * limits. `test/exploration` compares ways, events and limits with what happens in every state of small matches.
 */
export const LIFE = {
  phases: RUNNING,
  ends: ENDED,
  limits: {
    waiting_players: 'JOIN_SECONDS',
    awaiting_discards: 'DISCARD_SECONDS',
    awaiting_pick: 'PICK_SECONDS',
    preparing: 'PREPARE_SECONDS',
    playing: 'the map + SCORE_GRACE_SECONDS',
    round_results: 'ROUND_RESULTS_SECONDS',
  },
  ways: [
    { from: 'waiting_players', to: 'awaiting_discards', when: 'both have joined', by: ['phaseOver'] },
    {
      from: 'awaiting_discards',
      to: 'awaiting_pick',
      when: 'both have discarded',
      by: ['limitPassed', 'phaseOver'],
    },
    {
      from: 'awaiting_pick',
      to: 'preparing',
      when: 'a card is selected',
      by: ['limitPassed', 'selectMap'],
    },
    { from: 'preparing', to: 'playing', when: 'both are ready', by: ['limitPassed'] },
    {
      from: 'preparing',
      to: 'round_results',
      when: 'somebody is not ready',
      by: ['limitPassed', 'phaseOver'],
    },
    { from: 'playing', to: 'round_results', when: 'both scores are in', by: ['limitPassed', 'phaseOver'] },
    { from: 'round_results', to: 'awaiting_pick', when: 'next round', by: ['limitPassed'] },
    {
      from: 'round_results',
      to: 'completed',
      when: 'no health or no cards left',
      by: ['banned', 'forfeit', 'limitPassed'],
    },
  ],
  /** The other reasons for the end, each possible in some phase. */
  anywhere: 'not joined, forfeit, absence, not ready, ban, void rounds, staff',
  /** The events that end it in some phase, beside decisions of staff, which are possible in all. */
  endedBy: ['banned', 'connected', 'forfeit', 'limitPassed'],
} as const;
