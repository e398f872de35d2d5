import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../src/contract.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** Operators type names from the page, so the page has the names of the service. */

const METRICS_TOKEN = 'a-secret-of-whoever-is-on-call-now';
const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const page = readFileSync(pathOf('docs/operations.md'), 'utf8');
const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const codeSpans = (text: string): string[] =>
  [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

let service: TestService;
beforeAll(async () => {
  // Metrics of a Redis are there where one is configured, whether it answers or not.
  service = await startTestService({ environment: { METRICS_TOKEN, REDIS_URL: 'redis://127.0.0.1:1' } });
});
afterAll(() => service.stop());
const metrics = async (): Promise<string> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`${service.url}/metrics`, { headers })).text();
};

test('every metric that is watched or raises an alert is one of the service', async () => {
  const known = new Set(
    [...(await metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
  const named = codeSpans(section('What to watch') + section('Alerts')).flatMap((code) =>
    [...code.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b(?=[{[ ]|$)/g)].map(([name]) => name),
  );
  const functions = new Set(['histogram_quantile']);
  const unknown = named.filter((name) => !known.has(name) && !functions.has(name));
  expect(named.length).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});

test('every counter of which a few events raise an alert is 0 from the start of the node', async () => {
  const text = await metrics();
  const increases = [
    ...section('Alerts').matchAll(/(?:increase|rate(?=\([^)]*\)\) > 0[ `]))\((\w+)(?:\{(.*?)\})?\[/g),
  ];
  const silent = increases.flatMap(([, name = '', labels = '']) => {
    const zeros = text.match(new RegExp(`^${name}(\\{.*\\})? 0$`, 'gm')) ?? [];
    const selected = [...labels.matchAll(/(\w+)=~?"([^"]+?)(?:\.\*)?"/g)].flatMap(([, label, values = '']) =>
      values.split('\\|').map((value) => `${label}="${value}`),
    );
    return ['', ...selected]
      .filter((one) => !zeros.some((line) => line.includes(one)))
      .map((one) => `${name} ${one}`);
  });
  expect(increases.filter(([, , labels]) => labels?.includes('SERVICE_UNAVAILABLE')).length).toBe(2);
  expect(increases.length).toBeGreaterThan(12);
  expect(silent).toEqual([]);
});

test('every code that raises an alert is one of the catalogue', () => {
  const codes = new Set(catalogue.map(({ code }) => code));
  const named = [...section('Alerts').matchAll(/(?:code|outcome)=~?"([A-Z_|\\]+)"/g)].flatMap(
    ([, list = '']) => list.split('\\|'),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((code) => !codes.has(code))).toEqual([]);
});

test('every log line that is explained is written somewhere in src', () => {
  const sources = readdirSync(pathOf('src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('local'))
    .map((file) => readFileSync(pathOf(`src/${file}`), 'utf8'))
    .join('\n');
  const lines = [...section('The log').matchAll(/^\| (`.*?) \| [345]0/gm)].flatMap(([, cell = '']) =>
    codeSpans(cell),
  );
  expect(lines.length).toBeGreaterThan(25);
  // A line that ends in an ellipsis names what the line begins with.
  const isWritten = (line: string): boolean =>
    sources.includes(line.endsWith('…') ? `'${line.slice(0, -2)}` : `'${line}'`);
  expect(lines.filter((line) => !isWritten(line))).toEqual([]);
});

test('every table of the database is listed, with how long its rows are kept', () => {
  const models = [...readFileSync(pathOf('prisma/schema.prisma'), 'utf8').matchAll(/^model (\w+)/gm)];
  const tables = models.map(([, name = '']) => name);
  const cells = [...section('What is kept, and for how long').matchAll(/^\| (`.*?) \|/gm)];
  const listed = cells.flatMap(([, cell = '']) => codeSpans(cell));
  expect(tables.length).toBeGreaterThan(30);
  expect(listed.toSorted()).toEqual(tables.toSorted());
});

test('every task that the page names is a task of a node', () => {
  const tasks = [...readFileSync(pathOf('src/tasks.ts'), 'utf8').matchAll(/name: '([^']+)'/g)];
  const rows = section('What is kept, and for how long').matchAll(/^\|.*\| (.*) \|$/gm);
  const named = [...rows].flatMap(([, cell = '']) => codeSpans(cell)).filter((name) => !/^[A-Z]/.test(name));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !tasks.some(([, task]) => task === name))).toEqual([]);
});

test('every link within the page, such as that of an alert, leads to a heading', () => {
  const anchors = new Set(
    [...page.matchAll(/^###? (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  const links = [...page.matchAll(/\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((anchor) => !anchors.has(anchor ?? ''))).toEqual([]);
});
