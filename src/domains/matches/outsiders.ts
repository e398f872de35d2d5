import type { Db } from '../../platform/database/database.ts';
import { mayBeAmong } from '../players/index.ts';
import { matchErrors } from './errors.ts';
import { type MatchState, playersOf } from './state.ts';

/** @throws OWN_MATCH when a person plays in a match, or may be an erased player of it */
export async function requireOutsider(db: Db, personGuid: string, match: MatchState): Promise<void> {
  if (await mayBeAmong(db, personGuid, playersOf(match))) throw matchErrors.OWN_MATCH();
}
