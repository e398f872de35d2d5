import { z } from 'zod';
import { guid, keyInteger, keyText, page } from '../../platform/http/schemas.ts';
import { line } from '../../platform/http/text.ts';
import { POSITION_BOUNDS } from './rules.ts';

export const mapCategory = z
  .object({
    categoryGuid: guid,
    name: z.string(),
    color: z.string().nullable().describe('`#RRGGBB`'),
    position: z.int().describe('Categories are shown in this order, then by name'),
  })
  .meta({ id: 'MapCategory' });
export type MapCategory = z.output<typeof mapCategory>;

export const categoryPage = page('MapCategoryList', mapCategory);
/** Keyset of the list: position and name of the last category of a page. */
export const categoryKey = z.tuple([keyInteger, keyText]);
export const deletedCategory = z.null().describe('Deleted');
export const categoryParams = z.strictObject({ categoryGuid: guid });

const fields = {
  name: line(50).meta({ examples: ['tech'] }),
  color: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/, 'must be #RRGGBB')
    .toUpperCase()
    .nullable(),
  position: z.int().min(POSITION_BOUNDS.least).max(POSITION_BOUNDS.most),
};

export const newCategory = z
  .strictObject({
    name: fields.name,
    color: fields.color.default(null),
    position: fields.position.optional().describe('Left out: after the last'),
  })
  .meta({ id: 'NewMapCategory' });
export type NewCategory = z.output<typeof newCategory>;

export const categoryChange = z.strictObject(fields).partial().meta({ id: 'MapCategoryChange' });
export type CategoryChange = z.output<typeof categoryChange>;
