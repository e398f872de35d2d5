import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { LocalProblem } from './problem.ts';

/** Reads the options of a program. @throws LocalProblem that says which one is wrong */
export function optionsFrom<const T extends ParseArgsOptionsConfig>(options: T) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    // Node adds advice about arguments that begin with a dash: the first sentence says what is wrong.
    const [sentence = ''] = (error as Error).message.split('. ');
    throw new LocalProblem(`${sentence.replace(/\.?$/, '.')} --help shows the options.`);
  }
}

/** @throws LocalProblem when the value is none of the choices */
export function oneOf<const C extends string>(option: string, value: string, choices: readonly C[]): C {
  const chosen = choices.find((one) => one === value);
  if (chosen === undefined)
    throw new LocalProblem(`${option} must be one of ${choices.join(', ')}, not ${JSON.stringify(value)}.`);
  return chosen;
}
