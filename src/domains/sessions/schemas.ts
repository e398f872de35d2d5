import { z } from 'zod';

/** A parameter that is given twice is refused as an address that is not allowed. */
const NOWHERE = '';

export const loginQuery = z.strictObject({
  returnTo: z
    .string()
    .optional()
    .catch(NOWHERE)
    .describe(
      'Absolute address of this service or of an origin on `WEBSITE_ORIGINS`; left out: the first of these origins, or `/docs` when there is none.',
    )
    // The fallback of `catch` is never an allowed address.
    .meta({ default: undefined, examples: ['https://matches.example.org/docs'] }),
});

/** A parameter that is given twice counts as missing (RFC 6749, 3.1). */
const once = z.string().optional().catch(undefined);

/** The provider's answer to a login (RFC 6749, 4.1.2 and RFC 9207). Unknown members are allowed. */
export const callbackQuery = z.looseObject({
  state: once,
  code: once,
  error: once,
  error_description: once,
  iss: once,
});
export type CallbackQuery = z.output<typeof callbackQuery>;

/** Values of `loginError`: why the provider, or this service, refused a login. */
export const loginError = z.enum(['access_denied', 'provider_error', 'insufficient_scope', 'banned']);
export type LoginError = z.output<typeof loginError>;

/** The compact form of a signed JWT (RFC 7515, 7.1). */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * The members of a token answer that are used (RFC 6749, 5.1); the token itself says when it expires. With anything but a
 * JWT it is no answer of the provider: its refresh token would replace the good one.
 */
export const tokenAnswer = z.object({
  access_token: z.string().regex(JWT),
  refresh_token: z.string().min(1).nullish(),
});

/** A refusal of the provider (RFC 6749, 5.2). Some send it with 200. */
export const refusalAnswer = z.object({
  error: z.string(),
  error_description: z.string().optional().catch(undefined),
});
export type RefusalAnswer = z.output<typeof refusalAnswer>;

/** Answers without a body. */
export const redirect = z.null();
export const loggedOut = z.null().describe('Logged out');
