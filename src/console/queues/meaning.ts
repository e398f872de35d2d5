import { rangeAfter } from '../../pages/parts/pairing-range.ts';
import { RULE_BOUNDS } from '../../pages/parts/rules.ts';
import { numberFault } from '../parts/number.ts';
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

export type RuleName = keyof typeof RULE_BOUNDS;
export const RULE_FIELDS = Object.keys(RULE_BOUNDS) as RuleName[];

/** Checks the typed number of a rule. @returns a sentence for the person who typed it; undefined: the number is good */
export const ruleFault = (field: RuleName, text: string): string | undefined =>
  field === 'maxGap' && text.trim() === ''
    ? undefined
    : numberFault(strings.form[field], text, RULE_BOUNDS[field]);

/** The typed number of a rule, or the sentence that says why it is not good. */
const ruleOf = (field: RuleName, text: string): number | string => ruleFault(field, text) ?? Number(text);

/** The rules of pairing in sentences, or why the first wrong one is not good. */
export function pairingText(typed: TypedPairing): string {
  const initialGap = ruleOf('initialGap', typed.initialGap);
  const gapPerSecond = ruleOf('gapPerSecond', typed.gapPerSecond);
  const maxGap = typed.maxGap.trim() === '' ? null : ruleOf('maxGap', typed.maxGap);
  if (typeof initialGap === 'string') return initialGap;
  if (typeof gapPerSecond === 'string') return gapPerSecond;
  if (typeof maxGap === 'string') return maxGap;
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

/** The rule about discards in a sentence, or why it is not good. */
export function discardsText(typed: string): string {
  const cards = ruleOf('maxDiscards', typed);
  return typeof cards === 'string' ? cards : texts.discards(cards);
}
