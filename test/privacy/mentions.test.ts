import { expect, test } from 'vitest';
import { mentionsOf } from '../../src/domains/privacy/mentions.ts';

const of = (username: string, isWord = false) =>
  mentionsOf({ username, subject: 'account|1234', platformId: '76561190000000001' }, isWord);

test.each([
  ['Zanzi', "ZANZI and zanzi's friend, Zanzi!", "… and …'s friend, …!"],
  ['Jürgen', 'JÜRGEN, jürgen', '…, …'],
  ['[*] (.+)', 'says [*] (.+)', 'says …'],
  ['山田太郎', '山田太郎さんは速い', '…さんは速い'],
  ['Zanzi', 'signs in as Account|1234', 'signs in as …'],
])('%s is taken out of «%s»', (username, text, left) => {
  const { outOfAbout, outOfOthers, pattern } = of(username);
  expect([outOfAbout(text), outOfOthers(text)]).toEqual([left, left]);
  expect(pattern).not.toBe(null);
});

test('a name within another word is taken only out of texts about the person', () => {
  const { outOfAbout, outOfOthers } = of('Zanzi');
  const text = 'Zanzis second account Zanzi2, id76561190000000001, not 765611900000000012';
  expect(outOfAbout(text)).toBe('…s second account …2, id…, not …2');
  expect(outOfOthers(text)).toBe('Zanzis second account Zanzi2, id…, not 765611900000000012');
});

test('a short id is no part of a longer one', () => {
  const { outOfAbout, outOfOthers } = mentionsOf({ username: 'Zanzi', subject: '1', platformId: null });
  expect(outOfAbout('1 of 10 days')).toBe('… of 10 days');
  expect(outOfOthers('1 of 10 days')).toBe('1 of 10 days');
});

test('a short name is taken only out of texts about the person, where it is spelt exactly so', () => {
  const { outOfAbout, outOfOthers, isNameSought } = of('Al');
  expect(outOfAbout('Al is as loud as al, also to Alf')).toBe('… is as loud as al, also to Alf');
  expect(outOfOthers('Al is loud, 76561190000000001')).toBe('Al is loud, …');
  expect(isNameSought).toBe(false);
});

test('a name that is a common word is taken only out of texts about the person', () => {
  const { outOfAbout, outOfOthers } = of('Tech', true);
  expect(outOfAbout('Tech, tech')).toBe('…, …');
  expect(outOfOthers('one more tech')).toBe('one more tech');
});

test('in JSON the name is taken out of the members that people write', () => {
  const entry = {
    status: 'draft',
    name: 'Draft',
    review: { comment: 'my draft', rows: [{ name: 'draft', comment: 'a draft' }] },
    reason: 'a draft, and account|1234',
    result: { reason: 'draft' },
    characteristic: 'account|1234',
    platformId: '76561190000000001',
  };
  const written = {
    review: { comment: 'my …', rows: [{ name: 'draft', comment: 'a …' }] },
    reason: 'a …, and …',
  };
  expect(of('Draft').outOfOthers(entry)).toEqual({ ...entry, ...written });
  expect(of('Draft').outOfAbout(entry)).toEqual({ ...entry, ...written, platformId: '…' });
});
