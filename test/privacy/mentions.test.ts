import { expect, test } from 'vitest';
import { mentionsOf } from '../../src/domains/privacy/mentions.ts';

const of = (username: string, isWord = false) =>
  mentionsOf({ username, subject: 'account|1234', platformId: '76561190000000001' }, isWord);

test.each([
  ['Zanzi', "ZANZI and zanzi's friend, Zanzi!", "… and …'s friend, …!"],
  ['Zanzi', 'Zanzibar, Zanzi_2 and azanzi are others', 'Zanzibar, Zanzi_2 and azanzi are others'],
  ['Jürgen', 'JÜRGEN, jürgen', '…, …'],
  ['[*] (.+)', 'says [*] (.+)', 'says …'],
  ['山田太郎', '山田太郎さんは速い', '…さんは速い'],
  ['Zanzi', 'id76561190000000001, not 765611900000000012', 'id…, not 765611900000000012'],
  ['Zanzi', 'signs in as Account|1234', 'signs in as …'],
])('%s is taken out of «%s»', (username, text, left) => {
  const { outOfAbout, outOfOthers, pattern } = of(username);
  expect([outOfAbout(text), outOfOthers(text)]).toEqual([left, left]);
  expect(pattern).not.toBe(null);
});

test('a short name goes out of texts about the person alone, where it is spelt exactly so', () => {
  const { outOfAbout, outOfOthers, isNameSought } = of('Al');
  expect(outOfAbout('Al is as loud as al, also to Alf')).toBe('… is as loud as al, also to Alf');
  expect(outOfOthers('Al is loud, 76561190000000001')).toBe('Al is loud, …');
  expect(isNameSought).toBe(false);
});

test('a name that is a common word goes out of texts about the person alone', () => {
  const { outOfAbout, outOfOthers } = of('Tech', true);
  expect(outOfAbout('Tech, tech')).toBe('…, …');
  expect(outOfOthers('one more tech')).toBe('one more tech');
});

test('of JSON the name goes where people write, and ids go everywhere', () => {
  const entry = {
    status: 'draft',
    name: 'Draft',
    review: { comment: 'my draft', rows: [{ name: 'draft', comment: 'a draft' }] },
    platformId: '76561190000000001',
  };
  expect(of('Draft').outOfOthers(entry)).toEqual({
    status: 'draft',
    name: 'Draft',
    review: { comment: 'my …', rows: [{ name: 'draft', comment: 'a …' }] },
    platformId: '…',
  });
});
