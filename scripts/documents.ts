import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { buildApp } from '../src/app.ts';
import { loadConfig, PLACEHOLDER } from '../src/config.ts';
import { type Variable, variables } from '../src/config-variables.ts';
import { catalogue, socketContract, socketExamples } from '../src/contract.ts';
import { LIFE, RULEBOOK } from '../src/domains/matches/index.ts';
import { systemClock, systemRandomness } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import {
  ALWAYS_POSSIBLE,
  type AsyncApiDocument,
  asyncApiDocument,
} from '../src/platform/documents/asyncapi.ts';
import { drawLife } from '../src/platform/documents/life.ts';
import { BOUNDS, type Bound, RATES, type Rate } from '../src/platform/limits.ts';
import { createServiceClock } from '../src/platform/service-clock.ts';
import { createArrivals } from '../src/platform/socket/arrivals.ts';
import { binding, breaks, losses } from './documents/compatibility.ts';
import { consoleContract } from './documents/console.ts';
import { csharpContract, type OpenApiDocument } from './documents/csharp.ts';
import { refusalsPage } from './documents/refusals.ts';
import { httpTypes, messageTypes } from './documents/typescript.ts';

/**
 * `node scripts/documents.ts write` makes the documents that come from the code;
 * `node scripts/documents.ts check` fails when the committed ones say something else. Both fail when a reference would
 * break a client that exists; `write accept` makes such a change.
 */

const root = path.join(import.meta.dirname, '..');

const described = Object.values<Variable>(variables);

/** The meaning of a variable. For a number also its bounds. */
const meaningOf = ({ meaning, schema: { description } }: Variable): string =>
  description === undefined ? meaning : `${meaning} A number ${description}.`;

/** Names, meanings and defaults of every variable, for people. */
function configurationTable(): string {
  const rows = described.map((about) => {
    const { name, default: value, required } = about;
    const preset = required ? '**required**' : value ? `\`${value}\`` : '–';
    return `| \`${name}\` | ${meaningOf(about).replaceAll('|', '\\|')} | ${preset} |`;
  });
  return `# Configuration

The service reads the environment once, at start, and checks all of it before it touches anything. A missing or malformed
value stops it with one line of the log per problem, at level 60, naming the variable and never its value. An empty value
counts as unset. Comma lists ignore spaces. Numbers are plain digits, with a fraction or without (\`1.5\`, not \`1e3\`); ports and hops have none.

Required are the variables of \`npm start\`, which is always production: \`npm run dev\`, \`npm run demo\` and
\`npm test\` bring their own. \`.env.example\` is a file to start from: copied to \`.env\` it is read by \`npm start\` and by the
composition, and what the environment has already counts more (\`node src/main.ts\`, as in the image, reads no file).
A value that still contains its placeholder \`${PLACEHOLDER}\` is refused.

This page is generated from \`src/config-variables.ts\` by \`npm run docs\`.

| Variable | Meaning | Default |
|---|---|---|
${rows.join('\n')}

\`POSTGRES_PASSWORD\` belongs to \`docker-compose.yml\` alone, which takes it from \`.env\` or the shell: the password of the database
it brings, \`matches\` when unset. It stands in an address as it is, so keep to letters, digits, \`-\` and \`_\`. The database takes
it when its volume is made: later it is changed there too ([operations.md](operations.md#secrets-and-keys)).
`;
}

/** The same as a file to copy: required variables with an example, others commented out. */
function environmentExample(): string {
  const entries = described.map((about) => {
    const { name, default: value = '', required, example = value } = about;
    return [`# ${meaningOf(about)}`, required ? `${name}=${example}` : `# ${name}=${value}`].join('\n');
  });
  return `# Copy to .env and change what is not commented out: \`npm start\` and docker-compose.yml read it, \`node src/main.ts\` does not.
# The environment counts more than this file. Placeholders are refused. A value with a # or with spaces at its ends stands
# in quotes, one with a $ in single quotes: else docker-compose.yml puts a variable there.
# Generated from src/config-variables.ts by \`npm run docs\`.

${entries.join('\n\n')}
`;
}

function amount({ value, unit }: Bound): string {
  if (unit === 'bytes') return value % 2 ** 20 === 0 ? `${value / 2 ** 20} MiB` : `${value / 1024} KiB`;
  if (unit === 'ms') return value % 3_600_000 === 0 ? `${value / 3_600_000} h` : `${value / 1000} s`;
  return String(value);
}

/** How often and how much, for people. */
function limitsPage(): string {
  const rates = Object.values<Rate>(RATES).map(({ most, everyMs, of, what, shared }) => {
    const span = everyMs === 86_400_000 ? '24 hours' : everyMs === 60_000 ? 'minute' : 'second';
    return `| ${what} | ${most} a ${span} | ${of} | ${shared ? 'together' : 'each for itself'} |`;
  });
  const bounds = Object.values<Bound>(BOUNDS).map(
    (bound) => `| ${bound.what} | ${amount(bound)} | ${bound.beyond} |`,
  );
  return `# Limits

Everything that is bounded, in one place. This page is generated from \`src/platform/limits.ts\` by \`npm run docs\`.

## How often

Each number is multiplied by \`RATE_LIMIT_FACTOR\`. Beyond it: 429 \`RATE_LIMITED\` with \`Retry-After\` over HTTP, the
code \`RATE_LIMITED\` with the time in its message on the socket. Several nodes
count together while \`REDIS_URL\` answers, each for itself otherwise.

An address is an IPv4 address, also where it is written as \`::ffff:\`, \`64:ff9b::\` or \`2002:\`, or an IPv6 network
of 64 bits; an IPv6 network of 48 bits has ten times as much.

| What | Most | For each | Nodes count |
|---|---|---|---|
${rates.join('\n')}

## How much and how long

| What | Most | Beyond it |
|---|---|---|
${bounds.join('\n')}
`;
}

