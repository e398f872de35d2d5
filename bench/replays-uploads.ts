import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSurroundings, PLUGIN_VERSION } from '../src/local/surroundings.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { untilItAnswers } from './answering.ts';
import { type Claim, keepBusy, measure, speedRatio, type Variant } from './harness.ts';
import { connectHttp, type HttpConnection } from './http-client.ts';
import { forkServer, startServer } from './matches-arena.ts';
import { insertPlayedMatch, type Played } from './played-match.ts';
import { benchPlay } from './replays-play.ts';

/** Replays of three megabytes, sixteen at a time, against a server that only stores what it gets. */

const IN_FLIGHT = 16;
const MIB = 3;
const SERVICE = 'the service: stored, verified, recorded';
const BARE = 'a bare server: streamed, hashed, written, flushed';
/** More than any round takes of one player; what is left is used by the next round. */
const MATCHES_AHEAD = 40;

interface Uploader extends Played {
  token: string;
  /** Matches with a round that this player has played and not published. */
  waiting: string[];
}

const requestOf = (target: string, headers: Record<string, string>, body: Buffer) => ({
  head: Buffer.from(
    [
      `POST ${target} HTTP/1.1`,
      'host: 127.0.0.1',
      'content-type: application/octet-stream',
      `content-length: ${body.length}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n'),
  ),
  body,
});

/** Keeps one upload of each connection under way for this long. @returns uploads per second */
async function upload(
  connections: readonly HttpConnection[],
  forMs: number,
  next: (nth: number) => ReturnType<typeof requestOf>,
  check: (body: string, status: number) => void,
): Promise<number> {
  return keepBusy(connections, forMs, async (connection, nth) => {
    const request = next(nth);
    const { status, body } = await connection.ask(request.head, request.body);
    check(body.toString(), status);
  });
}

/** Gives every pair matches whose replays are waited for. */
async function provide(database: Database, uploaders: readonly Uploader[]): Promise<void> {
  for (let nth = 0; nth + 1 < uploaders.length; nth += 2) {
    const pair = [uploaders[nth], uploaders[nth + 1]] as [Uploader, Uploader];
    while (Math.min(...pair.map(({ waiting }) => waiting.length)) < MATCHES_AHEAD) {
      const matchGuid = await insertPlayedMatch(database, pair);
      for (const one of pair) one.waiting.push(matchGuid);
    }
  }
}

const emptied = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) await rm(path.join(folder, name));
};

export async function benchUploads(): Promise<Claim[]> {
  const opened: (() => unknown)[] = [];
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-replays-'));
  opened.push(() => rm(folder, { recursive: true, force: true }));
  try {
    const rates = await measure(`Uploads of ${MIB} MiB, ${IN_FLIGHT} in flight`, [
      await bareVariant(path.join(folder, 'bare'), opened),
      await serviceVariant(path.join(folder, 'service'), opened),
    ]);
    return [
      {
        text: 'bytes of uploaded replays, of a server that only stores them',
        measured: speedRatio(rates, SERVICE, BARE),
        atLeast: 0.6,
      },
    ];
  } finally {
    for (const close of opened.reverse()) await close();
  }
}

async function bareVariant(folder: string, opened: (() => unknown)[]): Promise<Variant> {
  await mkdir(folder, { recursive: true });
  const { replay } = benchPlay(MIB);
  const sha256 = createHash('sha256').update(replay).digest('hex');
  return {
    name: BARE,
    start: async () => {
      const { port, stop } = await startServer('bare-upload.ts', { FOLDER: folder });
      opened.push(stop);
      const connections = await Promise.all(Array.from({ length: IN_FLIGHT }, () => connectHttp(port)));
      const request = requestOf('/', {}, replay);
      return {
        round: async (forMs) => {
          const rate = await upload(
            connections,
            forMs,
            () => request,
            (body) => {
              if (!body.includes(sha256)) throw new Error(`It was answered ${body}`);
            },
          );
          await emptied(folder);
          return rate;
        },
        stop: async () => {
          for (const connection of connections) connection.close();
        },
      };
    },
  };
}

async function serviceVariant(folder: string, opened: (() => unknown)[]): Promise<Variant> {
  const around = await openSurroundings({ database: { durable: true }, storageFolder: folder });
  opened.push(() => around.stop());
  const { databaseUrl, identityProvider } = around;
  const [{ port, url, environment }] = around.nodes;
  const child = forkServer('../src/main.ts', {
    ...environment,
    DRAIN_DELAY_SECONDS: '0.01',
    // Limits and quotas do their work, and are larger than what one client can reach.
    RATE_LIMIT_FACTOR: '1000',
    REPLAY_QUOTA_MIB: '1000000',
  });
  opened.push(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  });
  await untilItAnswers(`${url}/health/ready`, () => child.exitCode !== null);
  const database = openDatabase({
    url: databaseUrl,
  });
  opened.push(() => database.close());
  const uploaders = await Promise.all(
    Array.from({ length: IN_FLIGHT }, async (_, nth): Promise<Uploader> => {
      const platformId = String(770_000_000 + nth);
      const token = await identityProvider.gameToken({ platformId, username: `Player ${nth}` });
      const me = await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } });
      const { playerGuid } = (await me.json()) as { playerGuid: string };
      const play = benchPlay(MIB, { player: { platformId, name: `Player ${nth}` }, startedAt: Date.now() });
      return { playerGuid, platformId, token, play, waiting: [] };
    }),
  );
  return {
    name: SERVICE,
    start: async () => {
      const connections = await Promise.all(uploaders.map(() => connectHttp(port)));
      return {
        round: async (forMs) => {
          await provide(database, uploaders);
          const rate = await upload(
            connections,
            forMs,
            (nth) => {
              const { waiting, token, play } = uploaders[nth] as Uploader;
              const headers = {
                authorization: `Bearer ${token}`,
                'x-service-plugin-version': PLUGIN_VERSION,
              };
              return requestOf(`/matches/${waiting.pop()}/rounds/1/replay`, headers, play.replay);
            },
            (body, status) => {
              if (status !== 201 || !body.includes('"verdict":"verified"'))
                throw new Error(`It was answered ${status} ${body}`);
            },
          );
          await emptied(path.join(folder, 'replays'));
          return rate;
        },
        stop: async () => {
          for (const connection of connections) connection.close();
        },
      };
    },
  };
}
