import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openListener } from '../listener.ts';
import { ACCOUNTS, type AccountName, gameClaims, type TokenClaims, webClaims } from './accounts.ts';
import { Refusal, send, sendJson, sendPage } from './http.ts';
import { createSigningKey, keptSigningKey } from './keys.ts';
import { type GamePlayer, handleTokenOrder } from './local-tokens.ts';
import { handleLogin } from './login.ts';
import { createOAuthServer, type OAuthClient } from './oauth.ts';
import { avatarSvg, helpPage } from './pages.ts';
import { createStorage } from './storage.ts';
import { type MintOptions, signToken } from './tokens.ts';

export interface IdentityProviderOptions {
  /** 0 takes a free one. */
  port: number;
  client: OAuthClient;
  /** Where the key is kept between starts; left out: a new one for this start. */
  keyFile?: string;
  /** Milliseconds since 1970; what `iat` and `exp` are counted from. Left out: the system's clock. */
  now?: () => number;
}

/** `down`: the connection is closed without an answer; `slow`: right, but late; `nonsense`: 200 with a web page. */
type ProviderFailure = 'down' | 'slow' | 'nonsense';

/** A running stand-in, with what an operator or a fault does to a real one. */
export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** `aud` of every token. */
export const AUDIENCE = 'urn:competitive-match-service';
/** Life of an access token. */
const ACCESS_TOKEN_SECONDS = 3600;

/**
 * Starts an identity provider of our own: a real OAuth 2.0 authorization server with a login page instead of
 * passwords, and ways around the browser for scripts and tests.
 * @throws Error when the port is taken, or a redirect address is not a proper URI.
 */
