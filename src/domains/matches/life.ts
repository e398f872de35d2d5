import { ENDED, RUNNING } from './state.ts';

/** The ways a match usually goes from phase to phase, for readers of the reference. A test compares it with the machine. */
export const LIFE = {
  phases: RUNNING,
  ends: ENDED,
  ways: [
    { from: 'waiting_players', to: 'awaiting_discards', when: 'both have joined' },
    { from: 'awaiting_discards', to: 'awaiting_pick', when: 'both have discarded' },
    { from: 'awaiting_pick', to: 'preparing', when: 'a card is selected' },
    { from: 'preparing', to: 'playing', when: 'both are ready' },
    { from: 'preparing', to: 'round_results', when: 'somebody is not ready' },
    { from: 'playing', to: 'round_results', when: 'both scores are in' },
    { from: 'round_results', to: 'awaiting_pick', when: 'next round' },
    { from: 'round_results', to: 'completed', when: 'no health or no cards left' },
  ],
  /** What ends it in every phase, beside the ways above. */
  anywhere: 'not joined, forfeit, absence, not ready, ban, void rounds, staff',
} as const;
