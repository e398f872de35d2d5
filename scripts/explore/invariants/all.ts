import { onlyWhoMay, ordersAgree, repeatsChangeNothing, staffMayDecide } from './answers.ts';
import { innocentKeepsAll, leavingGainsNothing, pauseEnds, penaltiesFit, playDecides } from './endings.ts';
import {
  cardsAddUp,
  countdownIsFair,
  healthAddsUp,
  isWellFormed,
  phasesFollow,
  pickersTakeTurns,
  roundsAddUp,
} from './game.ts';
import type { Invariant } from './kinds.ts';
import { secretsAreKept } from './secrets.ts';
import {
  budgetAddsUp,
  deadlinesStand,
  endsStay,
  graceIsKept,
  outageCostsNothing,
  returnDecides,
  versionGrows,
  wayOut,
} from './time.ts';

/** Everything that holds in every state, on every change and of every answer. */
export const INVARIANTS: readonly Invariant[] = [
  wayOut,
  versionGrows,
  isWellFormed,
  phasesFollow,
  innocentKeepsAll,
  leavingGainsNothing,
  penaltiesFit,
  pauseEnds,
  playDecides,
  healthAddsUp,
  roundsAddUp,
  cardsAddUp,
  pickersTakeTurns,
  countdownIsFair,
  deadlinesStand,
  graceIsKept,
  budgetAddsUp,
  outageCostsNothing,
  returnDecides,
  endsStay,
  onlyWhoMay,
  staffMayDecide,
  repeatsChangeNothing,
  ordersAgree,
  secretsAreKept,
];

/** Checked once an exploration is closed, or besides. */
export const GLOBAL = [
  {
    name: 'nothing crashes',
    says: 'No event in any state makes the rules fail in another way than by a refusal.',
  },
  {
    name: 'a refusal changes nothing',
    says: 'A state stays as it is while events are decided in it, whatever the answers are.',
  },
  {
    name: 'left alone it ends',
    says: 'From every state the limits alone lead to an end, within a time that is bounded; and no way leads through time back to where it was.',
  },
  {
    name: 'the log replays',
    says: 'At every end the log leads to the same state again, and the match is the one that the exploration knows.',
  },
] as const;
