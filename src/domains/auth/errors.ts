import { errorEntries } from '../../platform/errors.ts';

export const authErrors = errorEntries({
  UNAUTHENTICATED: {
    status: 401,
    message: 'This needs a login, or a valid access token: Authorization: Bearer <token>.',
    remedy: 'new_token',
  },
  TOKEN_MISSING: { status: 401, message: 'The connection carries no access token.', remedy: 'new_token' },
  TOKEN_INVALID: { status: 401, message: 'The access token is not valid.', remedy: 'new_token' },
  TOKEN_EXPIRED: { status: 401, message: 'The access token has expired. Log in again.', remedy: 'new_token' },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'The access token lacks the scope `service`.',
    remedy: 'new_token',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    message: 'With the login cookie this takes an `Origin` of the website or of this service.',
  },
  FORBIDDEN: { status: 403, message: 'This is not allowed for you.' },
  BANNED: { status: 403, message: 'You are banned.' },
  TOKEN_TYPE_NOT_ALLOWED: {
    status: 403,
    message: 'Only a game token may connect here.',
    remedy: 'new_token',
  },
  PLATFORM_NOT_VERIFIED: {
    status: 403,
    message: 'The identity provider has not verified a platform account for you.',
    remedy: 'new_token',
  },
  UPLOAD_DISABLED: { status: 503, message: 'Uploads are disabled: no deploy secret is configured.' },
});
