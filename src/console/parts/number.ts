import type { Bounds } from '../../pages/parts/rules.ts';
import { strings } from '../strings.ts';

/** A typed number; null: the text is no number. */
export const numberOf = (text: string): number | null => {
  const number = Number(text.trim());
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
};

/** A number to send, or the typed text, which the service refuses. */
export const numberOrText = (text: string): number => numberOf(text) ?? (text as unknown as number);

/** Checks a typed number. @returns a sentence that names the field and its bounds; undefined: the number is good */
export function numberFault(label: string, text: string, bounds: Bounds): string | undefined {
  const { least, most, isWhole } = bounds;
  const number = numberOf(text);
  const isGood =
    number !== null && number >= least && number <= most && (!isWhole || Number.isInteger(number));
  return isGood ? undefined : strings.fault(label, bounds);
}
