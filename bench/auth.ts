import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { type IdentityProvider, startIdentityProvider } from '../src/local/identity-provider/server.ts';
import { freePort, startLocalPostgres } from '../src/local/postgres.ts';
import { migrate } from '../src/platform/database/migrations.ts';
import { type Claim, measure, timeRatio, type Variant } from './harness.ts';
import { connectHttp, requestOf } from './http-client.ts';
import { forkServer } from './matches-arena.ts';

/** What credentials cost once they were seen, and how late a ban may come because of that. */

const IN_FLIGHT = 16;
const UNGUARDED = 'one indexed read';
const BEARER = 'the same for a bearer token';
const BANS = 8;

interface World {
  databaseUrl: string;
  provider: IdentityProvider;
  client: { id: string; secret: string; redirectUris: string[] };
}

export async function bench(): Promise<Claim[]> {
  const opened: (() => unknown)[] = [];
  try {
    const postgres = await startLocalPostgres({ durable: true });
    opened.push(() => postgres.stop());
    await postgres.ensureDatabase('matches');
    const databaseUrl = postgres.urlOf('matches');
    await migrate(databaseUrl);
    const client = {
      id: 'bench',
      secret: randomBytes(24).toString('hex'),
      redirectUris: ['http://127.0.0.1:1/'],
    };
    const provider = await startIdentityProvider({ port: 0, client });
    opened.push(() => provider.stop());
    const world = { databaseUrl, provider, client };
    return [await costOfToken(world), ...(await delayOfBan(world))];
  } finally {
    for (const close of opened.reverse()) await close();
  }
}

async function costOfToken({ databaseUrl, provider }: World): Promise<Claim> {
  const server = forkServer('auth-server.ts', {
    DATABASE_URL: databaseUrl,
    IDP_PUBLIC_KEY_URL: provider.publicKeyUrl,
    IDP_ISSUER: provider.issuer,
    IDP_AUDIENCE: provider.audience,
  });
  try {
    const { port } = await new Promise<{ port: number }>((resolve, reject) => {
      server.once('message', (message) => resolve(message as { port: number }));
      server.once('exit', () => reject(new Error('The server ended.')));
    });
    const token = await provider.accountToken('player-one');
    const headers = { authorization: `Bearer ${token}` };
    // The first request makes the player, whom everybody reads from here on.
    const nobody = '00000000-0000-7000-8000-000000000000';
    await fetch(`http://127.0.0.1:${port}/players/${nobody}`, { headers });
    const playerGuid = await onlyPlayer(databaseUrl);

    const variant = (name: string, request: Buffer): Variant => ({
      name,
      start: async () => {
        const connections = await Promise.all(Array.from({ length: IN_FLIGHT }, () => connectHttp(port)));
        return {
          round: async (forMs) => {
            const startedAt = performance.now();
            let answers = 0;
            await Promise.all(
              connections.map(async ({ ask }) => {
                while (performance.now() - startedAt < forMs) {
                  const { status, body } = await ask(request);
                  if (status !== 200 || !body.includes(playerGuid)) throw new Error(`${status} ${body}`);
                  answers += 1;
                }
              }),
            );
            return (answers * 1000) / (performance.now() - startedAt);
          },
          stop: async () => {
            for (const connection of connections) connection.close();
          },
        };
      },
    });
    const rates = await measure(`A request that makes one indexed read, ${IN_FLIGHT} in flight`, [
      variant(UNGUARDED, requestOf(`/unguarded/${playerGuid}`)),
      variant(BEARER, requestOf(`/players/${playerGuid}`, headers)),
    ]);
    return {
      text: 'time of a bearer request ÷ time without authentication',
      measured: timeRatio(rates, BEARER, UNGUARDED),
      atMost: 1.15,
    };
  } finally {
    server.kill();
  }
}

