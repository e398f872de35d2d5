/** The codes of the modifiers that a map may be played with. */
export const modifierCodes = [
  'NF',
  'NW',
  'NB',
  'NA',
  'SS',
  'FS',
  'SFS',
  'IF',
  '4L',
  'DA',
  'GN',
  'PM',
  'SA',
  'SN',
  'ZM',
] as const;

/** Modifiers of the speed. They exclude each other. */
const speedModifiers: readonly string[] = ['SS', 'FS', 'SFS'];

/** A sentence for people when more than one of SS, FS, SFS is given; null: they go together. */
export function speedConflict(modifiers: readonly string[]): string | null {
  const speeds = modifiers.filter((code) => speedModifiers.includes(code));
  return speeds.length > 1 ? `${speeds.join(' and ')} exclude each other.` : null;
}
