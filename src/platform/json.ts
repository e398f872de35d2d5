/**
 * JSON of values that share most of their parts with earlier values. A frozen part never changes, so its text is made once
 * and cached as long as the part exists.
 */

const texts = new WeakMap<object, string>();

/**
 * The result of `JSON.stringify` for plain JSON whose member names need no escape, with characters that do not fit into one
 * byte as `\uXXXX`.
 */
export function jsonOf(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : narrow(JSON.stringify(value));
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null';
  if (typeof value === 'boolean') return `${value}`;
  if (typeof value !== 'object' || value === null) return 'null';
  if (Object.isFrozen(value)) return cachedTextOf(value);
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

function cachedTextOf(part: object): string {
  const cached = texts.get(part);
  if (cached !== undefined) return cached;
  const text = narrow(JSON.stringify(part));
  texts.set(part, text);
  return text;
}

/** A text without characters to escape. */
const PLAIN = /^[ !#-[\]-~]*$/;
const WIDE = /[^\0-\xff]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes wide characters. One of them makes every character of the whole text two bytes long in memory, and the text takes
 * three times as long to send. The result stays wide until it is copied.
 */
function narrow(text: string): string {
  const replaced = text.replace(WIDE, escaped);
  return replaced === text ? text : Buffer.from(replaced, 'latin1').toString('latin1');
}
