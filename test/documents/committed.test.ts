import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Parser } from '@asyncapi/parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { exampleMisfit } from '../harness/references.ts';

/** `npm run check` compares these files with the code; these tests check whether the files are valid and complete. */
const read = (file: string): string => readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8');

test('the HTTP reference is valid OpenAPI 3.1 and says nothing of the internal upload', async () => {
  const document = JSON.parse(read('docs/openapi.json'));
  const { valid, errors } = await new Validator().validate(document);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  expect(Object.keys(document.paths)).toContain('/pools/{poolGuid}/maps');
  expect(Object.keys(document.paths).filter((url) => url.startsWith('/internal'))).toEqual([]);
});

test('every operation has a name of its own and a summary', () => {
  const { paths } = JSON.parse(read('docs/openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string; summary?: string }>>;
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(operations.filter(({ summary }) => !summary)).toEqual([]);
});

test('every operation that needs a role names the refusal of those who do not have it', () => {
  const { paths } = JSON.parse(read('docs/openapi.json')) as {
    paths: Record<string, Record<string, { 'x-roles'?: string[]; responses: Record<string, unknown> }>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
  );
  const forStaff = operations.filter((operation) => operation['x-roles'] !== undefined);
  expect(forStaff.length).toBeGreaterThan(40);
  const silent = forStaff.filter(({ responses }) => !JSON.stringify(responses['403']).includes('FORBIDDEN'));
  expect(silent.map(({ name }) => name)).toEqual([]);
});

/** Where an object or a list of values stands without a name; a map of anything is no shape. */
function unnamed(value: unknown, place = '', isNamed = false): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties, oneOf, enum: values, not } = value as Record<string, unknown>;
  const here =
    !isNamed && not === undefined && [properties, oneOf, values].some((part) => part !== undefined);
  return Object.entries(value)
    .filter(([member]) => !['example', 'examples', 'default', 'x-errors'].includes(member))
    .flatMap(([member, inner]) =>
      unnamed(inner, `${place}/${member}`, place.endsWith('/components/schemas') || member === 'properties'),
    )
    .concat(here ? [place] : []);
}

test.each(['docs/openapi.json', 'docs/asyncapi.json'])('%s has a name for every shape', (file) => {
  expect(unnamed(JSON.parse(read(file)))).toEqual([]);
  expect(unnamed({ properties: { a: { enum: [1] } } })).toEqual(['/properties/a', '']);
});

test('every answer has the media type of its body, and every refusal is JSON, or a page where people log in', () => {
  const refusalTypes = (path: string): string =>
    ['/auth/login', '/auth/callback'].includes(path) ? 'application/json,text/html' : 'application/json';
  const { paths } = JSON.parse(read('docs/openapi.json')) as {
    paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
  };
  const wrong = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        // Nothing follows 101, 204 and a redirect; what has no status is described for all.
        .filter(([status]) => !/^(101|204|3..|default)$/.test(status))
        .map(([status, { content = {} }]) => ({ status: Number(status), types: Object.keys(content) }))
        .filter(({ status, types }) =>
          status >= 400 ? types.join() !== refusalTypes(path) : types.length === 0,
        )
        .map(({ status, types }) => `${method} ${path} ${status}: ${types}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test('the socket reference has every message of the channel', () => {
  const { operations } = JSON.parse(read('docs/asyncapi.json')) as { operations: Record<string, unknown> };
  expect(Object.keys(operations)).toEqual(
    expect.arrayContaining(
      'connect hello joinQueue leaveQueue joinMatch discardMaps selectMap setReady submitScore forfeit getMatchState queueUpdated matchUpdated serverNotice'.split(
        ' ',
      ),
    ),
  );
});

test('the example environment is a configuration that the service takes, but not in production as it is', () => {
  const environment = Object.fromEntries(
    read('.env.example')
      .split('\n')
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  expect(Object.values(environment).every((value) => value !== '')).toBe(true);
  expect(() => loadConfig(environment)).not.toThrow();
  for (const name of Object.keys(environment))
    expect(() => loadConfig(environment, { production: true })).toThrow(
      `  ${name} still has the placeholder`,
    );
});

test('every operation and every message has an example that fits its shape', () => {
  const { paths } = JSON.parse(read('docs/openapi.json')) as {
    paths: Record<
      string,
      Record<string, { operationId: string; requestBody?: Bodies; responses: Record<string, Bodies> }>
    >;
  };
  interface Bodies {
    content?: Record<string, { schema: { $ref?: string }; example?: unknown }>;
  }
  const bodies = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, responses['200'] ?? responses['201']].flatMap((body) =>
        Object.values(body?.content ?? {}).map((content) => ({ operationId, ...content })),
      ),
    )
    .filter(({ schema }) => schema.$ref !== undefined);
  expect(bodies.length).toBeGreaterThan(80);
  expect(bodies.filter(({ example }) => example === undefined).map(({ operationId }) => operationId)).toEqual(
    [],
  );
  const misfits = bodies.map(({ operationId, schema, example }) => ({
    operationId,
    problem: exampleMisfit('openapi', schema.$ref ?? '', example),
  }));
  expect(misfits.filter(({ problem }) => problem !== null)).toEqual([]);

  const { messages } = JSON.parse(read('docs/asyncapi.json')).components as {
    messages: Record<string, { payload: { $ref: string }; examples?: { payload: unknown }[] }>;
  };
  const wrong = Object.entries(messages).map(([name, { payload, examples }]) => ({
    name,
    problem: exampleMisfit('asyncapi', payload.$ref, examples?.[0]?.payload),
  }));
  expect(wrong.filter(({ problem }) => problem !== null)).toEqual([]);
});

test('the socket reference is valid AsyncAPI without warnings, also for tools that stop at 3.0', async () => {
  const document = { ...JSON.parse(read('docs/asyncapi.json')), asyncapi: '3.0.0' };
  const { diagnostics } = await new Parser().parse(JSON.stringify(document));
  // The parser only says that there is a newer version.
  expect(diagnostics.filter(({ code }) => code !== 'asyncapi-latest-version')).toEqual([]);
});
