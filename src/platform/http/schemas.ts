import { z } from 'zod';
import { invalidField } from '../errors.ts';

/** Building blocks that every domain's schemas share. */

/** Compared as text in places: one spelling of each. */
export const guid = z
  .guid()
  .toLowerCase()
  .describe('UUID')
  .meta({ examples: ['01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11'] });
/**
 * An instant as people write it, with any offset, in a year of four digits: later ones are written otherwise.
 * A text that is no time is refused as that alone: nothing that compares times is asked about it.
 */
export const givenInstant = z.iso
  .datetime({ offset: true, abort: true })
  .refine((value) => {
    const year = new Date(value).getUTCFullYear();
    return year >= 1970 && year <= 9999;
  }, 'must lie in the years 1970 to 9999')
  .describe('ISO 8601');
export const isoInstant = z.string().describe('ISO 8601, UTC, milliseconds');

/** A whole number in an address: digits, where JavaScript would take `0x5`, `1e1` and a space for numbers too. */
export const wholeNumber = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text),
    z.int(message).min(least, message).max(most, message),
  );
};

/** Query of a list: `limit` 1–100 (default 50) and the `cursor` of the page before. */
export const pageQuery = z.strictObject({
  limit: wholeNumber(1, 100).default(50),
  cursor: z.string().min(1).max(500).optional(),
});
export type PageQuery = z.output<typeof pageQuery>;

/** A page of a list: `nextCursor` is null on the last one. */
export const page = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** The body of every refusal. */
export const errorBody = z
  .object({
    error: z.object({
      code: z.string().describe('UPPER_SNAKE, stable'),
      message: z.string().describe('Safe to show'),
      details: z
        .object({
          fields: z.array(z.object({ path: z.string(), message: z.string() })),
          rows: z.array(z.object({ index: z.int(), code: z.string(), message: z.string() })),
          required: z.int(),
          actual: z.int(),
          byteOffset: z.int(),
          status: z.string(),
        })
        .partial()
        .optional(),
      requestId: z.string().optional().describe('Only with INTERNAL_ERROR: what to quote to the staff'),
    }),
  })
  .meta({ id: 'Error' });

/**
 * What sort keys consist of. Whoever makes up a cursor must not reach the database with what its columns
 * cannot hold.
 */
export const keyText = z.string().regex(/^[^\0]*$/);
export const keyInteger = z.int32();
export const keyInstant = z.iso.datetime().refine((value) => new Date(value).getUTCFullYear() >= 1);

/** An opaque cursor: the sort key of the last item of a page. */
export const encodeCursor = (key: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url');

/**
 * Reads a cursor back.
 * @throws VALIDATION_FAILED when it is not one of ours.
 */
export function decodeCursor<S extends z.ZodType>(cursor: string, key: S): z.output<S> {
  try {
    return key.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (cause) {
    throw invalidField('cursor', 'is not a cursor of this list', cause);
  }
}

/** Cuts one row too many into a page: ask the database for `limit + 1`. */
export function toPage<T>(rows: T[], limit: number, keyOf: (row: T) => readonly (string | number)[]) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null };
}
