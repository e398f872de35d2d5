import type { SocketContract } from '../../src/platform/documents/asyncapi.ts';
import type { CatalogueEntry, Remedy } from '../../src/platform/errors.ts';

const REMEDIES: Record<Remedy, string> = {
  retry: 'retry',
  new_token: 'new token',
  update_plugin: 'update the plugin',
  stop: 'stop',
};

/** Where on the socket a code may come, by its name. */
function placesOf(
  { handshake, toServer }: SocketContract,
  everywhere: readonly string[],
): Map<string, string> {
  const places = new Map<string, string[]>();
  const add = (code: string, place: string) => places.set(code, [...(places.get(code) ?? []), place]);
  for (const code of handshake.refusals) add(code, 'handshake');
  for (const [event, { refusals }] of Object.entries(toServer))
    for (const code of refusals) if (!everywhere.includes(code)) add(code, `\`${event}\``);
  for (const code of everywhere) add(code, 'every event');
  return new Map([...places].map(([code, found]) => [code, found.join(', ')]));
}

/**
 * The page of all refusals, for the authors of clients.
 * @param everywhere codes with which any event may be refused
 */
export function refusalsPage(
  catalogue: readonly CatalogueEntry[],
  contract: SocketContract,
  everywhere: readonly string[],
): string {
  const places = placesOf(contract, everywhere);
  const rows = catalogue.map(
    ({ code, status, remedy, message }) =>
      `| \`${code}\` | ${REMEDIES[remedy]} | ${places.get(code) ?? ''} | ${status} | ${message.replaceAll('|', '\\|')} |`,
  );
  return `# Refusals

Every code that the service answers with, and what a client does about it. A code means one thing, is never renamed, and
is the same over HTTP (\`error.code\`), in an acknowledgement (\`error.code\`) and in a refused handshake (the message of
\`connect_error\`). Show the player the message that comes with it: it has the numbers, names and times that this table cannot have.

| What to do | Means |
|---|---|
| retry | Send the same again later. When: \`retryAfterMs\` of a refused handshake, \`Retry-After\` (seconds) over HTTP. Where neither is given, after 0.5 to 2 s, then after twice as long each further time, up to 10 s, each drawn by lot. Sending a command again has no second effect. |
| new token | Get another token from the identity provider, and try once more. Refused with the same code again: stop. [identity-provider.md](identity-provider.md) says what a token needs; \`npm run check-token -- <jwt>\` says what yours lacks. |
| update the plugin | Tell the player to update the plugin. The message names the version to get; \`GET /plugin-releases\` has the file. |
| stop | The same again is refused again. Show the message, draw the state as it is (\`hello\`, \`getMatchState\`), and go on with something else. It does not mean to disconnect. A code that your plugin does not know means the same. |

An empty place in the third column: the code comes over HTTP alone.

| Code | What to do | On the socket | HTTP | Message, unless a more exact one comes |
|---|---|---|---|---|
${rows.join('\n')}

This page is generated from the catalogue of the code by \`npm run docs\`.
`;
}
