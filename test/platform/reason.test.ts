import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../src/local/postgres.ts';
import { OutOfReach } from '../../src/platform/database/out-of-reach.ts';
import { reasonOf } from '../../src/platform/reason.ts';

test('a request that did not arrive tells why', async () => {
  const port = await freePort();
  const failure = await fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error);
  expect(reasonOf(failure)).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`);
});

test('a host with several addresses, none of which answers, tells of the first', async () => {
  const port = await freePort();
  const socket = connect({
    host: 'several.example',
    port,
    autoSelectFamily: true,
    lookup: (_host, _options, found) =>
      found(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 },
      ]),
  });
  const [failure] = await once(socket, 'error').catch((error: unknown) => [error]);
  expect(failure).toBeInstanceOf(AggregateError);
  const reason = `connect ECONNREFUSED 127.0.0.1:${port}`;
  expect(reasonOf(failure)).toBe(reason);
  expect(new OutOfReach(failure).message).toBe(`the database is out of reach: ${reason}`);
});

test('an error that says what is wrong tells its message and not its cause', () => {
  expect(reasonOf(new Error('it answered nonsense', { cause: new Error('Unexpected token') }))).toBe(
    'it answered nonsense',
  );
  expect(reasonOf('a text')).toBe('a text');
});
