import { hash } from 'node:crypto';
import oauth2 from '@fastify/oauth2';
import type { Config } from '../../config.ts';
import type { Http } from '../../platform/http/server.ts';
import { reasonOf } from '../../platform/reason.ts';
import { type RefusalAnswer, refusalAnswer, tokenAnswer } from './schemas.ts';

type ProviderConfig = Pick<
  Config,
  'idpAuthorizeUrl' | 'idpTokenUrl' | 'oauthClientId' | 'oauthClientSecret' | 'oauthCallbackUrl'
>;

/** The tokens of the provider's answer, not yet verified. */
export interface ProviderTokens {
  accessToken: string;
  /** Null when the provider gave none. */
  refreshToken: string | null;
}

/** Refusals that say that a login is over: RFC 6749, 5.2, and what some providers say instead. */
const FINAL: readonly (string | null)[] = ['invalid_grant', 'invalid_token', 'expired_token'];

/** The provider did not give tokens. */
export class ProviderRefusal extends Error {
  /** The `error` of the provider's answer (RFC 6749, 5.2); null when there is none. */
  readonly reason: string | null;

  /** Whether the provider refuses this code or refresh token for good. */
  get isFinal(): boolean {
    return FINAL.includes(this.reason);
  }

  constructor(message: string, reason: string | null) {
    super(message);
    this.name = 'ProviderRefusal';
    this.reason = reason;
  }
}

export type Provider = Awaited<ReturnType<typeof openProvider>>;

const SCOPE = 'service';
/** Time-out until the head of the provider's answer, and again until its end. A request of ours may take 30 s in all. */
const ANSWER_MS = 5_000;
const LARGEST_ANSWER = 64 * 1024;

/** The client of `simple-oauth2` that the plugin puts into its decoration; its types leave it out. */
interface CodeFlow {
  authorizeURL(parameters: Record<string, string>): string;
  getToken(parameters: Record<string, string>): Promise<{ token: unknown }>;
}

/** Where the client secret is sent to the token address (RFC 6749, 2.3.1). */
type SecretIn = 'header' | 'body';

/**
 * The OAuth 2.0 client of the service. The plugin's own cookies for state and verifier hold one login per browser.
 * Here several tabs may log in at once, so the caller keeps state and verifier and this calls the plugin's client.
 */
async function register(app: Http, config: ProviderConfig, version: string, secretIn: SecretIn) {
  const [authorize, token] = [new URL(config.idpAuthorizeUrl), new URL(config.idpTokenUrl)];
  const name = `oauth2SecretIn${secretIn === 'header' ? 'Header' : 'Body'}` as const;
  await app.register(oauth2, {
    name,
    callbackUri: config.oauthCallbackUrl,
    scope: [SCOPE],
    userAgent: `competitive-match-service/${version}`,
    credentials: {
      client: { id: config.oauthClientId, secret: config.oauthClientSecret },
      auth: {
        authorizeHost: authorize.origin,
        authorizePath: authorize.pathname + authorize.search,
        tokenHost: token.origin,
        tokenPath: token.pathname + token.search,
      },
      // Redirects are refused: one would carry the code, and with 307 the secret, to another address.
      http: { timeout: ANSWER_MS, maxBytes: LARGEST_ANSWER, redirects: 0 },
      options: { authorizationMethod: secretIn },
    },
  });
  const registered = app[name];
  if (registered === undefined) throw new Error('The OAuth plugin did not register itself.');
  return registered as typeof registered & { oauth2: CodeFlow };
}

/**
 * The identity provider: authorization code with PKCE S256 and an exact callback. The secret is sent in a header;
 * after a provider refuses that once, it is sent in the body.
 * @param version of the service, for the provider's logs
 */
