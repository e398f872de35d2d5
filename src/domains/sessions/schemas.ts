import { z } from 'zod';

/** Given twice it is no address at all, which is refused with the code of those that are not allowed. */
const NOWHERE = '';

export const loginQuery = z.strictObject({
  returnTo: z
    .string()
    .optional()
    .catch(NOWHERE)
    .describe(
      'Absolute address of this service or of an origin on `WEBSITE_ORIGINS`; left out: the first of these origins, or `/docs` when there is none.',
    )
    // Nobody is given what `catch` falls back to.
    .meta({ default: undefined, examples: ['https://matches.example.org/docs'] }),
});

/** A parameter that comes twice counts as none (RFC 6749, 3.1). */
const once = z.string().optional().catch(undefined);

/** What the provider says (RFC 6749, 4.1.2 and RFC 9207). Loose: it may say more than that. */
export const callbackQuery = z.looseObject({ state: once, code: once, error: once, iss: once });
export type CallbackQuery = z.output<typeof callbackQuery>;

/** What a website is told in `loginError` when the provider, or we, did not let somebody in. */
export const loginError = z.enum(['access_denied', 'provider_error', 'insufficient_scope', 'banned']);
export type LoginError = z.output<typeof loginError>;

/** The members of a token answer that count (RFC 6749, 5.1); how long it lasts is in the token itself. */
export const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
});

/** Answers without a body. */
export const redirect = z.null();
export const loggedOut = z.null().describe('Logged out');
