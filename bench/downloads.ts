import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../src/local/postgres.ts';
import { openSurroundings } from '../src/local/surroundings.ts';
import { untilItAnswers } from './answering.ts';
import { connectFiles } from './file-client.ts';
import { askingOver, type Claim, measure, processors, speedRatio, type Variant } from './harness.ts';
import { requestOf } from './http-client.ts';
import { forkServer, startServer } from './matches-arena.ts';

/** Downloads of a release by the whole service, beside servers that do nothing but send a file. */

const IN_FLIGHT = 16;
const SIZE = 5 * 1024 * 1024;
const PART = { start: 1_000_000, end: 1_065_535 };

const SERVICE = 'the service';
const NGINX = 'nginx with sendfile';
const STATIC = '@fastify/static';

/** Somebody who has the file, and where. */
interface Server {
  name: string;
  port: number;
  path: string;
}

export async function bench(): Promise<Claim[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'downloads-'));
  const opened: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const file = randomBytes(SIZE);
    // A PE file: its DOS header leads to the PE header.
    file.write('MZ', 'latin1');
    file.writeUInt32LE(64, 0x3c);
    file.write('PE\0\0', 64, 'latin1');
    await writeFile(path.join(folder, 'plugin.dll'), file);
    const servers: Server[] = [await startService(file, opened)];
    const nginx = await startNginx(folder, opened);
    if (nginx) servers.push(nginx);
    else console.log('\nThere is no nginx on the PATH: it is left out.');
    servers.push(await startStatic(folder, opened));

    const whole = await measure(
      `A release of 5 MB, ${IN_FLIGHT} in flight`,
      servers.map((server) => asking(server, requestOf(server.path), 200, file)),
    );
    const part = file.subarray(PART.start, PART.end + 1);
    const range = { range: `bytes=${PART.start}-${PART.end}` };
    await measure(
      `64 KiB of it, ${IN_FLIGHT} in flight`,
      servers.map((server) => asking(server, requestOf(server.path, range), 206, part)),
    );
    const tagged = await Promise.all(
      servers.map(async (server) => {
        const { headers } = await fetch(`http://127.0.0.1:${server.port}${server.path}`, { method: 'HEAD' });
        return { server, known: { 'if-none-match': headers.get('etag') ?? '' } };
      }),
    );
    await measure(
      `Asking for it while having it (304), ${IN_FLIGHT} in flight`,
      tagged.map(({ server, known }) => asking(server, requestOf(server.path, known), 304, Buffer.alloc(0))),
    );
    return [
      ...(nginx
        ? [{ text: `downloads ÷ ${NGINX}`, measured: speedRatio(whole, SERVICE, NGINX), atLeast: 1 }]
        : []),
      { text: `downloads ÷ ${STATIC}`, measured: speedRatio(whole, SERVICE, STATIC), atLeast: 3 },
    ];
  } finally {
    for (const close of opened.reverse()) await close();
  }
}

/** The same request on every connection, over and over. */
const asking = ({ name, port }: Server, request: Buffer, status: number, expected: Buffer): Variant => ({
  name,
  start: async () => {
    const connections = await Promise.all(Array.from({ length: IN_FLIGHT }, () => connectFiles(port)));
    return askingOver(connections, ({ ask }) => ask(request, status, expected));
  },
});

/** The service as in production, with the file published as a pipeline does it. */
async function startService(file: Buffer, opened: (() => unknown)[]): Promise<Server> {
  const around = await openSurroundings({ database: { durable: true } });
  opened.push(() => around.stop());
  const [{ port, url, environment }] = around.nodes;
  const secret = randomBytes(24).toString('hex');
  const service = forkServer('../src/main.ts', {
    ...environment,
    DEPLOY_SECRET: secret,
    RATE_LIMIT_FACTOR: '0',
    LOG_LEVEL: 'fatal',
  });
  opened.push(() => service.kill('SIGKILL'));
  await untilItAnswers(`${url}/health/ready`);
  const published = await fetch(`${url}/internal/plugin-releases/1.40.8`, {
    method: 'PUT',
    body: new Uint8Array(file),
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/octet-stream',
      'x-service-plugin-version': '1.0.0',
      'x-checksum-sha256': createHash('sha256').update(file).digest('hex'),
    },
  });
  if (published.status !== 201) throw new Error(`Publishing was answered ${published.status}.`);
  return { name: SERVICE, port, path: '/plugin-releases/1.40.8/download' };
}

async function startNginx(folder: string, opened: (() => unknown)[]): Promise<Server | null> {
  if (spawnSync('nginx', ['-v']).error) return null;
  const port = await freePort();
  const configuration = path.join(folder, 'nginx.conf');
  // As many processes as the service has. Its temporary folders are never used, but have to be its own.
  await writeFile(
    configuration,
    `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 256; }
http {
  sendfile on; tcp_nodelay on; access_log off; keepalive_requests 1000000000; etag on;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; root ${folder}; }
}`,
  );
  const command = ['nginx', '-c', configuration, '-p', folder];
  // Where the others run.
  if (existsSync('/usr/bin/taskset')) command.unshift('/usr/bin/taskset', '-c', processors().last);
  const [program = '', ...args] = command;
  const nginx: ChildProcess = spawn(program, args, { stdio: 'inherit' });
  opened.push(() => nginx.kill());
  await untilItAnswers(`http://127.0.0.1:${port}/plugin.dll`);
  return { name: NGINX, port, path: '/plugin.dll' };
}

async function startStatic(folder: string, opened: (() => unknown)[]): Promise<Server> {
  const { port, stop } = await startServer('static-server.ts', { FOLDER: folder });
  opened.push(stop);
  return { name: STATIC, port, path: '/plugin.dll' };
}