export async function openProvider(app: Http, config: ProviderConfig, version: string) {
  const redirect_uri = config.oauthCallbackUrl;
  const inHeader = await register(app, config, version, 'header');
  const inBody = await register(app, config, version, 'body');
  let preferred = inHeader;

  /** @param sent what the request holds that is secret */
  async function ask(
    sent: readonly string[],
    request: (client: typeof preferred) => Promise<{ token: unknown }>,
  ) {
    const secrets = [...sent, config.oauthClientSecret];
    const other = preferred === inHeader ? inBody : inHeader;
    try {
      return await tokensOf(request(preferred), secrets);
    } catch (error) {
      if (!(error instanceof ProviderRefusal) || error.reason !== 'invalid_client') throw error;
      const tokens = await tokensOf(request(other), secrets);
      preferred = other;
      return tokens;
    }
  }

  return {
    /** Where a browser is sent to log in. */
    authorizeUrl: (state: string, verifier: string) =>
      inHeader.oauth2.authorizeURL({
        redirect_uri,
        scope: SCOPE,
        state,
        code_challenge: hash('sha256', verifier, 'base64url'),
        code_challenge_method: 'S256',
      }),

    /** Turns a code into tokens. @throws ProviderRefusal */
    redeem: (code: string, verifier: string) =>
      ask([code, verifier], (client) =>
        client.oauth2.getToken({ code, redirect_uri, code_verifier: verifier }),
      ),

    /** Exchanges a refresh token for new tokens. Without a new refresh token the old one stays valid. @throws ProviderRefusal */
    renew: async (refreshToken: string) => {
      const old = { token_type: 'Bearer', access_token: '', refresh_token: refreshToken } as const;
      const given = await ask([refreshToken], (client) =>
        client.getNewAccessTokenUsingRefreshToken({ ...old, expires_in: 0, expires_at: new Date(0) }, {}),
      );
      return { ...given, refreshToken: given.refreshToken ?? refreshToken };
    },
  };
}

const LONGEST_WORDS = 200;
/** JWTs, and what an `Authorization` holds. */
const CREDENTIALS = /\beyJ[\w.-]*|\b(?:basic|bearer) \S{16,}/gi;

/** A secret as it is, and as it is written in a form and in an address. */
const spellingsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ '': secret }).toString().slice(1),
];

/**
 * A refusal in the provider's words, for the log.
 * @param secrets texts that a provider may repeat, and that must not be in the log
 */
export function wordsOf({ error, error_description }: RefusalAnswer, secrets: readonly string[]): string {
  const words = error_description === undefined ? error : `${error} (${error_description})`;
  return secrets
    .filter((secret) => secret !== '')
    .flatMap(spellingsOf)
    .reduce((text, spelling) => text.replaceAll(spelling, '[redacted]'), words)
    .replaceAll(CREDENTIALS, '[redacted]')
    .slice(0, LONGEST_WORDS);
}

const NO_TOKEN = 'there is no token in it';

/** The tokens of an answer. @throws ProviderRefusal for anything else; its message holds nothing secret. */
async function tokensOf(
  asked: Promise<{ token: unknown }>,
  secrets: readonly string[],
): Promise<ProviderTokens> {
  const { token } = await asked.catch((error: unknown) => {
    throw refusalOf(error, secrets);
  });
  const parsed = tokenAnswer.safeParse(token);
  if (!parsed.success) throw refusalIn(token, 200, NO_TOKEN, secrets);
  return { accessToken: parsed.data.access_token, refreshToken: parsed.data.refresh_token ?? null };
}

/** The part of a client error that holds the provider's answer. */
interface ClientError {
  data?: { payload?: unknown; res?: { statusCode?: number; destroy(): void } };
}

function refusalOf(error: unknown, secrets: readonly string[]): ProviderRefusal {
  const { payload, res } = (error as ClientError).data ?? {};
  // The client stops reading an answer that is too slow or too long, and leaves the connection open.
  res?.destroy();
  // A fault of the client in an answer that is no object: its message repeats the answer.
  if (error instanceof TypeError) return refusalIn(undefined, 200, NO_TOKEN, secrets);
  // The client leaves bytes that it cannot parse, and its message repeats some of them.
  const otherwise = Buffer.isBuffer(payload) ? 'it is no JSON' : reasonOf(error);
  return refusalIn(payload, res?.statusCode, otherwise, secrets);
}

/**
 * The refusal in an answer of the provider.
 * @param status undefined: there was no answer
 * @param otherwise what is to be said of an answer without an `error`
 */
function refusalIn(
  answer: unknown,
  status: number | undefined,
  otherwise: string,
  secrets: readonly string[],
): ProviderRefusal {
  const { data } = refusalAnswer.safeParse(answer);
  // A provider that is down or over its limit says nothing about the login.
  const isBusy = status !== undefined && (status >= 500 || status === 429);
  const said = isBusy ? null : (data?.error ?? null);
  // 401 says that the client did not authenticate (RFC 6749, 5.2), unless the provider says that the login is over.
  const reason = status === 401 && !FINAL.includes(said) ? 'invalid_client' : said;
  const words = data === undefined ? (reason ?? otherwise) : wordsOf(data, secrets);
  return new ProviderRefusal(
    status === undefined ? words : `The provider answered ${status}: ${words}`,
    reason,
  );
}