async function onlyPlayer(databaseUrl: string): Promise<string> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('SELECT "playerGuid"::text FROM "Player"');
  await client.end();
  return rows[0].playerGuid;
}

/** Bans on one node people whom the other knows well; the worst of several counts. */
async function delayOfBan({ databaseUrl, provider, client }: World): Promise<Claim[]> {
  const nodes: { url: string; stop(): void }[] = [];
  const startNode = async (): Promise<string> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = forkServer('../src/main.ts', {
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: url,
      DATABASE_URL: databaseUrl,
      IDP_AUTHORIZE_URL: provider.authorizeUrl,
      IDP_TOKEN_URL: provider.tokenUrl,
      IDP_PUBLIC_KEY_URL: provider.publicKeyUrl,
      IDP_ISSUER: provider.issuer,
      IDP_AUDIENCE: provider.audience,
      OAUTH_CLIENT_ID: client.id,
      OAUTH_CLIENT_SECRET: client.secret,
      SESSION_SECRET: randomBytes(24).toString('hex'),
      PLUGIN_VERSIONS: '1.0.0',
      RATE_LIMIT_FACTOR: '0',
      DRAIN_DELAY_SECONDS: '0.01',
      LOG_LEVEL: 'fatal',
    });
    nodes.push({ url, stop: () => child.kill('SIGKILL') });
    for (let waited = 0; waited < 60_000; waited += 50) {
      const answer = await fetch(`${url}/health/ready`).catch(() => null);
      if (answer?.status === 200) return url;
      await sleep(50);
    }
    throw new Error('A node did not become ready.');
  };

  try {
    const [here, there] = [await startNode(), await startNode()];
    const admin = await provider.mint({ sub: 'bench-admin', platformId: null, permissions: ['role:admin'] });
    const ban = async (playerGuid: string): Promise<void> => {
      const answer = await fetch(`${here}/players/${playerGuid}/bans`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'bench', until: null }),
      });
      if (answer.status !== 201) throw new Error(`A ban was answered ${answer.status}.`);
    };

    let worstWrite = 0;
    let worstSocket = 0;
    for (let one = 0; one < BANS; one++) {
      const staff = await provider.mint({
        sub: `staff-${one}`,
        platformId: null,
        permissions: ['role:admin'],
      });
      const headers = { authorization: `Bearer ${staff}` };
      const write = async () => (await fetch(`${there}/seasons`, { method: 'POST', headers })).status;
      const me = await (await fetch(`${there}/auth/me`, { headers })).json();
      if ((await write()) !== 400) throw new Error('Staff could not write before the ban.');
      await ban(me.playerGuid);
      const bannedAt = performance.now();
      while ((await write()) !== 403) {
        if (performance.now() - bannedAt > 5000) throw new Error('The ban did not arrive in 5 s.');
      }
      worstWrite = Math.max(worstWrite, performance.now() - bannedAt);

      const token = await provider.gameToken({ platformId: `9000${one}`, username: `Bench ${one}` });
      const socket = io(there, {
        auth: { token, pluginVersion: '1.0.0' },
        reconnection: false,
        forceNew: true,
      });
      const { data } = await socket.emitWithAck('hello', {});
      const gone = new Promise((resolve) => socket.once('disconnect', resolve));
      const askedAt = performance.now();
      await ban(data.player.playerGuid);
      await gone;
      worstSocket = Math.max(worstSocket, performance.now() - askedAt);
    }
    console.log(`\n${BANS} bans on one node, of people whose tokens the other has just seen`);
    console.log(
      `  writes refused there after ${worstWrite.toFixed(0)} ms, connections ended after ${worstSocket.toFixed(0)} ms`,
    );
    return [
      { text: 'ms until a ban refuses writes on another node', measured: worstWrite, atMost: 1000 },
      { text: 'ms until a ban ends a connection on another node', measured: worstSocket, atMost: 1000 },
    ];
  } finally {
    for (const node of nodes) node.stop();
  }
}
