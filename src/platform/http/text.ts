import { z } from 'zod';

/** What people type. A NUL character cannot be stored and other control characters only serve mischief. */

/** One line, trimmed: a name. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, 'must be one line without control characters');

/** A remark of several lines, trimmed. */
export const remark = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[\P{Cc}\n\r\t]*$/u, 'must hold no control characters');
