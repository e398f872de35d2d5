import type { AdapterFactory } from 'oidc-provider';
import { interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { accountOfSubject, type TokenClaims, webClaims } from './accounts.ts';
import { PAGE_POLICY } from './http.ts';
import type { SigningKey } from './keys.ts';
import { errorPage } from './pages.ts';

/** The service's registration with the provider. */
export interface OAuthClient {
  id: string;
  secret: string;
  /** Exact addresses a login may return to. */
  redirectUris: readonly string[];
}

interface OAuthSettings {
  issuer: string;
  audience: string;
  client: OAuthClient;
  key: SigningKey;
  storage: AdapterFactory;
  cookieKeys: string[];
  accessTokenSeconds: number;
  /** Adds issuer, audience and times to the claims. */
  complete(claims: TokenClaims): Record<string, unknown>;
}

const SCOPE = 'service';
const SESSION_COOKIE = 'local_idp_session';
const DAY = 24 * 60 * 60;

/**
 * The authorization server: code flow with PKCE (S256 only), one confidential client, rotating refresh tokens,
 * JWT access tokens with the contract's claims and no others. Every setting whose default is fit for
 * development only is set here, because the library prints a warning about such a default.
 */
export function createOAuthServer(settings: OAuthSettings): Provider {
  const { issuer, client, audience, accessTokenSeconds } = settings;
  const provider = new Provider(issuer, {
    adapter: settings.storage,
    jwks: { keys: [settings.key.privateJwk] },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [...client.redirectUris],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    routes: { authorization: '/authorize', token: '/token', jwks: '/jwks' },
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      // One resource, the service, granted without being asked for: clients need not send `resource`.
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPE,
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: accessTokenSeconds,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    formats: {
      customizers: {
        jwt: (_ctx, token, jwt) => {
          const known = 'accountId' in token ? accountOfSubject(token.accountId) : undefined;
          if (known === undefined) throw new Error('Access tokens are only issued to local accounts.');
          jwt.payload = settings.complete(webClaims(known, token.scope ?? '', issuer));
        },
      },
    },
    issueRefreshToken: (_ctx, registered) => registered.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    findAccount: (_ctx, subject) =>
      accountOfSubject(subject) && { accountId: subject, claims: () => ({ sub: subject }) },
    interactions: { url: (_ctx, interaction) => `/login/${interaction.uid}`, policy: loginOnly() },
    loadExistingGrant: (ctx) => grantEverything(ctx, audience),
    renderError: (ctx, out) => {
      ctx.type = 'html';
      ctx.set('Content-Security-Policy', PAGE_POLICY);
      ctx.body = errorPage(out.error_description ?? out.error);
    },
    cookies: {
      keys: settings.cookieKeys,
      // Cookies know no ports: names of their own keep them apart from the service's on the same address.
      names: { session: SESSION_COOKIE, interaction: 'local_idp_login', resume: 'local_idp_resume' },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      Grant: 14 * DAY,
      IdToken: accessTokenSeconds,
      Interaction: 60 * 60,
      RefreshToken: 14 * DAY,
      Session: 14 * DAY,
    },
  });
  // There is no lasting login: every login asks for the account, because one laptop plays all parts in turn.
  provider.use((ctx, next) => {
    ctx.req.headers.cookie = withoutSession(ctx.req.headers.cookie);
    return next();
  });
  return provider;
}

function withoutSession(header: string | undefined): string | undefined {
  return header
    ?.split('; ')
    .filter((pair) => !pair.startsWith(`${SESSION_COOKIE}=`))
    .join('; ');
}

/** Asks for the account and nothing else: the choice of an account implies consent. */
function loginOnly() {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
}

async function grantEverything(ctx: KoaContextWithOIDC, audience: string) {
  const { session, client, provider } = ctx.oidc;
  if (session?.accountId === undefined || client === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid offline_access');
  grant.addResourceScope(audience, SCOPE);
  await grant.save();
  return grant;
}
