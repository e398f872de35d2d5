import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSignedBy, readPublicKey, readSignature } from '../../src/domains/releases/signature.ts';
import { binaryOf, DEPLOY_SECRET, upload } from '../harness/releases.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** Made by minisign 0.11 with keys that were thrown away. */
const PLUGIN = new Uint8Array(Buffer.from('MZ a plugin that somebody signed\n'));
const KEY = 'RWSVgJ5E1GuYZ8gjCFeujrJtuuF3pAOy3ArrXfgwMdNmcixiTL7zjRR/';
const OTHER_KEY = 'RWR/3sD3djzN9FXJw8dGDa7SNSJaGFAkhuPSmiv3dmonX/GWETdXKwKc';
const SIGNATURE = `untrusted comment: signature from a test
RUSVgJ5E1GuYZ0Myjp5PoBT7GVs0zgqS9QQRxQuKowr/LO5RGoRa4tUoz5BU1JcW3IcKNDs1qPzG9K3CyjODLqw1UHGFzkRrpwk=
trusted comment: plugin 1.2.3 for 1.40.8
hCfl0oJ0EVQQrhFJRRKExhzZOWhgOTXx5Euw7iDQy4AAKNgkY038SFSsjzGoI4S0HRXnJR0WbofO8MVaAWuYBQ==
`;
const OF_ANOTHER_KEY = `untrusted comment: signature from minisign secret key
RUTH5d3dUp8bWPUyAYrQVvqyXRcGirc+GjhtgtJMuMlNEgXHG14kk0eKKUqR2+FcasjSqjJZfgmpeLrIZHnYUCk2t2G8vyZTMgQ=
trusted comment: other key
RK9y/9AOkPlpu95pBhhOFhI5ZVtFS9P/it5cCyPxiEaWQoocTOPAmgJrlIV2NWewsP5VAUhRtyf2W8OLZa6oAQ==
`;
const OVER_THE_FILE_ITSELF = `untrusted comment: signature from minisign secret key
RWSVgJ5E1GuYZ302CBiDrpjeosKTh8Qorrg6f3ZKBU9BEDNxOTkGtXxwJJD4kgehOXjL5bpTxWqRQPIBOZdqIOBVU9Gr3aH+Pgk=
trusted comment: timestamp:1795240664	file:plugin.dll
emX8H/isTnkkv/pXkwldzwp4GwIhCs85tTL+86olY+Im81o9Idhy0mRsj+PQR+Jd1GzGLKCjfz1gR096Xdg9Dw==
`;
const changedComment = SIGNATURE.replace('plugin 1.2.3', 'plugin 9.9.9');

const hashOf = (bytes: Uint8Array): Buffer => createHash('blake2b512').update(bytes).digest();
const signed = (signature: string) => ({
  'x-signature-minisign': Buffer.from(signature).toString('base64'),
});

describe('a signature made by minisign', () => {
  const [key, other] = [KEY, OTHER_KEY].map((line) => readPublicKey(line));
  const isGood = (keys: (typeof key)[], text: string, bytes: Uint8Array): boolean => {
    const signature = readSignature(text);
    return (
      signature !== null &&
      isSignedBy(
        keys.filter((one) => one != null),
        signature,
        hashOf(bytes),
      )
    );
  };

  test('is good for its file and its key, among others', () => {
    expect(isGood([key], SIGNATURE, PLUGIN)).toBe(true);
    expect(isGood([other, key], SIGNATURE, PLUGIN)).toBe(true);
    expect(isGood([key], SIGNATURE.replaceAll('\n', '\r\n'), PLUGIN)).toBe(true);
  });

  test('is not good for another file, another key, or another comment', () => {
    expect(isGood([key], SIGNATURE, binaryOf())).toBe(false);
    expect(isGood([other], SIGNATURE, PLUGIN)).toBe(false);
    expect(isGood([], SIGNATURE, PLUGIN)).toBe(false);
    expect(isGood([key], OF_ANOTHER_KEY, PLUGIN)).toBe(false);
    expect(isGood([key], changedComment, PLUGIN)).toBe(false);
  });

  test.each([
    ['over the file itself', OVER_THE_FILE_ITSELF],
    ['nothing', ''],
    ['a key', KEY],
    ['a line too few', SIGNATURE.split('\n').slice(0, 3).join('\n')],
    ['a line too many', `${SIGNATURE}more`],
    ['a signature that is cut', SIGNATURE.replace('pwk=', '')],
    ['no comment', SIGNATURE.replace('trusted comment: plugin', 'comment: plugin')],
  ])('is not read from what is none: %s', (_what, text) => {
    expect(readSignature(text)).toBeNull();
  });

  test.each(['', 'RW', KEY.slice(0, -4), `${KEY}AAAA`, `RU${KEY.slice(2)}`, `${KEY}\n`])(
    'no key is read from %j',
    (line) => expect(readPublicKey(line)).toBeNull(),
  );
});

