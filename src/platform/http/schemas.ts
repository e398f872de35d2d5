import { z } from 'zod';
import { invalidField } from '../errors.ts';

/** Building blocks for the schemas of all domains. */

/** In lower case, because guids are compared as text. */
export const guid = z
  .guid()
  .toLowerCase()
  .describe('UUID')
  .meta({ examples: ['01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11'] });
/**
 * An instant with any offset, in a year of four digits. A text that is no time has only this problem: checks that compare
 * times are skipped.
 */
export const givenInstant = z.iso
  .datetime({ offset: true, abort: true })
  .refine((value) => {
    const year = new Date(value).getUTCFullYear();
    return year >= 1970 && year <= 9999;
  }, 'must lie in the years 1970 to 9999')
  .describe('ISO 8601');
export const isoInstant = z
  .string()
  .describe('ISO 8601, UTC, milliseconds')
  .meta({ format: 'date-time', examples: ['2026-03-01T12:00:00.000Z'] });

/** A whole number in an address: digits only, while JavaScript also reads `0x5`, `1e1` and a space as numbers. */
export const wholeNumber = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text),
    z.int(message).min(least, message).max(most, message),
  );
};

/** Query of a list: `limit` 1–100 (default 50) and the `cursor` of the page before. */
export const pageQuery = z.strictObject({
  limit: wholeNumber(1, 100).default(50).describe('The most items of the page'),
  cursor: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('`nextCursor` of the page before; left out: the first page'),
});
export type PageQuery = z.output<typeof pageQuery>;

/** The cursor of the next page of a list. */
export const nextCursor = z
  .string()
  .nullable()
  .describe('`cursor` of the next page; null: this is the last one');

/** A page of a list. @param id name of the shape in the documents, such as `PoolList` */
export const page = <S extends z.ZodType>(id: string, item: S) =>
  z.object({ items: z.array(item), nextCursor }).meta({ id });

/** The code of a refusal. The documents list the codes of the catalogue. */
export const errorCode = z
  .string()
  .describe('UPPER_SNAKE, stable. New ones may come: a client treats an unknown one by its status')
  .meta({ id: 'ErrorCode' });

const refusalDetails = z
  .object({
    fields: z
      .array(
        z
          .object({ path: z.string().describe('Names joined by dots'), message: z.string() })
          .meta({ id: 'FieldProblem' }),
      )
      .describe('The values that do not have the expected form'),
    rows: z
      .array(
        z
          .object({ index: z.int().describe('From 0'), code: errorCode, message: z.string() })
          .meta({ id: 'RowProblem' }),
      )
      .describe('One problem for each wrong row of a batch or a file'),
    changes: z
      .array(z.object({ mapGuid: guid, code: errorCode, message: z.string() }).meta({ id: 'ChangeProblem' }))
      .describe('One problem for each wrong change or removal of a batch'),
    required: z.int().describe('How many are needed'),
    actual: z.int().describe('How many there are'),
    byteOffset: z.int().describe('Where a file stops being readable'),
    status: z.string().describe('The phase that refuses'),
  })
  .partial()
  .meta({ id: 'RefusalDetails' });

/** The body of every refusal. */
export const errorBody = z
  .object({
    error: z
      .object({
        code: errorCode,
        message: z.string().describe('Safe to show'),
        details: refusalDetails.optional(),
        requestId: guid.optional().describe('Only with INTERNAL_ERROR: what to quote to the staff'),
      })
      .meta({ id: 'HttpError' }),
  })
  .meta({ id: 'Refusal' });

/**
 * The parts of sort keys. A forged cursor must not reach the database with values that its columns cannot hold.
 */
export const keyText = z.string().regex(/^[^\0]*$/);
export const keyInteger = z.int32();
export const keyInstant = z.iso.datetime().refine((value) => new Date(value).getUTCFullYear() >= 1);

/** @throws VALIDATION_FAILED when it is no cursor of this list */
function decodeCursor<Schema extends z.ZodType>(cursor: string, key: Schema): z.output<Schema> {
  try {
    return key.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (cause) {
    throw invalidField('cursor', 'is not a cursor of this list', cause);
  }
}

/**
 * Reads one page of a list by keyset pagination: the cursor is the sort key of the last item of the page before.
 * @param key shape of the sort key
 * @param read the first `limit` items after a sort key; without one, of the whole list
 * @throws VALIDATION_FAILED for a cursor of another list
 */
export async function readPage<Key extends [] | (string | number)[], Item>(
  { limit, cursor }: PageQuery,
  key: z.ZodType<Key>,
  read: (after: Key | undefined, limit: number) => Promise<readonly Item[]>,
  keyOf: (item: Item) => Key,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, key);
  // One item more tells whether another page follows.
  const found = await read(after, limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (found.length === items.length || last === undefined) return { items, nextCursor: null };
  return { items, nextCursor: Buffer.from(JSON.stringify(keyOf(last))).toString('base64url') };
}
