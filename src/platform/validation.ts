import { z } from 'zod';
import { sentenceOf } from './errors.ts';

/**
 * The message about an invalid value, over HTTP and on the socket: its name, then the problem. A schema with a message of
 * its own gives the second half: `must be #RRGGBB`.
 */

type Issue = z.core.$ZodRawIssue;

/** The most characters of a client's text in a message, and the most values in a list. */
const LONGEST_QUOTE = 50;
const MOST_NAMED = 20;

const quote = (text: string): string =>
  text.length <= LONGEST_QUOTE ? `"${text}"` : `"${text.slice(0, LONGEST_QUOTE).toWellFormed()}…"`;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  datetime: 'must be a time such as 2026-03-01T12:00:00Z',
  base64: 'must be base64',
  regex: 'has characters that are not allowed here',
};

const counted = (count: unknown, thing: string, things: string): string =>
  `${count} ${Number(count) === 1 ? thing : things}`;

/** @param bound `at least`, `at most`, `exactly` */
function sizeFault(
  { origin, exact }: { origin: string; exact?: boolean },
  bound: string,
  size: unknown,
): string {
  const how = exact ? 'exactly' : bound;
  if (origin === 'string') return `must have ${how} ${counted(size, 'character', 'characters')}`;
  if (origin === 'array' || origin === 'set') return `must have ${how} ${counted(size, 'entry', 'entries')}`;
  return `must be ${how} ${size}`;
}

/** The second half of the sentence about an issue that the schema has no message for. */
export function faultOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'must not be empty';
      return sizeFault(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return sizeFault(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the right form';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys': {
      const [first = ''] = issue.keys;
      const others = issue.keys.length - 1;
      const more = others > 0 ? ` and ${counted(others, 'other', 'others')}` : '';
      return `has ${others > 0 ? 'unknown fields' : 'an unknown field'}: ${quote(first)}${more}`;
    }
    case 'invalid_value': {
      const values = issue.values.slice(0, MOST_NAMED).map(String).join(', ');
      const more = issue.values.length > MOST_NAMED ? ', …' : '';
      if (issue.input === undefined) return `is missing; it is one of ${values}${more}`;
      return issue.values.length === 1 ? `must be ${values}` : `must be one of ${values}${more}`;
    }
    default:
      return 'does not have the right form';
  }
}

// For every schema: a message of its own goes before this one.
z.config({ customError: faultOf });

/** The sentence about the first thing that is wrong with a value. @param whole what a value without a path is called */
export function firstSentence({ issues }: z.core.$ZodError, whole = ''): string {
  const { path = [], message = 'does not have the right form' } = issues[0] ?? {};
  return sentenceOf(path.length === 0 ? whole : path.join('.'), message);
}
