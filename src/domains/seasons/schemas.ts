import { z } from 'zod';
import { givenInstant, guid, isoInstant, keyInstant, page } from '../../platform/http/schemas.ts';
import { line } from '../../platform/http/text.ts';

export const season = z
  .object({
    seasonGuid: guid,
    name: z.string(),
    startsAt: isoInstant,
    endsAt: isoInstant.describe('Not part of the season any more: another may start at this instant'),
  })
  .meta({ id: 'Season' });
export type Season = z.output<typeof season>;

export const seasonPage = page('SeasonList', season);
/** Keyset of the list: the start of the last season of a page. */
export const seasonKey = z.tuple([keyInstant]);
export const seasonParams = z.strictObject({ seasonGuid: guid });

const fields = { name: line(100), startsAt: givenInstant, endsAt: givenInstant };

export const newSeason = z
  .strictObject(fields)
  .refine(({ startsAt, endsAt }) => Date.parse(endsAt) > Date.parse(startsAt), {
    path: ['endsAt'],
    message: 'must be after startsAt',
  })
  .meta({ id: 'NewSeason' });
export type NewSeason = z.output<typeof newSeason>;

export const seasonChange = z.strictObject(fields).partial().meta({ id: 'SeasonChange' });
export type SeasonChange = z.output<typeof seasonChange>;
