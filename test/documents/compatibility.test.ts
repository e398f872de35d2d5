import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { binding, breaks, losses } from '../../scripts/documents/compatibility.ts';

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

test.each(['openapi', 'asyncapi'])(
  'docs/%s.json breaks no client of the baseline, and the baseline is up to date',
  (name) => {
    const baseline = read(`test/documents/baseline/${name}.json`);
    const document = read(`docs/${name}.json`);
    expect(breaks(baseline, document)).toEqual([]);
    expect(binding(document)).toEqual(baseline);
  },
);

/** A document with one route. */
const http = () => ({
  paths: {
    '/things/{thingGuid}': {
      post: {
        operationId: 'changeThing',
        security: [{ bearer: [] }, { cookie: [] }],
        'x-roles': ['one', 'two'],
        parameters: [
          {
            in: 'query',
            name: 'limit',
            required: false,
            schema: { type: 'integer', maximum: 100, default: 20 },
          },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } },
        },
        responses: {
          '200': {
            headers: {
              'X-Checksum': { required: true, schema: { type: 'string' } },
              ETag: { $ref: '#/components/headers/ETag' },
            },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          '409': { content: {} },
        },
      },
    },
  },
  components: {
    headers: { ETag: { schema: { type: 'string' } } },
    schemas: {
      ErrorCode: { enum: ['GONE', 'NEW'] },
      Change: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 50 },
          kind: { enum: ['a', 'b'] },
          note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
      },
      Thing: {
        type: 'object',
        required: ['name', 'size'],
        properties: {
          name: { type: 'string' },
          size: { type: 'integer' },
          state: { enum: ['on', 'off'] },
          part: { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
        },
      },
      Part: { type: 'object', required: ['at'], properties: { at: { type: 'string', format: 'date-time' } } },
    },
  },
});

const changed = (document: any, change: (document: any, operation: any, schemas: any) => void): string[] => {
  const after = structuredClone(document);
  change(after, after.paths?.['/things/{thingGuid}']?.post, after.components.schemas);
  return breaks(document, after);
};

describe('a client is broken by', () => {
  test.each<[string, Parameters<typeof changed>[1], string]>([
    ['a route that is gone', (d) => delete d.paths['/things/{thingGuid}'], 'is gone'],
    ['another name of an operation', (_, o) => (o.operationId = 'other'), 'no longer changeThing'],
    ['a parameter that is gone', (_, o) => o.parameters.pop(), 'query limit is gone'],
    [
      'a parameter that is required',
      (_, o) => o.parameters.push({ in: 'query', name: 'new', required: true, schema: {} }),
      'query new is required',
    ],
    ['a lower maximum', (_, o) => (o.parameters[0].schema.maximum = 50), 'lower maximum'],
    ['a shorter text', (_, __, s) => (s.Change.properties.name.maxLength = 5), 'lower maxLength'],
    ['a pattern', (_, __, s) => (s.Change.properties.name.pattern = '^a$'), 'another pattern'],
    ['a value that is not taken any more', (_, __, s) => s.Change.properties.kind.enum.pop(), 'takes b'],
    ['a list of values', (_, __, s) => (s.Change.properties.name.enum = ['a']), 'no longer takes'],
    ['null that is not taken any more', (_, __, s) => s.Change.properties.note.anyOf.pop(), 'null'],
    ['a member that must be sent', (_, __, s) => s.Change.required.push('kind'), 'kind is required'],
    ['a member that is not taken any more', (_, __, s) => delete s.Change.properties.kind, 'kind is gone'],
    ['another type of body', (_, o) => (o.requestBody.content = { 'text/csv': {} }), 'application/json'],
    ['a member that is gone', (_, __, s) => delete s.Thing.properties.size, 'size is gone'],
    ['a member that may be missing', (_, __, s) => s.Thing.required.pop(), 'size may be missing'],
    ['a fraction', (_, __, s) => (s.Thing.properties.size.type = 'number'), 'may be number'],
    ['a null', (_, __, s) => (s.Thing.properties.size.type = ['integer', 'null']), 'may be null'],
    [
      'a member of an element of a list that is gone',
      (_, __, s) => delete s.Part.properties.at,
      'at is gone',
    ],
    ['another format', (_, __, s) => delete s.Part.properties.at.format, 'another format'],
    ['an answer that is gone', (_, o) => delete o.responses['200'], 'no longer answers 200'],
    ['another name of a shape', (_, __, s) => delete s.Part, 'the shape Part is gone'],
    ['a role that is not enough any more', (_, o) => o['x-roles'].pop(), 'closed to two'],
    [
      'a header that is gone',
      (_, o) => delete o.responses['200'].headers['X-Checksum'],
      'X-Checksum is gone',
    ],
    [
      'a header that may be missing',
      (_, o) => (o.responses['200'].headers['X-Checksum'].required = false),
      'X-Checksum may',
    ],
    [
      'another type of header',
      (d) => (d.components.headers.ETag.schema.type = 'integer'),
      'header ETag may be integer',
    ],
    [
      'another default',
      (_, o) => (o.parameters[0].schema.default = 50),
      'limit no longer is 20 when left out',
    ],
    [
      'a default that is gone',
      (_, o) => delete o.parameters[0].schema.default,
      'limit no longer is 20 when left out',
    ],
    [
      'an error code that is gone',
      (_, __, s) => s.ErrorCode.enum.shift(),
      'ErrorCode is never GONE any more',
    ],
    [
      'a value that is gone',
      (_, __, s) => s.Thing.properties.state.enum.pop(),
      'state is never off any more',
    ],
    ['credentials that are not taken any more', (_, o) => o.security.pop(), 'no longer takes cookie'],
  ])('%s', (_what, change, problem) => {
    const found = changed(http(), change);
    expect(
      found.some((one) => one.includes(problem)),
      found.join(),
    ).toBe(true);
  });
});

