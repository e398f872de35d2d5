import { commonErrors } from '../../platform/errors.ts';
import { dealtFrom } from './deal.ts';
import { createMatch, dueAt, followUp, transition } from './machine.ts';
import type { Rules } from './play.ts';
import { RULES_VERSION } from './state.ts';

export type Rulebook = ReturnType<typeof openRulebook>;

/** The versions of the rules that a node can play by. @param known at least one */
export function openRulebook(known: readonly Rules[]) {
  const byVersion = new Map(known.map((rules) => [rules.version, rules]));
  const versions = [...byVersion.keys()].sort((a, b) => a - b);
  /** The rules of a version; null: this node does not know it. */
  const find = (version: number): Rules | null => byVersion.get(version) ?? null;
  return {
    /** The oldest first. */
    versions,
    newest: versions.at(-1) ?? 0,
    find,
    /** @throws SERVICE_UNAVAILABLE for rules that this node does not know: another one has to do it */
    of: (version: number): Rules => {
      const rules = find(version);
      if (rules !== null) return rules;
      throw commonErrors.SERVICE_UNAVAILABLE({
        message: `This match is played by version ${version} of the rules, which this server does not know. Connect again.`,
      });
    },
  };
}

/**
 * The present rules. Where a later version differs, there is a condition on `state.rulesVersion`, or the version has functions
 * of its own here. After every change the logs in `test/matches/logs` must still verify.
 */
export const currentRules: Rules = {
  version: RULES_VERSION,
  createMatch,
  transition,
  followUp,
  dueAt,
  dealtFrom,
};

/** Every version since the first one that was released. */
export const RULEBOOK = openRulebook([currentRules]);
