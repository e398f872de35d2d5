import { z } from 'zod';

/**
 * Texts that people type. A NUL character and half of a surrogate pair cannot be stored, and other control characters are
 * only useful for attacks. Texts are stored composed (NFC), so that names that look the same are the same.
 */

const trimmed = (max: number) => z.string().normalize('NFC').trim().max(max);
const oneLine = (max: number) =>
  trimmed(max).regex(
    /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u,
    'must be one line without control characters or broken ones',
  );

/** One line, trimmed: a name. */
export const line = (max: number) => oneLine(max).min(1);

/** One line that may be left out: nothing, null and only spaces are null. */
export const optionalLine = (max: number) =>
  oneLine(max)
    .nullish()
    .transform((text) => text || null);

/** One line that a list is filtered by: only spaces count as not given. */
export const filterText = (max: number) =>
  z
    .preprocess(
      (text) => (text === undefined || /^\s*$/.test(String(text)) ? undefined : text),
      line(max).optional(),
    )
    .optional();

/** A remark of several lines, trimmed. */
export const remark = (max: number) =>
  trimmed(max)
    .min(1)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, 'must hold no control characters or broken ones');
