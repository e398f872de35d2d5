import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { errors } from 'oidc-provider';
import { z } from 'zod';
import { ACCOUNT_NAMES, ACCOUNTS } from './accounts.ts';
import { readBody, sendPage } from './http.ts';
import { errorPage, loginPage } from './pages.ts';

const MAX_FORM_BYTES = 1024;

const choice = z.union([
  z.strictObject({ account: z.enum(ACCOUNT_NAMES) }),
  z.strictObject({ decision: z.literal('deny') }),
]);

/**
 * The login page: shows the accounts, and takes the choice back to the provider. The provider's signed,
 * path-bound cookie says whose login it is, so another site cannot choose for somebody.
 */
export async function handleLogin(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const login = await provider.interactionDetails(request, response).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return null;
    throw error;
  });
  if (login === null) {
    sendPage(response, 400, errorPage('The login has expired or belongs to another browser.'));
    return;
  }
  if (request.method === 'GET') {
    sendPage(response, 200, loginPage(String(login.params.client_id)));
    return;
  }
  const form = new URLSearchParams(
    await readBody(request, 'application/x-www-form-urlencoded', MAX_FORM_BYTES),
  );
  const chosen = choice.safeParse(Object.fromEntries(form));
  if (!chosen.success) {
    sendPage(response, 400, errorPage('That is not one of the accounts.'));
    return;
  }
  const result =
    'account' in chosen.data
      ? { login: { accountId: ACCOUNTS[chosen.data.account].sub } }
      : { error: 'access_denied', error_description: 'Access was denied on the login page.' };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
