import { expect, test } from 'vitest';
import type { Claims } from '../../src/domains/auth/schemas.ts';
import { TokenCache } from '../../src/domains/auth/token-cache.ts';

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

test('caches ten thousand tokens and evicts the least recently used ones', () => {
  const cache = new TokenCache();
  for (let token = 0; token < 10_000; token++) cache.add(`token ${token}`, claims(`${token}`));
  expect(cache.get('token 0', 0)?.claims.subject).toBe('0');
  cache.add('one more', claims('more'));
  expect(cache.get('token 1', 0)).toBeUndefined();
  for (const kept of ['token 0', 'token 2', 'one more']) expect(cache.get(kept, 0), kept).toBeDefined();
});

test('finds a token until it expires, and no token that differs by a letter', () => {
  const cache = new TokenCache();
  cache.add('token', claims('somebody', 1000));
  expect(cache.get('token', 999)?.claims.subject).toBe('somebody');
  expect(cache.get('tokeN', 0)).toBeUndefined();
  expect(cache.get('token', 1000)).toBeUndefined();
  expect(cache.get('token', 0), 'an expired token is removed').toBeUndefined();
});
