import { isDeepStrictEqual } from 'node:util';
import { type Clock, newGuid } from '../../platform/clock.ts';
import { type Database, inTransaction, isCollision } from '../../platform/database/database.ts';
import { existing, invalidField } from '../../platform/errors.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import { requireCurrent, type WriteRequest } from '../../platform/http/staff.ts';
import { auditorOf } from '../audit/index.ts';
import { seasonErrors } from './errors.ts';
import { type NewSeason, type Season, type SeasonChange, seasonKey } from './schemas.ts';
import * as store from './store.ts';

export interface SeasonsOptions {
  database: Database;
  clock: Clock;
}

/** The exclusion constraint decides whether the time is free: of two requests at once one is refused. */
function refuseOverlap(error: unknown): never {
  throw isCollision(error) ? seasonErrors.SEASON_OVERLAP({ cause: error }) : error;
}

export type Seasons = ReturnType<typeof createService>;

/** Seasons as staff create and change them. No two overlap: a constraint of the database refuses it. */
export function createService({ database, clock }: SeasonsOptions) {
  const audit = auditorOf<Season>(clock, ({ seasonGuid }) => `/seasons/${seasonGuid}`);

  return {
    /** A page of all seasons, the latest first. @throws VALIDATION_FAILED for a foreign cursor */
    list: (query: PageQuery) =>
      readPage(
        query,
        seasonKey,
        (after, limit) => store.findSeasons(database.prisma, after?.[0], limit),
        ({ startsAt }) => [startsAt],
      ),

    /** @throws SEASON_NOT_FOUND */
    get: async (seasonGuid: string) =>
      existing(await store.findSeason(database.prisma, seasonGuid), seasonErrors.SEASON_NOT_FOUND),

    /** @throws SEASON_OVERLAP */
    create: async (write: WriteRequest, input: NewSeason) =>
      inTransaction(database, ['Season'], async (db) => {
        const created = await store.insertSeason(db, { ...input, seasonGuid: newGuid() });
        await audit(db, write, 'createSeason', null, created);
        return created;
      }).catch(refuseOverlap),

    /** @throws SEASON_NOT_FOUND, STALE, SEASON_OVERLAP, VALIDATION_FAILED when it would end before it starts */
    update: async (write: WriteRequest, seasonGuid: string, input: SeasonChange) =>
      inTransaction(database, ['Season'], async (db) => {
        const before = existing(await store.lockSeason(db, seasonGuid), seasonErrors.SEASON_NOT_FOUND);
        requireCurrent(write, before);
        const wanted = { ...before, ...input };
        if (Date.parse(wanted.endsAt) <= Date.parse(wanted.startsAt))
          throw invalidField('endsAt', 'must be after startsAt');
        const after = await store.updateSeason(db, wanted);
        if (isDeepStrictEqual(after, before)) return before;
        await audit(db, write, 'changeSeason', before, after);
        return after;
      }).catch(refuseOverlap),
  };
}
