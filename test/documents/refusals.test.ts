import { expect, test } from 'vitest';
import { catalogue } from '../../src/contract.ts';
import { CSHARP_KIT } from '../../src/platform/documents/csharp-kit.ts';
import { pageOf, tableOf } from './tables.ts';

test('the table of refusals has every code of the catalogue, with what to do', () => {
  const rows = tableOf(pageOf('refusals.md'), '| Code').map(([code = '', remedy = '']) => [
    code.replaceAll('`', ''),
    remedy,
  ]);
  const words = { retry: 'retry', new_token: 'new token', update_plugin: 'update the plugin', stop: 'stop' };
  expect(rows).toEqual(catalogue.map(({ code, remedy }) => [code, words[remedy]]));
});

test('every code has the remedy that its HTTP status calls for', () => {
  const wrong = catalogue.filter(({ code, status, remedy }) => {
    if (code === 'UPLOAD_DISABLED') return remedy !== 'stop';
    if (status === 401) return remedy !== 'new_token';
    return (status === 408 || status === 429 || status >= 500) !== (remedy === 'retry');
  });
  expect(wrong).toEqual([]);
});

test('the pauses between two attempts on the pages are those of the C# kit', () => {
  const options = CSHARP_KIT.client;
  const seconds = (name: string) =>
    Number(new RegExp(`${name} .*FromSeconds\\((\\d+)\\)`).exec(options)?.[1]);
  const [first, longest] = [seconds('FirstPause'), seconds('LongestPause')];
  for (const text of [pageOf('refusals.md'), CSHARP_KIT.readme])
    expect(text).toMatch(
      new RegExp(
        `after ${first / 4} to ${first} s, then after twice as long each .*time, up to ${longest} s, each drawn by lot`,
      ),
    );
});
