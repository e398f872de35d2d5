import { type Html, html } from '../../platform/documents/html.ts';
import { ACCOUNT_NAMES, ACCOUNTS } from './accounts.ts';

/** A whole page: no scripts, nothing from other hosts, readable in either colour scheme. */
const page = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 3rem auto; padding: 0 1rem; }
button { font: inherit; display: block; width: 100%; margin: .5rem 0; padding: .75rem 1rem; text-align: left; cursor: pointer; }
button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
pre { overflow-x: auto; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text;

/** The choice of an account; the form is sent to the page's own address. */
export function loginPage(clientId: string): string {
  const buttons = Object.entries(ACCOUNTS).map(([name, { permissions, username }]) => {
    const roles = permissions.length === 0 ? 'a player' : permissions.join(', ');
    return html`<button name="account" value="${name}">${username} (${roles})</button>\n`;
  });
  return page(
    'Log in locally',
    html`<p>This is the local identity provider: no passwords, nobody real. Choose who you are for
<strong>${clientId}</strong>.</p>
<form method="post">
<fieldset>
<legend>Accounts</legend>
${buttons}</fieldset>
<button name="decision" value="deny">Deny access</button>
</form>`,
  );
}

export const errorPage = (message: string): string =>
  page('This login cannot go on', html`<p role="alert">${message}</p>\n<p>Start again from the website.</p>`);

/** The use of the provider without a browser. */
export function helpPage(issuer: string): string {
  return page(
    'Local identity provider',
    html`<p>For this machine only. Tokens for scripts and bots:</p>
<pre><code>curl -s ${issuer}/local/tokens -H 'Content-Type: application/json' \\
  -d '{"account":"admin"}'

curl -s ${issuer}/local/tokens -H 'Content-Type: application/json' \\
  -d '{"game":{"platformId":"9000000000000100","username":"Bot"}}'</code></pre>
<p>Accounts: ${ACCOUNT_NAMES.join(', ')}. Optional: <code>expiresInSeconds</code>.</p>
<p>Public key: <a href="/jwks">/jwks</a>, <a href="/public-key.pem">/public-key.pem</a>,
<a href="/public-key.json">/public-key.json</a>.</p>`,
  );
}

/** A round picture whose colour tells players apart. */
export function avatarSvg(platformId: string): string {
  const hue = [...platformId].reduce((sum, digit) => (sum * 31 + Number(digit) * 47) % 360, 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="32" fill="hsl(${hue} 60% 45%)"/></svg>\n`;
}
