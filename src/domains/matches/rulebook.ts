import { commonErrors } from '../../platform/errors.ts';
import { dealtFrom } from './deal.ts';
import { createMatch, dueAt, followUp, transition } from './machine.ts';
import type { Rules } from './play.ts';
import { RULES_VERSION } from './state.ts';

/** The versions of the rules that a node can play by. */
export interface Rulebook {
  /** The oldest first. */
  readonly versions: readonly number[];
  readonly newest: number;
  /** The rules of a version; null: this node does not know it. */
  find(version: number): Rules | null;
  /** @throws SERVICE_UNAVAILABLE for rules this node does not know: another one has to do it */
  of(version: number): Rules;
}

/** @param known at least one version */
export function openRulebook(known: readonly Rules[]): Rulebook {
  const byVersion = new Map(known.map((rules) => [rules.version, rules]));
  const versions = [...byVersion.keys()].sort((a, b) => a - b);
  return {
    versions,
    newest: versions.at(-1) ?? 0,
    find: (version) => byVersion.get(version) ?? null,
    of: (version) => {
      const rules = byVersion.get(version);
      if (rules === undefined)
        throw commonErrors.SERVICE_UNAVAILABLE({
          message: `This match is played by version ${version} of the rules, which this server does not know. Connect again.`,
        });
      return rules;
    },
  };
}

/**
 * The present rules. Where a later version differs it does so at that place by `state.rulesVersion`, or here by
 * functions of its own; whatever is changed, the logs kept in `test/matches/logs` go on to verify.
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
export const RULEBOOK: Rulebook = openRulebook([currentRules]);
