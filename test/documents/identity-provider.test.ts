import { expect, test } from 'vitest';
import { variables } from '../../src/config-variables.ts';
import { inspectToken } from '../../src/domains/auth/index.ts';
import { candidatesOf, readKeyDocument } from '../../src/domains/auth/key-document.ts';
import { claims } from '../../src/domains/auth/schemas.ts';
import { scoresDueAt } from '../../src/domains/matches/scoring.ts';
import { startProvider } from '../auth/fixture.ts';
import { poolMap } from '../matches/game.ts';
import { pageOf, tableOf } from './tables.ts';

const page = pageOf('identity-provider.md');

/** A value of each type in the table, and one of another type. */
const TYPES: Record<string, [good: unknown, wrong: unknown]> = {
  'text of 1 to 255 characters': ['c0ffee', ''],
  'number, seconds since 1970': [1_782_907_200, '1782907200'],
  text: ['text', 7],
  'text or array of texts': [['one'], { one: 1 }],
  'text, words with spaces between': ['service other', ['service']],
  'array of texts': [['one'], 'one'],
  'text of 1 to 20 digits, not a number': ['76561190000000001', 76561190],
  '`true` or `false`': [true, 'true'],
  'text, an http(s) address': ['https://id.example.org/a.png', 7],
};

test('the table has every claim that is read, with its type', () => {
  const rows = tableOf(page, '| Claim');
  const names = rows.map(([name = '']) => name.replaceAll('`', ''));
  const needed = { sub: 'c0ffee', exp: 1_782_921_600, iat: 1_782_907_200 };
  expect(names).toEqual(Object.keys(claims.in.shape));
  for (const [at, [, type = '', need]] of rows.entries()) {
    const name = names[at] ?? '';
    const [good, wrong] = TYPES[type] ?? [];
    expect(claims.safeParse({ ...needed, [name]: good }).success, name).toBe(true);
    expect(claims.safeParse({ ...needed, [name]: wrong }).success, name).toBe(false);
    expect(claims.safeParse({ ...needed, [name]: null }).success, name).toBe(need !== 'always');
  }
});

test('the sample token admits a plugin', async () => {
  const sample = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '');
  const provider = await startProvider();
  // Nothing of the provider's own token remains but its signature.
  const token = await provider.mint(sample, { omit: ['permissions'] });
  const keys = readKeyDocument(await (await fetch(provider.publicKeyUrl)).text());
  await provider.stop();
  const {
    everywhere,
    socket,
    claims: read,
  } = await inspectToken(token, {
    candidates: (kid) => candidatesOf(keys, kid),
    now: sample.iat * 1000,
    issuer: sample.iss,
    audience: sample.aud,
  });
  expect([...everywhere, ...socket].map(({ refusal }) => refusal?.code)).toEqual(Array(10).fill(undefined));
  expect(read?.username).toBe('Anna');
  // The page shows the same checks in the same order.
  const shown = [...page.matchAll(/^(?:ok|REFUSED) {3,8}([A-Z].*?)[.:]/gm)].map(([, claim]) => claim);
  expect(shown).toEqual([...everywhere, ...socket].map(({ claim }) => claim));
});

test('the longest match follows from the limits', () => {
  const seconds = (variable: { default: string }) => Number(variable.default);
  const playing =
    scoresDueAt(poolMap(1, { durationSeconds: 300 }), 0, seconds(variables.scoreGraceMs) * 1000) / 1000;
  const round =
    seconds(variables.pickMs) +
    seconds(variables.prepareMs) +
    seconds(variables.countdownMs) +
    playing +
    seconds(variables.roundResultsMs);
  const minutes = Math.ceil((seconds(variables.joinMs) + seconds(variables.discardMs) + 10 * round) / 60);
  expect(page).toContain(`a match takes ${minutes} minutes`);
  expect(page).toContain(`${minutes + 15}. Give it four hours`);
});