const json = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

/** Both references as a service at the example address serves them. Connects to nothing. */
async function references(): Promise<{ openApi: OpenApiDocument; asyncApi: AsyncApiDocument }> {
  const config = loadConfig({
    ...Object.fromEntries(described.map(({ name, default: value, example = value }) => [name, example])),
    BASE_URL: 'https://matches.example.org',
  });
  const notRunning = (): never => {
    throw new Error('Only the documents are made here.');
  };
  const { http } = await buildApp({
    config,
    database: openDatabase({ url: config.databaseUrl }),
    storage: {
      put: notRunning,
      get: notRunning,
      has: notRunning,
      delete: notRunning,
      dropUnfinished: notRunning,
      isLocal: true,
      close: notRunning,
    },
    clock: systemClock,
    databaseClock: createServiceClock(),
    arrivals: createArrivals(systemClock),
    randomness: systemRandomness,
    logger: pino({ level: 'silent' }),
    bundle: { files: new Map(), entry: () => ({ file: '', imports: [] }) },
    rulebook: RULEBOOK,
    keys: {
      candidates: notRunning,
      refresh: notRunning,
      generation: () => 0,
      isDegraded: notRunning,
      close: notRunning,
    },
    redis: null,
    isStarted: () => true,
    isDraining: () => false,
    node: notRunning,
    channel: notRunning,
  });
  await http.ready();
  const openApi = http.swagger();
  await http.close();
  const { version } = openApi.info;
  const { baseUrl } = config;
  const asyncApi = asyncApiDocument({
    contract: socketContract,
    catalogue,
    baseUrl,
    version,
    socketExamples,
  });
  return { openApi: openApi as unknown as OpenApiDocument, asyncApi };
}

/** The life of a match as a picture of its own, light and dark. */
function lifePicture(): string {
  const style = `<style>
.life { --ink: #1f2328; --raised: #fff; --line: #9aa4af; --soft: #59636e; font: 13px system-ui, sans-serif; fill: var(--ink); }
.life rect { fill: var(--raised); stroke: var(--line); }
.life > path { fill: none; stroke: var(--soft); stroke-width: 1.5; }
.life .rail { stroke-dasharray: 4 4; }
.life marker path { fill: var(--soft); }
.life .when { font-size: 11px; fill: var(--soft); }
.life .limit { font-size: 8px; fill: var(--soft); }
@media (prefers-color-scheme: dark) { .life { --ink: #f0f6fc; --raised: #212830; --line: #656c76; --soft: #9198a1; } }
</style>`;
  const [opening = '', ...rest] = drawLife(LIFE).text.split('\n');
  return `${[opening.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" width="380" '), style, ...rest].join('\n')}\n`;
}

/** Every generated file by its place in the repository. */
async function generate(): Promise<Record<string, string>> {
  const { openApi, asyncApi } = await references();
  return {
    'docs/openapi.json': json(openApi),
    'docs/asyncapi.json': json(asyncApi),
    'kit/csharp/MatchService/Contract.cs': csharpContract(openApi, asyncApi),
    'kit/typescript/http.ts': await httpTypes(openApi),
    'src/console/contract.ts': consoleContract(openApi),
    'kit/typescript/messages.ts': await messageTypes(asyncApi),
    'docs/configuration.md': configurationTable(),
    'docs/limits.md': limitsPage(),
    'docs/refusals.md': refusalsPage(catalogue, socketContract, ALWAYS_POSSIBLE),
    'docs/match-life.svg': lifePicture(),
    '.env.example': environmentExample(),
  };
}

/** The references as clients know them, by their place in the repository. */
const BASELINES = {
  'test/documents/baseline/openapi.json': 'docs/openapi.json',
  'test/documents/baseline/asyncapi.json': 'docs/asyncapi.json',
};

const readText = (name: string): Promise<string> => readFile(path.join(root, name), 'utf8').catch(() => '');

/** Adds the references as clients know them from now on. @returns what clients could rely on and cannot any more */
async function addBaselines(files: Record<string, string>, isAccepted: boolean): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, reference] of Object.entries(BASELINES)) {
    const known = await readText(name);
    const document = JSON.parse(files[reference] ?? '');
    const problems = known === '' || isAccepted ? [] : breaks(JSON.parse(known), document);
    broken.push(...problems.map((problem) => `${reference}: ${problem}`));
    // Lists everything that the new document no longer says, also where the rules above find no break.
    if (known !== '' && problems.length === 0)
      for (const lost of losses(JSON.parse(known), binding(document)))
        console.error(`${reference} no longer has ${lost}`);
    files[name] = problems.length === 0 ? json(binding(document)) : known;
  }
  return broken;
}

const [command, accept] = process.argv.slice(2);
const files = await generate();
const broken = await addBaselines(files, accept === 'accept');
if (command === 'write') {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  console.log(`Written: ${Object.keys(files).join(', ')}.`);
} else if (command === 'check') {
  for (const [name, text] of Object.entries(files)) {
    if ((await readText(name)) === text) continue;
    console.error(`${name} is not what the code gives. Run \`npm run docs\` and commit it.`);
    process.exitCode = 1;
  }
  if (process.exitCode === undefined) console.log(`${Object.keys(files).length} documents are up to date.`);
} else {
  console.error('Say `write` or `check`.');
  process.exitCode = 1;
}
if (broken.length > 0) {
  console.error(`Clients that exist would break (CONTRIBUTING.md, "A change that breaks clients"):`);
  for (const problem of broken) console.error(`  ${problem}`);
  process.exitCode = 1;
}
