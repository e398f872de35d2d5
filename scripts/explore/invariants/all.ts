import { onlyWhoMay, ordersAgree, repeatsChangeNothing, staffMayDecide } from './answers.ts';
import { innocentKeepsAll, leavingGainsNothing, neitherReady, penaltiesFit, playDecides } from './endings.ts';
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
import { changesAreOwn } from './reach.ts';
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
  changesAreOwn,
  isWellFormed,
  phasesFollow,
  innocentKeepsAll,
  leavingGainsNothing,
  penaltiesFit,
  neitherReady,
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

/** Promises that the search itself checks: while it walks, at each end of a match, and once everything is walked. */
export const GLOBAL = [
  {
    name: 'nothing crashes',
    says: 'In every state the rules accept or refuse each event, and never fail in another way.',
  },
  {
    name: 'a refusal changes nothing',
    says: 'A state stays as it is while events are decided in it, whatever the answers are.',
  },
  {
    name: 'every match ends',
    says: 'From every state the limits alone lead to an end, within a time that is bounded; no state comes back after time has passed.',
  },
  {
    name: 'the log replays',
    says: 'At every end the log leads to the same state again, which is the state that the exploration knows.',
  },
] as const;
