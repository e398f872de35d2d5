import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { ACCOUNT_NAMES, ACCOUNTS, gameClaims, type TokenClaims, webClaims } from './accounts.ts';
import { Refusal, readBody, sendJson } from './http.ts';

const MAX_BODY_BYTES = 4096;

const gamePlayer = z.strictObject({
  platformId: z.string().regex(/^\d{1,20}$/, 'must be 1 to 20 digits'),
  username: z.string().trim().min(1).max(64),
});
/** A player as the plugin's token names them. */
export type GamePlayer = z.output<typeof gamePlayer>;

const order = z.strictObject({
  account: z.enum(ACCOUNT_NAMES).optional(),
  game: gamePlayer.optional(),
  expiresInSeconds: z
    .int()
    .min(1)
    .max(30 * 24 * 60 * 60)
    .optional(),
});
type Order = z.output<typeof order>;

interface Issuing {
  issuer: string;
  /** @param seconds left out: as long as after a login */
  issue(claims: TokenClaims, seconds?: number): Promise<{ token: string; expiresAt: string }>;
}

/**
 * `POST /local/tokens`: a token without a login, for scripts and bots. The listener is on the loopback interface, so only
 * this machine gets here.
 * @throws Refusal for browsers, and for a body that does not fit.
 */
export async function handleTokenOrder(
  issuing: Issuing,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A browser sends `Origin` with every POST: no web page gets a token out of this, not even one that had
  // its own name resolved to this machine.
  if (request.headers.origin !== undefined) {
    throw new Refusal(403, 'FORBIDDEN', 'Tokens are not handed out to web pages.');
  }
  const wanted = parseOrder(await readBody(request, 'application/json', MAX_BODY_BYTES));
  const claims = claimsFor(wanted, issuing.issuer);
  sendJson(response, 200, await issuing.issue(claims, wanted.expiresInSeconds));
}

function claimsFor({ account, game }: Order, issuer: string): TokenClaims {
  if (account !== undefined && game === undefined) return webClaims(ACCOUNTS[account], 'service', issuer);
  if (game !== undefined && account === undefined) return gameClaims(game, issuer);
  throw new Refusal(400, 'VALIDATION_FAILED', 'Give either `account` or `game`.');
}

function parseOrder(text: string): Order {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'VALIDATION_FAILED', 'The body is not JSON.');
  }
  const parsed = order.safeParse(json);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new Refusal(400, 'VALIDATION_FAILED', 'The body does not fit.', { fields });
}
