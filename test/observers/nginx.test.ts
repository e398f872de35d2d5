import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/local/postgres.ts';
import { EventReader } from '../harness/event-reader.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, toFirstPick } from '../harness/socket-player.ts';

/** The configuration that docs/operations.md shows, with the real nginx. */

const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
const needed = hasNginx ? '' : ' (skipped: no nginx on the PATH)';

describe.skipIf(!hasNginx)(`behind the documented nginx${needed}`, () => {
  let service: TestService;
  let folder: string;
  let nginx: ChildProcess;
  let url: string;

  beforeAll(async () => {
    service = await startTestService({ environment: { TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '0.1' } });
    folder = await mkdtemp(path.join(tmpdir(), 'nginx-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const [, documented = ''] = /```nginx\n(.*?)```/s.exec(page) ?? [];
    const own = documented
      .replaceAll(/(?:server 10\.0\.0\.\d+:3000; ?)+/g, `server ${new URL(service.url).host}; `)
      .replace('server {', `server {\n  listen 127.0.0.1:${port};`);
    expect(own).not.toContain('10.0.0.');
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    await writeFile(
      path.join(folder, 'nginx.conf'),
      `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 256; }
http {
  access_log off;
  ${folders.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${own}
}`,
    );
    nginx = spawn('nginx', ['-c', path.join(folder, 'nginx.conf')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const isUp = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(true));
        socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
      });
    while (!(await isUp())) await sleep(50);
  });
  afterAll(async () => {
    nginx?.kill();
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('streams come event by event, with the address of the reader, and end', async () => {
    const { queueGuid } = await service.openQueue();
    const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    const open = (own: string, headers = {}) =>
      EventReader.open(`${url}/matches/${matchGuid}/events`, { localAddress: own, ...headers });
    const reader = await open('127.0.5.1', { 'accept-encoding': 'gzip' });
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
    });
    // Each event as soon as it happens: nothing is held back until a buffer is full.
    await reader.event('match', ({ match }) => match.status === 'awaiting_discards');
    await toFirstPick(anna, bert, matchGuid);
    const { id } = await reader.event('match', ({ match }) => match.status === 'awaiting_pick');
    // An address may have twenty streams here, instead of 200.
    const more = await Promise.all(Array.from({ length: 20 }, () => open('127.0.5.1')));
    expect(more.filter(({ status }) => status === 429)).toHaveLength(1);
    for (const one of more) one.close();
    const other = await open('127.0.5.2', { 'last-event-id': String(id) });
    expect(other.status).toBe(200);
    await anna.do('forfeit', { matchGuid });
    for (const one of [reader, other]) {
      await one.ended();
      expect(one.events.at(-1)?.event).toBe('end');
    }
    expect(other.events.map((event) => event.id)).not.toContain(id);
    // Closed ones make room: nginx tells the service that their readers have gone.
    await expect.poll(async () => (await open('127.0.5.1')).status, { interval: 200 }).toBe(200);
  });
});
