import type { KeyObject } from 'node:crypto';
import { ServiceError } from '../../platform/errors.ts';
import { GAME_TOKEN_CHECKS, type TokenCheck, tokenChecks } from './checks.ts';
import { authErrors } from './errors.ts';
import { claimsIn, signedBytes, tokenText } from './token.ts';

/** One check of a token, and what became of it. */
export interface InspectedCheck {
  claim: string;
  /** Null when it passed; undefined when it was not looked at, because one before it left nothing to look at. */
  refusal: ServiceError | null | undefined;
}

/**
 * Runs every check that needs only the token and the keys, and continues after a refusal where it can.
 * @param context as for {@link tokenChecks}; `candidates` are the provider's keys for a `kid`
 * @returns the claims, null when the token is not well signed or a claim has a wrong type; the checks of every use of the
 *   token, in the order of the refusals; and the further checks on the socket
 */
export async function inspectToken(
  token: unknown,
  context: Parameters<typeof tokenChecks>[0] & { candidates(kid: string | undefined): readonly KeyObject[] },
) {
  const everywhere: InspectedCheck[] = [];
  let isBroken = false;
  const step = async <T>(claim: string, check: () => T | Promise<T>): Promise<T | null> => {
    try {
      const result = isBroken ? null : await check();
      everywhere.push({ claim, refusal: isBroken ? undefined : null });
      return result;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      isBroken = true;
      everywhere.push({ claim, refusal: error });
      return null;
    }
  };
  const text = await step('It is there, and not too long', () => tokenText(token));
  const bytes = await step('It is well signed', async () => {
    const signed = await signedBytes(text ?? '', context.candidates);
    if (signed === null)
      throw authErrors.TOKEN_INVALID({ cause: new Error('No key of the provider fits its signature.') });
    return signed;
  });
  const claims = await step('Its claims have the right types', () => claimsIn(bytes ?? new Uint8Array()));
  const refusalBy = ({ passes, refusal }: TokenCheck) => {
    if (claims === null) return undefined;
    return passes(claims) ? null : refusal();
  };
  const inspected = (checks: readonly TokenCheck[]): InspectedCheck[] =>
    checks.map((check) => ({ claim: check.claim, refusal: refusalBy(check) }));
  return {
    claims,
    everywhere: [...everywhere, ...inspected(tokenChecks(context))],
    socket: inspected(GAME_TOKEN_CHECKS),
  };
}
