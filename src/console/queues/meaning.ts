import { rangeAfter } from '../../pages/parts/pairing-range.ts';
import { type Bounds, RULE_BOUNDS } from '../../pages/parts/rules.ts';
import { numberOf } from '../parts/number.ts';
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

type RuleField = keyof typeof RULE_BOUNDS;

/** The typed number of a rule; a sentence: what is wrong with it. */
function ruleOf(field: RuleField, text: string): number | string {
  const bounds: Bounds = RULE_BOUNDS[field];
  const { least, most, isWhole } = bounds;
  const number = numberOf(text);
  const isGood =
    number !== null && number >= least && number <= most && (!isWhole || Number.isInteger(number));
  return isGood ? number : texts.fault(strings.form[field], bounds);
}

/** The rules of pairing in sentences, or what is wrong with the first of them that cannot be. */
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

/** The rule about discards in a sentence, or what is wrong with it. */
export function discardsText(typed: string): string {
  const cards = ruleOf('maxDiscards', typed);
  return typeof cards === 'string' ? cards : texts.discards(cards);
}
