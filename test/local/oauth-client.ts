import { createHash, randomBytes } from 'node:crypto';
import type { IdentityProvider } from '../../src/local/identity-provider/server.ts';
import type { Browser } from './browser.ts';

export const CLIENT = {
  id: 'competitive-match-service',
  secret: 'a secret: with/reserved+characters & 32 of them',
  redirectUris: ['http://127.0.0.1:9/auth/callback'],
};
export const CALLBACK = 'http://127.0.0.1:9/auth/callback';

export interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
  error?: string;
}

export function newVerifier() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** An authorization request; a null parameter is left out. */
export function authorizeUrl(provider: IdentityProvider, overrides: Record<string, string | null>): URL {
  const url = new URL(provider.authorizeUrl);
  const parameters: Record<string, string | null> = {
    response_type: 'code',
    client_id: CLIENT.id,
    redirect_uri: CALLBACK,
    scope: 'service',
    state: 'the-state',
    code_challenge_method: 'S256',
    ...overrides,
  };
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.set(name, value);
  return url;
}

/** Presses a button of the login page and follows on to the callback. @returns the callback's parameters. */
export async function press(
  browser: Browser,
  page: URL,
  button: Record<string, string>,
): Promise<URLSearchParams> {
  const { url } = await browser.open(page, CALLBACK, { method: 'POST', body: new URLSearchParams(button) });
  return url.searchParams;
}

/** A whole login up to the code. */
export async function logIn(provider: IdentityProvider, browser: Browser, account: string) {
  const { verifier, challenge } = newVerifier();
  const page = await browser.open(authorizeUrl(provider, { code_challenge: challenge }));
  const parameters = await press(browser, page.url, { account });
  return { code: parameters.get('code') ?? '', verifier, parameters };
}

/** Asks the token address, with HTTP Basic as RFC 6749 section 2.3.1 wants it: both parts form-encoded. */
export async function askForTokens(
  provider: IdentityProvider,
  parameters: Record<string, string>,
  secret = CLIENT.secret,
): Promise<{ status: number; body: TokenAnswer }> {
  const encoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  const credentials = Buffer.from(`${encoded(CLIENT.id)}:${encoded(secret)}`).toString('base64');
  const response = await fetch(provider.tokenUrl, {
    method: 'POST',
    headers: { Authorization: `Basic ${credentials}` },
    body: new URLSearchParams(parameters),
  });
  return { status: response.status, body: await response.json() };
}

export const redeem = (provider: IdentityProvider, code: string, verifier: string, secret?: string) =>
  askForTokens(
    provider,
    { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier },
    secret,
  );

export const refresh = (provider: IdentityProvider, refreshToken: string) =>
  askForTokens(provider, { grant_type: 'refresh_token', refresh_token: refreshToken });
