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
export type ModifierCode = (typeof modifierCodes)[number];

/** Modifiers of the speed. They exclude each other. */
const speedModifiers: ReadonlySet<string> = new Set<ModifierCode>(['SS', 'FS', 'SFS']);

/** A sentence for people when more than one of SS, FS, SFS is given; null: they go together. */
export function speedConflict(modifiers: readonly string[]): string | null {
  const speeds = modifiers.filter((code) => speedModifiers.has(code));
  return speeds.length > 1 ? `${speeds.join(' and ')} exclude each other.` : null;
}
