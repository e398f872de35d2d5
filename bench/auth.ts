import type { ChildProcess } from 'node:child_process';
import { io } from 'socket.io-client';
import { type Node, openSurroundings, type Surroundings } from '../src/local/surroundings.ts';
import { migrate } from '../src/platform/database/migrations.ts';
import { untilItAnswers } from './answering.ts';
import { askingOver, type Claim, measure, timeRatio, type Variant } from './harness.ts';
import { connectHttp, requestOf } from './http-client.ts';
import { forkServer, startServer } from './matches-arena.ts';

/** The cost of credentials that were seen before, and the delay of a ban that this causes. */

const IN_FLIGHT = 16;
const UNGUARDED = 'one indexed read';
const BEARER = 'the same for a bearer token';
const BANS = 8;

export async function bench(): Promise<Claim[]> {
  const around = await openSurroundings({ database: { durable: true }, ports: [0, 0] });
  try {
    await migrate(around.databaseUrl);
    return [await costOfToken(around), ...(await delayOfBan(around))];
  } finally {
    await around.stop();
  }
}

async function costOfToken({ databaseUrl, identityProvider: provider }: Surroundings): Promise<Claim> {
  const { port, stop } = await startServer('auth-server.ts', {
    DATABASE_URL: databaseUrl,
    IDP_PUBLIC_KEY_URL: provider.publicKeyUrl,
    IDP_ISSUER: provider.issuer,
    IDP_AUDIENCE: provider.audience,
  });
  try {
    const token = await provider.accountToken('player-one');
    const headers = { authorization: `Bearer ${token}` };
    // The first request creates the player; the next ones read it.
    const nobody = '00000000-0000-7000-8000-000000000000';
    await fetch(`http://127.0.0.1:${port}/players/${nobody}`, { headers });
    const playerGuid = await onlyPlayer(databaseUrl);

    const variant = (name: string, request: Buffer): Variant => ({
      name,
      start: async () => {
        const connections = await Promise.all(Array.from({ length: IN_FLIGHT }, () => connectHttp(port)));
        return askingOver(connections, async ({ ask }) => {
          const { status, body } = await ask(request);
          if (status !== 200 || !body.includes(playerGuid)) throw new Error(`${status} ${body}`);
        });
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
    await stop();
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

/** Bans players on one node whom the other has in its cache; the worst of several counts. */
async function delayOfBan({ identityProvider: provider, nodes }: Surroundings): Promise<Claim[]> {
  const running: ChildProcess[] = [];
  const startNode = async (node: Node | undefined): Promise<string> => {
    if (node === undefined) throw new RangeError('There is no such node.');
    const child = forkServer('../src/main.ts', {
      ...node.environment,
      RATE_LIMIT_FACTOR: '0',
      DRAIN_DELAY_SECONDS: '0.01',
      LOG_LEVEL: 'fatal',
    });
    running.push(child);
    await untilItAnswers(`${node.url}/health/ready`, () => child.exitCode !== null);
    return node.url;
  };

  try {
    const [here, there] = [await startNode(nodes[0]), await startNode(nodes[1])];
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
    for (const child of running) child.kill('SIGKILL');
  }
}
