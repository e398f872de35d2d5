import { poolErrors } from './errors.ts';

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

/** @throws MODIFIERS_CONFLICT when more than one of SS, FS, SFS is given */
export function requireOneSpeed(modifiers: readonly string[]): void {
  const speeds = modifiers.filter((code) => speedModifiers.has(code));
  if (speeds.length > 1)
    throw poolErrors.MODIFIERS_CONFLICT({ message: `${speeds.join(' and ')} exclude each other.` });
}
