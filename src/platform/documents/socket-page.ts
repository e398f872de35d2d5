import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AsyncApiDocument, SocketOperation } from './asyncapi.ts';
import { GUIDES } from './guides.ts';
import { Html, html } from './html.ts';
import type { Json, JsonObject } from './json-schema.ts';
import { drawLife } from './life.ts';
import type { PageSources } from './page-headers.ts';

/** The socket reference for people: one page without scripts, made from the AsyncAPI document alone. */

const ownStyle = readFileSync(new URL('./socket-page.css', import.meta.url), 'utf8');

/** The common parts of all pages of the service. */
export interface PageLook {
  /** Their stylesheet. */
  style: string;
  /** The name of the site, as it stands in their header. */
  site: string;
}

/** The style of the page: that of all pages, and its own rules. */
export const socketPageStyle = ({ style }: PageLook): string => style + ownStyle;

/** Everything is in the page itself, allowed by its hash. */
export const socketPageSources = (style: string): PageSources => ({
  'style-src': [`'sha256-${createHash('sha256').update(style).digest('base64')}'`],
});

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schemas of a union; empty for other schemas. */
const unionOf = (schema: JsonObject): JsonObject[] =>
  [schema.anyOf, schema.oneOf, schema.allOf].flatMap((union) =>
    Array.isArray(union) ? union.filter(isObject) : [],
  );

const alternatives = (parts: Html[]): Html =>
  html`${parts.map((part, at) => (at === 0 ? part : html` | ${part}`))}`;

function inline(line: string): Html[] {
  return line.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
    if (piece.startsWith('**')) return html`<strong>${piece.slice(2, -2)}</strong>`;
    return html`${piece}`;
  });
}

/** A schema in the notation of TypeScript: named shapes are links, descriptions are comments. */
function notation(schema: JsonObject, indent = ''): Html {
  if (typeof schema.$ref === 'string') {
    const name = nameOf(schema.$ref);
    return html`<a href="#shape-${name}">${name}</a>`;
  }
  const union = unionOf(schema);
  if (union.length > 0) return alternatives(union.map((one) => notation(one, indent)));
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (Array.isArray(schema.enum))
    return alternatives(schema.enum.map((value) => html`${JSON.stringify(value)}`));
  if (Array.isArray(schema.type)) return html`${schema.type.join(' | ')}`;
  if (schema.type === 'array')
    return html`Array<${notation(isObject(schema.items) ? schema.items : {}, indent)}>`;
  if (schema.type === 'object') return objectNotation(schema, indent);
  const { type = 'anything', format, minimum = '', maximum = '' } = schema;
  const bounds = minimum === '' && maximum === '' ? '' : ` ${minimum}…${maximum}`;
  return html`${String(type)}${bounds}${format === undefined ? '' : ` (${format})`}`;
}

function objectNotation({ properties, required }: JsonObject, indent: string): Html {
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, field]) => {
    const { description, ...schema } = isObject(field) ? field : {};
    const optional = Array.isArray(required) && required.includes(name) ? '' : '?';
    const comment = typeof description === 'string' ? html` <i>// ${inline(description)}</i>` : '';
    return html`\n${indent}  ${name}${optional}: ${notation(schema, `${indent}  `)}${comment}`;
  });
  return fields.length === 0 ? html`{}` : html`{${fields}\n${indent}}`;
}

const shape = (schema: JsonObject): Html => html`<pre tabindex="0"><code>${notation(schema)}</code></pre>`;

/** The markup of our descriptions: paragraphs, `code` and **bold**. */
const prose = (text: string): Html =>
  html`${text.split(/\n\s*\n/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;

/** A real message as an example, closed until the reader opens it. */
const sample = (title: string, value: unknown): Html =>
  value === undefined
    ? html``
    : html`<details><summary>${title}</summary><pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre></details>`;

const codeList = (codes: readonly string[]): Html =>
  html`<ul class="codes">${codes.map((code) => html`<li><a href="#error-${code}"><code>${code}</code></a></li>`)}</ul>`;

const CONNECT_JAVASCRIPT = (base: string) => `import { io } from 'socket.io-client';

const socket = io('${base}', { auth: { token, pluginVersion: '1.4.0' } });
socket.on('connect_error', (error) => console.error(error.message)); // the code
socket.on('matchUpdated', ({ match, cause }) => show(match));