describe('without configured keys', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ environment: { DEPLOY_SECRET } });
  });
  afterAll(() => service.stop());

  test('a signature is served beside the file, as it was sent', async () => {
    const { body } = await upload(service, '1.40.8', '1.2.3', { bytes: PLUGIN, headers: signed(SIGNATURE) });
    const answer = await fetch(`${body.downloadUrl}.minisig`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="plugin-1.2.3-1.40.8.dll.minisig"',
    );
    expect(await answer.text()).toBe(SIGNATURE);
    const { body: history } = await service.request('admin', 'GET', '/plugin-releases/1.40.8/history');
    expect(history.items[0].signed).toBe(true);
  });

  test('minisign itself finds it good', async (context) => {
    if (spawnSync('minisign', ['-v']).error) return context.skip('there is no minisign on the PATH');
    const folder = await mkdtemp(path.join(tmpdir(), 'minisign-'));
    try {
      const { body } = await upload(service, 'checked', '1.2.3', {
        bytes: PLUGIN,
        headers: signed(SIGNATURE),
      });
      for (const suffix of ['', '.minisig']) {
        const answer = await fetch(`${body.downloadUrl}${suffix}`);
        await writeFile(path.join(folder, `plugin.dll${suffix}`), Buffer.from(await answer.arrayBuffer()));
      }
      const { status, stdout } = spawnSync('minisign', ['-Vm', 'plugin.dll', '-P', KEY], { cwd: folder });
      expect(String(stdout)).toContain('plugin 1.2.3 for 1.40.8');
      expect(status).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('with configured keys', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      environment: { DEPLOY_SECRET, RELEASE_PUBLIC_KEYS: `${OTHER_KEY}, ${KEY}` },
    });
  });
  afterAll(() => service.stop());

  test.each([
    ['without a signature', {}, 'SIGNATURE_REQUIRED'],
    ['with one of another key', signed(OF_ANOTHER_KEY), 'SIGNATURE_INVALID'],
    ['with one whose comment was changed', signed(changedComment), 'SIGNATURE_INVALID'],
    ['with one over the file itself', signed(OVER_THE_FILE_ITSELF), 'SIGNATURE_INVALID'],
  ])('a release %s is refused', async (_how, headers, code) => {
    const answer = await upload(service, '1.40.8', '1.2.3', { bytes: PLUGIN, headers });
    expect(answer).toMatchObject({ status: 422, body: { error: { code } } });
  });

  test('a signature of another file is refused, the right one is taken', async () => {
    const headers = signed(SIGNATURE);
    expect((await upload(service, '1.40.8', '1.2.3', { bytes: binaryOf(), headers })).status).toBe(422);
    expect((await fetch(`${service.url}/plugin-releases/1.40.8/download`)).status).toBe(404);
    expect((await upload(service, '1.40.8', '1.2.3', { bytes: PLUGIN, headers })).status).toBe(201);
  });
});
