import { describe, expect, test } from 'vitest';
import {
  byGameVersion,
  isAccepted,
  isSameVersion,
  notAccepted,
  pluginVersionOf,
  pluginVersions,
} from '../../src/domains/releases/rules.ts';

describe('a plugin version', () => {
  test.each(['1.2.3', '0.0.0', '1.2.3-beta', '1.2.3-rc.1', '10.20.30', '1.0.0-0.3.7', '1.0.0-x-y-z'])(
    'is a semantic version: %s',
    (version) => expect(pluginVersionOf(version)).toBe(version),
  );

  test('is compared without its build metadata', () => {
    expect(pluginVersionOf('1.2.3+build.5')).toBe('1.2.3');
    expect(isSameVersion('1.2.3+a', '1.2.3+b')).toBe(true);
    expect(isSameVersion('1.2.3-a', '1.2.3-b')).toBe(false);
  });

  test.each([
    '',
    '1',
    '1.2',
    '1.2.3.4',
    'v1.2.3',
    '=1.2.3',
    ' 1.2.3',
    '1.2.3 ',
    '01.2.3',
    '1.2.3-01',
    '1.2.3-',
    'latest',
  ])('is not %j', (text) => {
    expect(pluginVersionOf(text)).toBeNull();
    expect(isSameVersion(text, text)).toBe(false);
  });
});

describe('the accepted versions', () => {
  const published = ['1.10.0', '1.9.0', '1.10.0-rc.1', '1.9.0+again'];

  test('are the published ones, each once as it is written, oldest first', () => {
    expect(pluginVersions(undefined, [...published, '1.10.0']).accepted).toEqual([
      '1.9.0',
      '1.9.0+again',
      '1.10.0-rc.1',
      '1.10.0',
    ]);
  });

  test('are the configured ones if there are any', () => {
    expect(pluginVersions(['2.0.0', '1.0.0', '2.0.0'], published).accepted).toEqual(['1.0.0', '2.0.0']);
  });

  test('are none while nothing is published', () => {
    const none = pluginVersions(undefined, []);
    expect(none.accepted).toEqual([]);
    expect(isAccepted(none, '1.0.0')).toBe(false);
    expect(notAccepted(none, '1.0.0').message).toContain('at the moment none is');
  });

  test.each([
    ['the newest published one', undefined, ['1.1.0', '1.2.0'], '1.2.0'],
    ['one that is published, also when a newer one is accepted', ['1.2.0', '9.0.0'], ['1.2.0'], '1.2.0'],
    [
      'an older published one, when the newest is not accepted',
      ['1.0.0', '9.0.0'],
      ['1.0.0', '1.2.0'],
      '1.0.0',
    ],
    ['the newest accepted one, when none of them is published', ['1.0.0', '1.1.0'], ['1.2.0'], '1.1.0'],
  ])('have a message that names the one to get: %s', (_which, configured, of, wanted) => {
    expect(notAccepted(pluginVersions(configured, of), '0.1.0')).toMatchObject({
      code: 'PLUGIN_VERSION_NOT_ACCEPTED',
      status: 426,
      message: expect.stringContaining(`get version ${wanted}.`),
    });
  });

  test('have a message that does not repeat a malformed version', () => {
    expect(notAccepted(pluginVersions(undefined, []), '<script>').message).not.toContain('<');
  });
});

test('game versions are sorted by their numbers', () => {
  const versions = ['1.40.8', '1.9.1', '1.10.0', '1.40.8_7379', '1.40.10', '1.40.8_700', 'a', 'A', '01.9.1'];
  const sorted = [...versions].sort(byGameVersion);
  expect(sorted.indexOf('1.9.1')).toBeLessThan(sorted.indexOf('1.10.0'));
  expect(sorted.indexOf('1.40.8')).toBeLessThan(sorted.indexOf('1.40.10'));
  expect(sorted.indexOf('1.40.8_700')).toBeLessThan(sorted.indexOf('1.40.8_7379'));
  expect([...versions].reverse().sort(byGameVersion)).toEqual(sorted);
});
