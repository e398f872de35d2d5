import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type CommandAnswer, runCommand } from '../src/command.ts';
import {
  candidatesOf,
  fetchKeyDocument,
  type InspectedCheck,
  inspectToken,
  overHttp,
} from '../src/domains/auth/index.ts';
import { AUDIENCE } from '../src/local/identity-provider/server.ts';
import { HOST } from '../src/local/listener.ts';
import { portsFrom } from '../src/local/ports.ts';
import { LocalProblem } from '../src/local/problem.ts';
import { commonErrors } from '../src/platform/errors.ts';
import { BOUNDS } from '../src/platform/limits.ts';

/** Says check by check what the service would do with a token, by the service's own verifier. */

const HELP = `npm run check-token -- <jwt>
  The keys come from IDP_PUBLIC_KEY_URL, and IDP_ISSUER and IDP_AUDIENCE are expected, of the environment or of .env.
  Without IDP_PUBLIC_KEY_URL the token is checked as one of the identity provider of npm run dev.

Exit code 0: a game plugin may connect with it. 1: it may not, or the check could not be made.`;

interface Provider {
  publicKeyUrl: string;
  issuer: string | undefined;
  audience: string | undefined;
}

function providerOf(environment: NodeJS.ProcessEnv): Provider {
  const { IDP_PUBLIC_KEY_URL, IDP_ISSUER, IDP_AUDIENCE } = environment;
  if (IDP_PUBLIC_KEY_URL)
    return {
      publicKeyUrl: IDP_PUBLIC_KEY_URL,
      issuer: IDP_ISSUER || undefined,
      audience: IDP_AUDIENCE || undefined,
    };
  const issuer = `http://${HOST}:${portsFrom(environment).identityProvider}`;
  return { publicKeyUrl: `${issuer}/jwks`, issuer, audience: AUDIENCE };
}

/** The cause of a refusal, for the issuer of the token: the service tells clients only the message. */
function reasonOf(cause: unknown): string {
  if (cause instanceof z.ZodError)
    return cause.issues.map(({ path, message }) => `\n          ${path.join('.')}: ${message}`).join('');
  return cause instanceof Error ? ` ${cause.message}` : '';
}

function lineOf({ claim, refusal }: InspectedCheck): string {
  if (refusal === undefined) return `–         ${claim}: not looked at.`;
  if (refusal === null) return `ok        ${claim}.`;
  return `REFUSED   ${claim}: ${refusal.code}. ${refusal.message}${reasonOf(refusal.cause)}`;
}

const firstRefusal = (checks: readonly InspectedCheck[]) => checks.find(({ refusal }) => refusal)?.refusal;

/** Its exit code says whether a game plugin may connect with the token. */
async function inspect(token: string, environment: NodeJS.ProcessEnv): Promise<CommandAnswer> {
  const { publicKeyUrl, issuer, audience } = providerOf(environment);
  const { keys } = await fetchKeyDocument(publicKeyUrl).catch((cause: unknown) => {
    throw new LocalProblem(
      `The keys of the identity provider could not be read from ${publicKeyUrl}:${reasonOf(cause)}`,
    );
  });
  const now = Date.now();
  const { claims, everywhere, socket } = await inspectToken(token, {
    candidates: (kid) => candidatesOf(keys, kid),
    now,
    issuer,
    audience,
  });
  const http = firstRefusal(everywhere);
  const game = http ?? firstRefusal(socket);
  // A head that long is refused before anybody looks at the token.
  const told = token.length > BOUNDS.head.value ? commonErrors.HEAD_TOO_LARGE() : http && overHttp(http);
  const minutes = claims && Math.round((claims.expiresAt - now) / 60_000);
  const lines = [
    `Keys of ${publicKeyUrl}, issuer ${issuer ?? 'not checked'}, audience ${audience ?? 'not checked'}`,
    '',
    ...everywhere.map(lineOf),
    ...socket.map(lineOf),
    '',
    ...(claims
      ? [
          `It is of the subject ${claims.subject}, platform id ${claims.platformId ?? 'none that is verified'}.`,
          `It ends ${new Date(claims.expiresAt).toISOString()}, ${minutes} min from now.`,
        ]
      : []),
    `Over HTTP:     ${told ? `${told.status} ${told.code}` : 'taken'}`,
    `On the socket: ${game ? game.code : 'let in, if plugin version, platform id and player are: the service alone knows of PLUGIN_VERSION_NOT_ACCEPTED, PLATFORM_ID_TAKEN, BANNED and DRAINING'}`,
  ];
  return { exitCode: game === undefined ? 0 : 1, stdout: `${lines.join('\n')}\n`, stderr: '' };
}

/**
 * Answers one call of the command.
 * @param args the arguments of the command
 * @param environment names the identity provider
 */
export async function checkToken(args: string[], environment: NodeJS.ProcessEnv): Promise<CommandAnswer> {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: 'boolean', default: false } },
    });
    const [token, ...others] = positionals;
    if (values.help) return { exitCode: 0, stdout: `${HELP}\n`, stderr: '' };
    if (token === undefined || others.length > 0) throw new LocalProblem(`Give one token.\n\n${HELP}`);
    return await inspect(token, environment);
  } catch (error) {
    const isForPeople =
      error instanceof LocalProblem || String((error as { code?: string }).code).startsWith('ERR_PARSE_ARGS');
    const text = isForPeople ? (error as Error).message : (error as Error).stack;
    return { exitCode: 1, stdout: '', stderr: `${text}\n` };
  }
}

if (import.meta.main) await runCommand(checkToken);
