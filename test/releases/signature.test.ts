import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSignedBy, readPublicKey, readSignature } from '../../src/domains/releases/signature.ts';
import { binaryOf, DEPLOY_SECRET, deploy, upload } from '../harness/releases.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** The signatures are made by minisign 0.11 with keys that were thrown away. */
const PLUGIN = new Uint8Array(64 + 4);
PLUGIN.set(Buffer.from('MZ a plugin that somebody signed\n'));
PLUGIN[0x3c] = 64;
PLUGIN.set(Buffer.from('PE\0\0'), 64);
const KEY = 'RWQ9i9kfWkOWFFwQZ/eRveN4AcTWtrc5F4/eM8zolrSNRPW9clRETsAE';
const OTHER_KEY = 'RWQcsuKdf4h3NRBkaKYmQMfY+xjRE9FLGgrw4bRtzTzqIgdKqJw1qe9V';
const SIGNATURE = `untrusted comment: signature from a test
RUQ9i9kfWkOWFH9eX/aiD95D+yxwTHu5kzxOI/ZWsGTVv0nfByJtBHtbZ3xISKReMCmHDLGaikogV0Cqi2FSB0tP8F2MvialCgk=
trusted comment: plugin 1.2.3 for 1.40.8
9EuZKCVliWGC0vS1Pwd7aakOHwvJ5h1s9MltE1v63jGVb8GPAbZkcXNOqd20vZvFD4I/6zjS7FCIznrNtKnQAA==
`;
const OF_ANOTHER_KEY = `untrusted comment: signature from minisign secret key
RUS2N/Xz1EfztAWXDVC0IOxlUXty6TvhIKPb/ZUoT5PlvuZIdLmpBavmHkzHNOhvLBxEu7vPksuAg2cAEblhImlTiqo5WvbfnAw=
trusted comment: other key
79pU06wL0+cV2eT5Hl+fBNFc435Yqz3EmTGWDhmqg2lb6jwhSqrAhMTL7KVkMmduU917J2EDTfhbqYoN/MOrDQ==
`;
const OVER_THE_FILE_ITSELF = `untrusted comment: signature from minisign secret key
RWQ9i9kfWkOWFIhwe8jhrcXh/dE8dv2DQ21zAF1y2kPrOAURfNXcTtfV3QdNqg62lA3hu+nvHRA5UAV7SuxjeqtbO/uxxTuovwI=
trusted comment: timestamp:1795344025	file:plugin.dll
D+CUtU/yRrHkwrROddpBpkvpqbaunfRu4wHERylEdyLr+9dpI9LBLLFKGzc61fItC9T+fLY49qcMcCRn+mhsDg==
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

  test('is valid for its file and its key, among other keys', () => {
    expect(isGood([key], SIGNATURE, PLUGIN)).toBe(true);
    expect(isGood([other, key], SIGNATURE, PLUGIN)).toBe(true);
    expect(isGood([key], SIGNATURE.replaceAll('\n', '\r\n'), PLUGIN)).toBe(true);
  });

  test('is invalid for another file, another key, or another comment', () => {
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
    ['a signature that is cut', SIGNATURE.replace('Cgk=', '')],
    ['a NUL character in the untrusted comment', SIGNATURE.replace('from a', 'from\0a')],
    ['a control character in the trusted comment', SIGNATURE.replace('plugin 1', 'plugin\x1b1')],
    ['no comment', SIGNATURE.replace('trusted comment: plugin', 'comment: plugin')],
  ])('is refused when malformed: %s', (_what, text) => {
    expect(readSignature(text)).toBeNull();
  });

  test.each(['', 'RW', KEY.slice(0, -4), `${KEY}AAAA`, `RU${KEY.slice(2)}`, `${KEY}\n`])(
    'is refused with the malformed key %j',
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

  test.each(['untrusted', 'trusted'])('a NUL character in the %s comment is refused', async (which) => {
    const headers = signed(SIGNATURE.replace(`${which} comment: `, (start) => `${start}\0`));
    const answer = await upload(service, '1.40.8', '1.2.3', { bytes: PLUGIN, headers });
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'SIGNATURE_INVALID' } } });
  });

  test('minisign itself accepts the signature', async (context) => {
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

  test.each([
    ['without a signature', null],
    ['signed with another key', OF_ANOTHER_KEY],
  ])(
    'a release that was uploaded before keys were configured, %s, is not served again',
    async (_how, signature) => {
      const headers = signed(SIGNATURE);
      for (const version of ['1.2.4', '1.2.5'])
        expect((await upload(service, '1.39.1', version, { bytes: PLUGIN, headers })).status).toBe(201);
      const change = (data: { signature: string | null }) =>
        service.database.prisma.pluginRelease.updateMany({ where: { pluginVersion: '1.2.4' }, data });
      const rollBack = () =>
        deploy(service, 'POST', '1.39.1/rollback', {
          body: JSON.stringify({ pluginVersion: '1.2.4' }),
          headers: { 'content-type': 'application/json' },
        });
      await change({ signature });
      expect(await rollBack()).toMatchObject({
        status: 422,
        body: { error: { code: 'SIGNATURE_REQUIRED' } },
      });
      const served = await service.request(null, 'GET', '/plugin-releases');
      expect(served.body.releases.map(({ pluginVersion }: any) => pluginVersion)).toContain('1.2.5');
      await change({ signature: SIGNATURE });
      expect((await rollBack()).status).toBe(200);
    },
  );
});
