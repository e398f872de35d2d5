import { expect, it } from 'vitest';
import type { Claims } from '../../src/domains/auth/schemas.ts';
import { Verdicts } from '../../src/domains/auth/verdicts.ts';

const claims = (subject: string, expiresAt = 1000): Claims => ({
  subject,
  expiresAt,
  issuedAt: 0,
  notBefore: null,
  issuer: null,
  audiences: [],
  scopes: new Set(['service']),
  tokenType: '',
  platformId: null,
  username: null,
  avatarUrl: null,
  roles: [],
});

it('remembers ten thousand tokens, and forgets the ones not seen for longest', () => {
  const verdicts = new Verdicts();
  for (let token = 0; token < 10_000; token++) verdicts.add(`token ${token}`, claims(`${token}`));
  expect(verdicts.get('token 0', 0)?.claims.subject).toBe('0');
  verdicts.add('one more', claims('more'));
  expect(verdicts.get('token 1', 0)).toBeUndefined();
  for (const kept of ['token 0', 'token 2', 'one more']) expect(verdicts.get(kept, 0), kept).toBeDefined();
});

it('knows a token until the moment it ends, and one that differs by a letter never', () => {
  const verdicts = new Verdicts();
  verdicts.add('token', claims('somebody', 1000));
  expect(verdicts.get('token', 999)?.claims.subject).toBe('somebody');
  expect(verdicts.get('tokeN', 0)).toBeUndefined();
  expect(verdicts.get('token', 1000)).toBeUndefined();
  expect(verdicts.get('token', 0), 'once ended it is forgotten').toBeUndefined();
});