describe('a client is not broken by', () => {
  test.each<[string, Parameters<typeof changed>[1]]>([
    ['nothing', () => undefined],
    ['another route', (d) => (d.paths['/others'] = { get: {} })],
    ['a member of an answer', (_, __, s) => (s.Thing.properties.more = { type: 'string' })],
    ['a member that may be sent', (_, __, s) => (s.Change.properties.more = { type: 'string' })],
    ['a parameter that may be sent', (_, o) => o.parameters.push({ in: 'query', name: 'new', schema: {} })],
    ['a value that is added', (_, __, s) => s.Thing.properties.state.enum.push('asleep')],
    ['a value that may be sent', (_, __, s) => s.Change.properties.kind.enum.push('c')],
    ['a member that is always there', (_, __, s) => s.Thing.required.push('part')],
    ['a part that is no longer null', (_, __, s) => s.Thing.properties.part.anyOf.pop()],
    ['a refusal that is gone', (_, o) => delete o.responses['409']],
    ['a role that is enough', (_, o) => o['x-roles'].push('three')],
    ['a route that is open', (_, o) => Object.assign(o, { security: [], 'x-roles': [] })],
    ['words', (_, o) => (o.description = 'Other words.')],
  ])('%s', (_what, change) => {
    expect(changed(http(), change)).toEqual([]);
  });
});

describe('on the socket a client is broken by', () => {
  const socket = {
    channels: { socket: { address: '/' } },
    operations: {
      play: {
        action: 'receive',
        messages: [{ $ref: '#/components/messages/play' }],
        reply: { messages: [{ $ref: '#/components/messages/done' }] },
      },
      told: { action: 'send', messages: [{ $ref: '#/components/messages/told' }] },
    },
    components: {
      messages: {
        play: { name: 'play', payload: { $ref: '#/components/schemas/Play' } },
        done: { payload: { $ref: '#/components/schemas/Done' } },
        told: { payload: { $ref: '#/components/schemas/Told' } },
      },
      schemas: {
        Play: { type: 'object', required: [], properties: { card: { type: 'string' } } },
        Done: { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } },
        Told: { type: 'object', required: ['at'], properties: { at: { type: 'string' } } },
      },
    },
  };

  test.each<[string, Parameters<typeof changed>[1], string]>([
    ['a message that is gone', (d) => delete d.operations.play, 'play is gone'],
    ['a member that must be sent', (_, __, s) => s.Play.required.push('card'), 'card is required'],
    ['an acknowledgement that lacks a member', (_, __, s) => delete s.Done.properties.ok, 'ok is gone'],
    ['another address', (d) => (d.channels.socket.address = '/play'), 'socket is no longer at /'],
    ['another name of a message', (d) => (d.components.messages.play.name = 'move'), 'no longer named play'],
    ['a message that lacks a member', (_, __, s) => delete s.Told.properties.at, 'at is gone'],
  ])('%s', (_what, change, problem) => {
    const found = changed(socket, change);
    expect(
      found.some((one) => one.includes(problem)),
      found.join(),
    ).toBe(true);
  });
});

test('the losses of a reference are named, also where no client breaks', () => {
  const after = http();
  delete (after.paths['/things/{thingGuid}'].post.responses as Partial<Record<string, object>>)['409'];
  after.components.schemas.ErrorCode.enum = ['NEW', 'OTHER'];
  expect(losses(http(), after)).toEqual([
    '/paths//things/{thingGuid}/post/responses/409',
    '/components/schemas/ErrorCode/enum: "GONE"',
  ]);
});
