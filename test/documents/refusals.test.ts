import { expect, test } from 'vitest';
import { catalogue } from '../../src/contract.ts';
import { pageOf, tableOf } from './tables.ts';

test('the table of refusals has every code of the catalogue, with what to do', () => {
  const rows = tableOf(pageOf('refusals.md'), '| Code').map(([code = '', remedy = '']) => [
    code.replaceAll('`', ''),
    remedy,
  ]);
  const words = { retry: 'retry', new_token: 'new token', update_plugin: 'update the plugin', stop: 'stop' };
  expect(rows).toEqual(catalogue.map(({ code, remedy }) => [code, words[remedy]]));
});

test('the advice fits the status', () => {
  const wrong = catalogue.filter(({ code, status, remedy }) => {
    if (code === 'UPLOAD_DISABLED') return remedy !== 'stop';
    if (status === 401) return remedy !== 'new_token';
    return (status === 408 || status === 429 || status >= 500) !== (remedy === 'retry');
  });
  expect(wrong).toEqual([]);
});
