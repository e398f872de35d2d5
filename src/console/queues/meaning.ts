import { rangeAfter } from '../../pages/parts/pairing-range.ts';
import { strings } from './strings.ts';

/** The meaning of the pairing rules as a sentence, while they are typed. */

const texts = strings.meaning;
const RATING = 1000;
const MOMENTS = [10, 30, 60];
/** An upper bound of waiting times, seconds. */
const LONG = 86_400;

export interface TypedPairing {
  initialGap: string;
  gapPerSecond: string;
  /** '': no end. */
  maxGap: string;
}

/** A typed number; null: the text is no number. */
export const numberOf = (text: string): number | null => {
  const number = Number(text.trim());
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
};

/** The rules of pairing in sentences. */
export function pairingText(typed: TypedPairing): string {
  const [initialGap, gapPerSecond] = [numberOf(typed.initialGap), numberOf(typed.gapPerSecond)];
  const maxGap = typed.maxGap.trim() === '' ? null : numberOf(typed.maxGap);
  if (initialGap === null || gapPerSecond === null || (maxGap === null && typed.maxGap.trim() !== ''))
    return texts.notNumbers;
  const rules = { initialGap, gapPerSecond, maxGap };
  const first = rangeAfter(rules, RATING, 0);
  const grows = rangeAfter(rules, RATING, LONG).highest !== first.highest;
  const parts = [
    texts.atOnce(RATING, first.lowest, first.highest),
    ...(grows
      ? MOMENTS.map((seconds) => rangeAfter(rules, RATING, seconds)).map(({ seconds, lowest, highest }) =>
          texts.after(seconds, lowest, highest),
        )
      : []),
  ];
  const last = !grows ? texts.forEver : maxGap === null ? texts.noEnd : texts.end(maxGap);
  return `${parts.join(', ')}. ${last}`;
}
