/**
 * JSON of values that share most of their parts with values written before. A part that is frozen will never
 * change, so its text is made once and kept as long as the part itself.
 */

const texts = new WeakMap<object, string>();

/** Freezes plain JSON through and through; what is frozen already is taken to be so to its bottom. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/**
 * What `JSON.stringify` says of plain JSON whose member names need no escape, except that characters which
 * do not fit into one byte are written as `\uXXXX`.
 */
export function jsonOf(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : narrow(JSON.stringify(value));
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null';
  if (typeof value === 'boolean') return `${value}`;
  if (typeof value !== 'object' || value === null) return 'null';
  if (Object.isFrozen(value)) return keptTextOf(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text && ','}${jsonOf(item)}`;
    return `[${text}]`;
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) text += `${text && ','}"${name}":${jsonOf(member)}`;
  }
  return `{${text}}`;
}

function keptTextOf(part: object): string {
  const kept = texts.get(part);
  if (kept !== undefined) return kept;
  const text = narrow(JSON.stringify(part));
  texts.set(part, text);
  return text;
}

/** Nothing to escape in it. */
const PLAIN = /^[ !#-[\]-~]*$/;
const WIDE = /[^\0-\xff]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * One wide character makes two bytes of every character of a text that it becomes part of, which then takes
 * three times as long to send. What is made from a wide text stays wide until it is copied.
 */
function narrow(text: string): string {
  const replaced = text.replace(WIDE, escaped);
  return replaced === text ? text : Buffer.from(replaced, 'latin1').toString('latin1');
}
