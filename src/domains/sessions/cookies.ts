import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOGIN_MS, LONGEST_MS } from './rules.ts';

export type Cookies = ReturnType<typeof createCookies>;

/** The most logins a browser may have under way. Each has a cookie, and cookies fill the head of every request. */
const MOST_LOGINS = 10;

/**
 * The cookies: one for each login under way, named after its `state` as several tabs may log in at once, and
 * `session` afterwards. Over https they have the prefix `__Host-`, so that no other host of the domain can
 * plant one (RFC 6265bis, 4.1.3.2).
 */
export function createCookies(baseUrl: string) {
  const secure = new URL(baseUrl).protocol === 'https:';
  const prefix = secure ? '__Host-' : '';
  const sessionName = `${prefix}session`;
  const loginPrefix = `${prefix}login-`;
  const loginName = (state: string) => loginPrefix + state.slice(0, 12);
  // Lax: the cookie comes along when somebody follows a link, not with a request that another site makes.
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;

  return {
    sessionName,
    sessionOf: ({ cookies }: FastifyRequest) => cookies[sessionName] ?? null,
    setSession: (reply: FastifyReply, value: string) =>
      reply.setCookie(sessionName, value, { ...attributes, maxAge: LONGEST_MS / 1000 }),
    clearSession: (reply: FastifyReply) => reply.clearCookie(sessionName, attributes),

    /** The code verifier of the login with this state. */
    verifierOf: ({ cookies }: FastifyRequest, state = '') => cookies[loginName(state)],
    setVerifier: (reply: FastifyReply, state: string, verifier: string) => {
      // Browsers send the oldest cookies first (RFC 6265, 5.4).
      const begun = Object.keys(reply.request.cookies).filter((name) => name.startsWith(loginPrefix));
      for (const name of begun.slice(0, Math.max(0, begun.length - MOST_LOGINS + 1)))
        reply.clearCookie(name, attributes);
      return reply.setCookie(loginName(state), verifier, { ...attributes, maxAge: LOGIN_MS / 1000 });
    },
    clearVerifier: (reply: FastifyReply, state = '') => reply.clearCookie(loginName(state), attributes),
  };
}