// After every connection: everything the player has to know.
socket.on('connect', async () => {
  const { ok, data, error } = await socket.timeout(10_000).emitWithAck('hello', {});
});`;

const CONNECT_CSHARP = (base: string) => `var client = new MatchClient(new MatchClientOptions {
    Address = new Uri("${base}"),
    PluginVersion = "1.4.0",
    GetToken = (renew, stop) => GetToken(renew), // asked before every connection
});
client.ConnectionChanged += status => Show(status); // a refusal within half a second, with what to do
client.Greeted += hello => Show(hello);             // after every connection
client.MatchChanged += (match, cause) => Show(match);
client.Start();

await client.JoinQueue(queueGuid); // repeated until it is answered`;

/** Finds the schemas that a document refers to. */
function createLookup({ messages, schemas }: AsyncApiDocument['components']) {
  const resolve = (schema: JsonObject): JsonObject =>
    typeof schema.$ref === 'string' ? resolve(schemas[nameOf(schema.$ref)] ?? {}) : schema;
  return {
    resolve,
    payloadOf: (ref: { $ref: string } | undefined): JsonObject => {
      const message = ref && messages[nameOf(ref.$ref)];
      return message ? resolve({ $ref: message.payload.$ref }) : {};
    },
    exampleOf: (ref: { $ref: string } | undefined): unknown =>
      (ref && messages[nameOf(ref.$ref)])?.examples?.[0]?.payload,
  };
}

type Lookup = ReturnType<typeof createLookup>;

/** The named shapes that are no payload of their own. */
function shapesOf({ operations, components: { messages, schemas } }: AsyncApiDocument) {
  const payloads = new Set(
    Object.values(operations)
      .flatMap(({ messages, reply }) => [...messages, ...(reply?.messages ?? [])])
      .map(({ $ref }) => nameOf(messages[nameOf($ref)]?.payload.$ref ?? '')),
  );
  return Object.entries(schemas).filter(([name]) => !payloads.has(name));
}

const articleOf =
  ({ payloadOf, exampleOf }: Lookup) =>
  ([event, { action, summary, messages, reply, 'x-refusals': refusals }]: [
    string,
    SocketOperation,
  ]): Html => {
    const { properties } = reply ? payloadOf(reply.messages[0]) : {};
    const data = isObject(properties) ? properties.data : undefined;
    return html`
<article id="${event}" aria-labelledby="${event}-title">
<h3 id="${event}-title"><span class="direction ${action}">${action === 'receive' ? 'client → server' : 'server → client'}</span><code>${event}</code></h3>
${prose(summary)}
<h4>Payload</h4>
${shape(payloadOf(messages[0]))}
${sample('Example', exampleOf(messages[0]))}
${isObject(data) ? html`<h4>Data of a success</h4>${shape(data)}` : ''}
${sample('Example of the acknowledgement', exampleOf(reply?.messages[0]))}
${refusals === undefined ? '' : html`<h4>Codes of a refusal</h4>${codeList(refusals)}`}
</article>`;
  };

const links = (title: string, entries: { href: string; label: string }[]): Html => html`
<section class="${title.toLowerCase()}"><h2>${title}</h2><ul>${entries.map(({ href, label }) => html`<li><a href="#${href}">${label}</a></li>`)}</ul></section>`;
const toLinks = (entries: Named, prefix = '') => entries.map(([label]) => ({ href: prefix + label, label }));

const connectSection = (
  connect: SocketOperation,
  base: string,
  { payloadOf, exampleOf }: Lookup,
): Html => html`
${shape(payloadOf(connect.messages[0]))}
<h3>JavaScript, socket.io-client 4</h3>
<pre tabindex="0"><code>${CONNECT_JAVASCRIPT(base)}</code></pre>
<h3>C#, SocketIOClient 3.0</h3>
<p>The library alone hears of a refusal after 20 s, never tries again after a refused reconnect, and does not wait between attempts. This client does, with it: <a href="/docs/MatchService.cs">one file</a>, <a href="/docs/Sample.cs">a sample</a> and <a href="/docs/csharp.md">how to use them</a>.</p>
<pre tabindex="0"><code>${CONNECT_CSHARP(base)}</code></pre>
<h3>Codes of a <code>connect_error</code></h3>
<p>In the order in which they are checked, except that <code>RATE_LIMITED</code> of an address comes before those of the token.</p>
${codeList(connect['x-refusals'] ?? [])}
<h3>What a <code>connect_error</code> carries</h3>
${shape(payloadOf(connect.reply?.messages[1]))}
${sample('Example', exampleOf(connect.reply?.messages[1]))}`;

