/** Names that come from elsewhere and cannot be refused here. */

/** Control characters, and those that change the direction of the text around them. */
const UNSHOWABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

export const withoutControls = (name: string): string => name.replace(UNSHOWABLE, '');

/** Whether nothing of a name can be seen: only blanks, marks without a letter, and characters that fonts do not draw. */
export const isInvisible = (name: string): boolean =>
  /^[\p{M}\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(name);

/** A long name is cut instead of refused, because it cannot be changed here. @param most characters */
export const cutName = (name: string, most: number): string => [...name].slice(0, most).join('');
