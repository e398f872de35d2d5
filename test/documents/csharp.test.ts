import { expect, test } from 'vitest';
import { csharpContract, type OpenApiDocument } from '../../scripts/documents/csharp.ts';
import { asyncApiDocument } from '../../src/platform/documents/asyncapi.ts';
import { options } from './contract.ts';

const asyncApi = asyncApiDocument(options);
const openApiOf = (properties: object, required: string[] = []): OpenApiDocument =>
  ({
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          security: [],
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          },
        },
        post: {
          operationId: 'createThing',
          security: [{ bearer: [] }],
          responses: {
            201: { content: { 'application/json': { schema: { type: 'object', properties: {} } } } },
          },
        },
      },
    },
    components: { schemas: { Thing: { type: 'object', properties, required } } },
  }) as unknown as OpenApiDocument;

/** The members of a class or enum, a line each, without comments. */
function membersOf(source: string, name: string): string[] {
  const [, body = ''] =
    new RegExp(`(?:class|enum) ${name}\\n +\\{\\n(.*?)\\n    \\}`, 's').exec(source) ?? [];
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('///'));
}

test('members have types of C#, and those that may be null or left out can be null', () => {
  const source = csharpContract(
    openApiOf(
      {
        count: { type: 'integer' },
        limit: { type: ['integer', 'null'] },
        share: { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'Null: <none>' },
        name: { type: 'string' },
        note: { type: 'string' },
        tags: { type: 'array', items: { type: 'string', enum: ['so', '4L', 'NOT_FOUND'] } },
        state: { allOf: [{ $ref: '#/components/schemas/Thing' }], description: 'It' },
        checks: { type: 'object', additionalProperties: { type: 'boolean' } },
      },
      ['count', 'limit', 'share', 'name', 'tags', 'state', 'checks'],
    ),
    asyncApi,
  );
  expect(membersOf(source, 'Thing')).toEqual([
    '[JsonProperty("count", Required = Required.Always)]',
    'public long Count { get; set; }',
    '[JsonProperty("limit", Required = Required.AllowNull)]',
    'public long? Limit { get; set; }',
    '[JsonProperty("share", Required = Required.AllowNull)]',
    'public double? Share { get; set; }',
    '[JsonProperty("name", Required = Required.Always)]',
    'public string Name { get; set; }',
    '[JsonProperty("note", NullValueHandling = NullValueHandling.Ignore)]',
    'public string Note { get; set; }',
    '[JsonProperty("tags", Required = Required.Always)]',
    'public List<ThingTag> Tags { get; set; }',
    '[JsonProperty("state", Required = Required.Always)]',
    'public Thing State { get; set; }',
    '[JsonProperty("checks", Required = Required.Always)]',
    'public Dictionary<string, bool> Checks { get; set; }',
  ]);
  expect(membersOf(source, 'ThingTag')).toEqual([
    'Unknown = 0,',
    '[WireName("so")] So,',
    '[WireName("4L")] _4L,',
    '[WireName("NOT_FOUND")] NotFound,',
  ]);
  expect(source).toContain('/// <summary>Null: &lt;none&gt;</summary>');
});

test('messages have names of their own, whatever their shapes are called', () => {
  const source = csharpContract(openApiOf({}), asyncApi);
  expect(membersOf(source, 'PlayCardPayload')).toEqual([
    '[JsonProperty("cardGuid", Required = Required.Always)]',
    'public string CardGuid { get; set; }',
    '[JsonProperty("face", NullValueHandling = NullValueHandling.Ignore)]',
    'public PlayCardPayloadFace? Face { get; set; }',
    '[JsonProperty("note", NullValueHandling = NullValueHandling.Ignore)]',
    'public string Note { get; set; }',
  ]);
  expect(membersOf(source, 'PlayCardData')).toEqual([
    '[JsonProperty("table", Required = Required.Always)]',
    'public TestTable Table { get; set; }',
  ]);
});

test('every error code is there, and a code has its remedy', () => {
  const source = csharpContract(openApiOf({}), asyncApi);
  for (const { code } of options.catalogue)
    expect(membersOf(source, 'ErrorCode').join()).toContain(`[WireName("${code}")]`);
  expect(source).toMatch(/case ErrorCode\.RateLimited:[^;]*return Remedy\.Retry;/);
});

test('shapes that only staff receive are left out', () => {
  expect(csharpContract(openApiOf({}), asyncApi)).not.toContain('CreateThing');
});

test('two shapes of one name stop the generation', () => {
  const openApi = openApiOf({ top: { $ref: '#/components/schemas/TestCard' } });
  openApi.components.schemas.TestCard = { type: 'object', properties: { other: { type: 'string' } } };
  expect(() => csharpContract(openApi, asyncApi)).toThrow('Two shapes would be the C# type TestCard.');
});
