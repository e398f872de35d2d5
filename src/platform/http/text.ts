import { z } from 'zod';

/**
 * What people type. A NUL character and half of a surrogate pair cannot be stored as they are, and other control
 * characters only serve mischief. Stored composed (NFC): what looks the same is the same name.
 */

/** One line, trimmed: a name. */
export const line = (max: number) =>
  z
    .string()
    .normalize('NFC')
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line without control characters or broken ones');

/** One line that a list is filtered by: nothing but spaces counts as not given. */
export const filterText = (max: number) =>
  z
    .preprocess(
      (text) => (text === undefined || /^\s*$/.test(String(text)) ? undefined : text),
      line(max).optional(),
    )
    .optional();

/** A remark of several lines, trimmed. */
export const remark = (max: number) =>
  z
    .string()
    .normalize('NFC')
    .trim()
    .min(1)
    .max(max)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, 'must hold no control characters or broken ones');
