import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The HTTP reference as it is committed; another test compares it with the code, and the linter checks each example. */
const { paths, components } = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
);
const operations: any[] = Object.values(paths).flatMap((methods: any) => Object.values(methods));

test('every parameter says what it means and looks like', () => {
  const lacking = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters
      .filter(
        ({ description, example, schema }: any) => !description || (example ?? schema.examples) === undefined,
      )
      .map(({ name }: any) => `${operationId} ${name}`),
  );
  expect(lacking).toEqual([]);
});

test('every answer of a shape with a name has an example, refusals one for each code that they name', () => {
  const answers = operations.flatMap(({ operationId, responses }) =>
    Object.entries<any>(responses).flatMap(([status, { content = {}, description }]) =>
      Object.values<any>(content).map((one) => ({ place: `${operationId} ${status}`, description, ...one })),
    ),
  );
  const named = answers.filter(({ schema }) => schema?.$ref !== undefined);
  const lacking = named.filter(
    ({ example, examples = {} }) => example === undefined && Object.keys(examples).length === 0,
  );
  // Its refusal is a report of its own shape.
  expect(lacking.map(({ place }) => place)).toEqual(['getReadiness 503']);
  const shown = named.filter(({ schema }) => schema.$ref === '#/components/schemas/Refusal');
  expect(shown.length).toBeGreaterThan(400);
  for (const { place, description, examples } of shown) {
    const codes = [...description.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code);
    expect([place, ...Object.keys(examples).sort()]).toEqual([place, ...new Set(codes.sort())]);
    for (const code of codes) expect(components.examples[code].value.error.code).toBe(code);
  }
});
