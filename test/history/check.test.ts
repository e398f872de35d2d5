import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandomness } from '../../src/local/random.ts';
import { frozen } from '../../src/platform/frozen.ts';
import { checkHistory } from './check.ts';
import { type Model, randomModel } from './model.ts';
import { type Mutation, mutations } from './mutations.ts';
import type { Note } from './recording.ts';

/** The checker of histories, tried on histories whose faults are known. */

const options = { withinMs: 5000 };
const check = (model: Model, notes: readonly Note[] = model.notes) =>
  checkHistory(notes, [model.stored], options).map((problem) =>
    problem.replace(`match ${model.state.matchGuid}: `, ''),
  );

test('the history of a correct service is accepted in every random order', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const model = randomModel(seededRandomness(String(seed)).fraction);
      expect(check(model)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

describe('the history of a faulty service is refused:', () => {
  /** Frozen: all mutations start from the same models. */
  const models = new Map<string, Model>();
  beforeAll(() => {
    for (const number of fc.sample(fc.noBias(fc.nat()), 30)) {
      const seed = String(number);
      models.set(seed, frozen(randomModel(seededRandomness(seed).fraction)));
    }
  });

  test.each(Object.entries<Mutation>(mutations))('%s', (name, mutate) => {
    let tried = 0;
    for (const [seed, model] of models) {
      const { fraction } = seededRandomness(`${seed} ${name}`);
      const pick = <T>(list: readonly T[]) => list[Math.floor(fraction() * list.length)];
      const notes = mutate({ notes: model.notes, model, pick });
      if (notes === null) continue;
      tried++;
      expect(check(model, notes), `seed ${seed}`).not.toEqual([]);
    }
    expect(tried).toBeGreaterThan(10);
  });
});