const shapeSection = ([name, schema]: [string, JsonObject]): Html => html`
<article id="shape-${name}" aria-labelledby="shape-${name}-title"><h3 id="shape-${name}-title">${name}</h3>
${typeof schema.description === 'string' ? prose(schema.description) : ''}
${shape(schema)}</article>`;

const errorTable = (errors: AsyncApiDocument['x-errors']): Html => html`
<div class="scroll" role="region" aria-label="Error catalogue" tabindex="0"><table>
<thead><tr><th scope="col">Code</th><th scope="col">What to do</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${errors.map(
  ({ code, status, remedy, message }) => html`
<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${remedy.replace('_', ' ')}</td><td class="code-status">${status}</td><td>${inline(message)}</td></tr>`,
)}</tbody>
</table></div>`;

type Named = [name: string, about: unknown][];

const contents = (toServer: Named, toClient: Named, shapes: Named): Html => html`
<nav class="contents" aria-label="Contents">
${links('Channel', [
  { href: 'content', label: 'Overview' },
  { href: 'life', label: 'The life of a match' },
  { href: 'connect', label: 'Connect' },
  { href: 'acknowledgement', label: 'Acknowledgement' },
])}
${links('Client → server', toLinks(toServer))}
${links('Server → client', toLinks(toClient))}
${links('Shapes', toLinks(shapes, 'shape-'))}
${links('Errors', [{ href: 'errors', label: 'Catalogue' }])}
</nav>`;

/** The page, whole. Everything on it but its frame comes from the document. */
export function renderSocketPage(document: AsyncApiDocument, style: string, { site }: PageLook): string {
  const lookup = createLookup(document.components);
  const { connect, ...events } = document.operations;
  const toServer = Object.entries(events).filter(([, { action }]) => action === 'receive');
  const toClient = Object.entries(events).filter(([, { action }]) => action === 'send');
  const shapes = shapesOf(document);
  const article = articleOf(lookup);
  const { host, protocol, pathname } = document.servers.main;
  const base = `${protocol === 'wss' ? 'https' : 'http'}://${host}${pathname.replace(/\/socket\.io\/$/, '')}`;

  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><nav aria-label="Main"><a href="/">${site}</a></nav></header>
<div class="layout">
${contents(toServer, toClient, shapes)}
<main id="content">
<h1>${document.info.title}</h1>
<p class="lead">Version ${document.info.version} at <code>${base}</code>. The same as a document: <a href="/socket-docs.json">AsyncAPI ${document.asyncapi}</a>. The routes: <a href="/docs">HTTP reference</a>. The pages for players: <a href="/">start page</a>.</p>
<ul>${GUIDES.map(({ url, title }) => html`<li><a href="${url}">${title}</a></li>`)}</ul>
${prose(document.info.description)}

<h2 id="life">The life of a match</h2>
${drawLife(document['x-life'])}

<h2 id="connect">Connect</h2>
${connect === undefined ? '' : connectSection(connect, base, lookup)}

<h2 id="acknowledgement">Acknowledgement</h2>
<p>A success carries <code>ok: true</code> and the <code>data</code> of the message, described below for each. A refusal is:</p>
${shape(lookup.resolve({ $ref: '#/components/schemas/Failure' }))}
${sample('Example', document.components.messages.refused?.examples?.[0]?.payload)}

<h2>Client → server</h2>
${toServer.map(article)}
<h2>Server → client</h2>
${toClient.map(article)}

<h2 id="shapes">Shapes</h2>
${shapes.map(shapeSection)}

<h2 id="errors">Errors</h2>
<p>One catalogue for HTTP and socket. On the socket the code and a message travel; the status is HTTP’s.</p>
${errorTable(document['x-errors'])}
</main>
</div>
<footer><a href="/">Start page</a><a href="/docs">HTTP reference</a></footer>
</body>
</html>
`.text;
}
