import { Parser } from '@asyncapi/parser';
import { expect, test } from 'vitest';
import { asyncApiDocument } from '../../src/platform/documents/asyncapi.ts';
import { options } from './contract.ts';

const document = asyncApiDocument(options);

test('the socket document is valid AsyncAPI 3.1 without warnings', async () => {
  const { diagnostics } = await new Parser().parse(JSON.stringify(document));
  expect(diagnostics).toEqual([]);
});

test('a shape that several messages carry is described once and referred to', () => {
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Failure', 'TestCard', 'TestTable']),
  );
  const shared = { $ref: '#/components/schemas/TestTable' };
  for (const event of ['PlayCard', 'Look'])
    expect(document.components.schemas[`${event}DoneMessage`]).toMatchObject({
      properties: { ok: { const: true }, data: { properties: { table: shared } } },
    });
  expect(document.components.schemas.TableChangedMessage).toMatchObject({
    properties: { table: { anyOf: [shared, { type: 'null' }] } },
  });
});

test('messages have real requests and answers as examples', () => {
  const { playCard, playCardDone } = document.components.messages;
  expect(playCard?.examples).toEqual([{ payload: { cardGuid: 'a' } }]);
  expect(playCardDone?.examples).toEqual([{ payload: { ok: true, data: { table: { top: null } } } }]);
});

test('shapes that no message carries are left out', () => {
  expect(Object.keys(document.components.schemas)).not.toContain('TestUnused');
});

test('a payload is described as the client writes it: what has a default may be left out', () => {
  expect(document.components.schemas.PlayCardMessage).toMatchObject({
    additionalProperties: false,
    required: ['cardGuid'],
    properties: { face: { default: 'up' } },
  });
});

test('integers are not bounded by what a double can hold', () => {
  expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

test('every message is acknowledged by its own success or the one failure', () => {
  expect(document.operations.playCard?.reply?.messages).toEqual([
    { $ref: '#/channels/socket/messages/playCardDone' },
    { $ref: '#/channels/socket/messages/refused' },
  ]);
  expect(document.operations.tableChanged?.reply).toBeUndefined();
});

test('a message lists its own codes and those that are always possible', () => {
  expect(document.operations.playCard?.['x-refusals']).toEqual([
    'TEST_NOT_HELD',
    'VALIDATION_FAILED',
    'RATE_LIMITED',
    'SERVICE_UNAVAILABLE',
    'INTERNAL_ERROR',
  ]);
  expect(document.operations.connect?.['x-refusals']).toEqual(['TEST_TOKEN_MISSING', 'RATE_LIMITED']);
});

test('the server is where the service is, below the path of a proxy', () => {
  expect(document.servers.main).toMatchObject({
    host: 'matches.example.org',
    protocol: 'wss',
    pathname: '/ranked/socket.io/',
  });
});

test('the document is the same each time it is made', () => {
  expect(asyncApiDocument(options)).toEqual(document);
});

test('an undeclared error code prevents the start', () => {
  const { contract } = options;
  const handshake = { ...contract.handshake, refusals: ['NOBODY_DECLARED_THIS'] };
  expect(() => asyncApiDocument({ ...options, contract: { ...contract, handshake } })).toThrow(
    'connect names codes nobody declares: NOBODY_DECLARED_THIS.',
  );
});
