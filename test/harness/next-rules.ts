import { transition } from '../../src/domains/matches/machine.ts';
import { currentRules, openRulebook } from '../../src/domains/matches/rulebook.ts';
import { other } from '../../src/domains/matches/state.ts';

/** How much more a lost round costs by the rules of the next version. */
export const NEXT_DAMAGE = 2;

/**
 * The rules of a next version, made for tests of two versions side by side: what a round costs the loser is
 * doubled. Everything else is as it is.
 */
export const nextRules: typeof currentRules = {
  ...currentRules,
  version: currentRules.version + 1,
  transition: (state, event, now) => {
    const outcome = transition(state, event, now);
    if (outcome.kind !== 'changed' || outcome.state.rounds.length === state.rounds.length) return outcome;
    const { seats } = outcome.state;
    const rounds = outcome.state.rounds.map((round, at, all) =>
      at === all.length - 1 ? { ...round, damage: NEXT_DAMAGE * round.damage } : round,
    );
    const winner = rounds.at(-1)?.winner ?? null;
    if (winner === null) return outcome;
    const loser = other(winner);
    const damage = rounds.at(-1)?.damage ?? 0;
    const health = Math.max(0, Math.round((state.seats[loser].health - damage) * 1e6) / 1e6);
    const changed = { ...seats, [loser]: { ...seats[loser], health } };
    return { ...outcome, state: { ...outcome.state, rounds, seats: changed } };
  },
};

/** The rules that a node of the next version knows. */
export const nextRulebook = openRulebook([currentRules, nextRules]);
