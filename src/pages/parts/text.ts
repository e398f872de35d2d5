/**
 * Characters that are not seen and may change what stands around them: marks of direction, zero width, private use; and
 * code points that are no characters, because XML, and so a picture, may not have U+FFFE.
 */
const UNSEEN =
  /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}\p{Co}\p{Cs}\p{NChar}]/gu;
const SPACES = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
const NOTHING = /^[\p{M}\p{Z}\p{C}]*$/u;

/**
 * A text that somebody has chosen, such as a name, as one line of bearable length, without characters that change the
 * direction of what follows. The whole text is in the answers of the API.
 * @param most characters
 * @param otherwise the placeholder for an invisible text
 */
export function plain(text: string, most = 60, otherwise = '–'): string {
  const line = text.replace(UNSEEN, '').replace(SPACES, ' ').trim();
  if (NOTHING.test(line)) return otherwise;
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line;
}

/** A number of things, in words: `1 map`, `2 maps`. */
export const counted = (count: number, one: string, more: string): string =>
  `${count} ${count === 1 ? one : more}`;

/** A title as one plain line of 80 characters at most. */
export const titleOf = (text: string): string => plain(text, 80);