export async function startIdentityProvider(options: IdentityProviderOptions) {
  const now = options.now ?? Date.now;
  const storage = createStorage();
  const cookieKeys = [randomBytes(32).toString('base64url')];
  let failure: { mode: ProviderFailure; delayMs: number } | null = null;
  let alteredClaims: Readonly<Record<string, unknown>> = {};
  let key = await (options.keyFile === undefined ? createSigningKey() : keptSigningKey(options.keyFile));
  // The issuer holds the port, so the listener comes before the authorization server.
  const listener = await openListener({ port: options.port, respond, failed: refuse });
  const issuer = listener.url;

  const complete = (claims: TokenClaims, seconds = ACCESS_TOKEN_SECONDS) => {
    const issuedAt = Math.floor(now() / 1000);
    return { ...claims, iss: issuer, aud: AUDIENCE, iat: issuedAt, exp: issuedAt + seconds };
  };
  const sign = (claims: Record<string, unknown>) =>
    signToken(claims, { alg: 'RS256', kid: key.kid, key: key.privateKey });
  const accountToken = (name: AccountName, seconds?: number) =>
    sign(complete(webClaims(ACCOUNTS[name], 'service', issuer), seconds));

  const buildOAuthServer = () => {
    const built = createOAuthServer({
      issuer,
      audience: AUDIENCE,
      client: options.client,
      key,
      storage,
      cookieKeys,
      accessTokenSeconds: ACCESS_TOKEN_SECONDS,
      complete: (claims) => ({ ...complete(claims), ...alteredClaims }),
    });
    // Only errors that nobody expects are printed. A refusal is an answer to the client.
    built.on('server_error', (_ctx, error) => console.error('The local identity provider failed:', error));
    return { provider: built, handle: built.callback() };
  };
  let oauth: ReturnType<typeof buildOAuthServer>;
  try {
    oauth = buildOAuthServer();
    // Looking the client up checks its registration, which the library would put off to the first login.
    await oauth.provider.Client.find(options.client.id);
  } catch (error) {
    await listener.stop();
    throw error;
  }

  async function respond(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const method = request.method ?? '';
    if (failure?.mode === 'slow') await delay(failure.delayMs, undefined, { signal: listener.signal });
    if (failure?.mode === 'down') {
      response.destroy();
      return;
    }
    if (failure?.mode === 'nonsense') {
      send(response, 200, 'text/html; charset=utf-8', '<!doctype html><title>Welcome</title>');
      return;
    }
    if (path.startsWith('/login/')) {
      allow(method, 'GET', 'POST');
      await handleLogin(oauth.provider, request, response);
      return;
    }
    if (path === '/local/tokens') {
      allow(method, 'POST');
      await handleTokenOrder({ issuer, issue }, request, response);
      return;
    }
    if (!answerRead(method, path, response)) await oauth.handle(request, response);
  }

  /** Answers reads. @returns false when the path is the authorization server's */
  function answerRead(method: string, path: string, response: ServerResponse): boolean {
    const avatarOf = /^\/avatars\/(\d{1,20})\.svg$/.exec(path)?.[1];
    const known = ['/local', '/public-key.pem', '/public-key.json'].includes(path) || avatarOf !== undefined;
    if (!known) return false;
    allow(method, 'GET', 'HEAD');
    if (avatarOf !== undefined) send(response, 200, 'image/svg+xml', avatarSvg(avatarOf));
    else if (path === '/local') sendPage(response, 200, helpPage(issuer));
    else if (path === '/public-key.pem') send(response, 200, 'text/plain', key.publicPem);
    else sendJson(response, 200, { algorithm: 'RS256', publicKey: key.publicPem });
    return true;
  }

  async function issue(claims: TokenClaims, seconds?: number) {
    const completed = complete(claims, seconds);
    return { token: await sign(completed), expiresAt: new Date(completed.exp * 1000).toISOString() };
  }

  function refuse(response: ServerResponse, error: unknown): void {
    const refusal =
      error instanceof Refusal ? error : new Refusal(500, 'INTERNAL_ERROR', 'Something went wrong here.');
    if (refusal !== error) console.error('The local identity provider failed:', error);
    // The rest of the body is not read, so the connection cannot be used again.
    response.setHeader('Connection', 'close');
    const { code, message, details } = refusal;
    sendJson(response, refusal.status, { error: { code, message, ...(details && { details }) } });
  }

  return {
    /** `iss` of every token, and the base of all addresses. */
    issuer,
    audience: AUDIENCE,
    authorizeUrl: `${issuer}/authorize`,
    tokenUrl: `${issuer}/token`,
    /** The key as a JWKS. */
    publicKeyUrl: `${issuer}/jwks`,
    /** The key as a PEM in plain text. */
    publicKeyPemUrl: `${issuer}/public-key.pem`,
    /** The key as `{ algorithm, publicKey }`. */
    publicKeyJsonUrl: `${issuer}/public-key.json`,
    accounts: ACCOUNTS,
    requests: listener.requests,
    /** A browser token of an account, as after a login. */
    accountToken,
    /** A `platform:game` token, as a plugin has it. */
    gameToken: (player: GamePlayer, seconds?: number) => sign(complete(gameClaims(player, issuer), seconds)),
    /** Signs any token: these claims over those of `player-one`'s browser token, changed by the options. */
    mint: (
      claims: Readonly<Record<string, unknown>> = {},
      { omit = [], alg = 'RS256', kid = key.kid, key: other = key.privateKey }: MintOptions = {},
    ) => {
      const base = complete(webClaims(ACCOUNTS['player-one'], 'service', issuer));
      const kept = Object.entries({ ...base, ...claims }).filter(([name]) => !omit.includes(name));
      return signToken(Object.fromEntries(kept), { alg, kid, key: other });
    },
    /** Puts these claims over those of every token that comes out of a login, until called with null. */
    alterLogins: (claims: Readonly<Record<string, unknown>> | null): void => {
      alteredClaims = claims ?? {};
    },
    /** Signs with a new key from now on and publishes only that one. */
    rotateKeys: async (): Promise<void> => {
      key = await createSigningKey();
      oauth = buildOAuthServer();
    },
    /** Makes every answer fail in this way until called with null. `delayMs` is for `slow`. */
    fail: (mode: ProviderFailure | null, { delayMs = 30_000 } = {}): void => {
      failure = mode === null ? null : { mode, delayMs };
    },
    stop: listener.stop,
  };
}

/** @throws Refusal 405 when the method is none of these. */
function allow(method: string, ...methods: string[]): void {
  if (!methods.includes(method)) throw new Refusal(405, 'METHOD_NOT_ALLOWED', `Use ${methods.join(' or ')}.`);
}
