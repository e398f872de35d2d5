import { mkdtemp, rm, stat } from 'node:fs/promises';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { portsFrom } from '../../src/local/ports.ts';
import { freePort } from '../../src/local/postgres.ts';
import { startStack } from '../../src/local/stack.ts';
import { type ServiceProcess, spawnNode } from '../harness/process.ts';
import { SocketPlayer } from '../harness/socket-player.ts';

const dev = fileURLToPath(new URL('../../src/local/dev.ts', import.meta.url));

describe('npm run dev -- --opponent, without a terminal', () => {
  let folder: string;
  let environment: Record<string, string>;
  let running: ServiceProcess | undefined;
  // For each attempt anew: one that was given up leaves a running stack and a match behind.
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'matches-dev-'));
    const ports = ['PORT', 'IDENTITY_PROVIDER_PORT', 'MAP_HOST_PORT'];
    environment = {};
    for (const port of ports) environment[port] = String(await freePort());
  });
  afterEach(async () => {
    await running?.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  });

  const start = async (): Promise<{ token: string; queueGuid: string }> => {
    running = spawnNode([dev, '--opponent', '--script', 'forfeit', '--data', folder], environment);
    await running.said('press Ctrl-C');
    const shown = (row: string) =>
      new RegExp(`^ +${row} +(\\S+)$`, 'm').exec(running?.output() ?? '')?.[1] ?? '';
    return { token: shown('Your token'), queueGuid: shown('Queue') };
  };
  const connect = (token: string) =>
    SocketPlayer.connect({
      url: `http://127.0.0.1:${environment.PORT}`,
      name: 'You',
      token,
      pluginVersion: '1.0.0',
    });

  test('prints a token and a queue in which its player meets the opponent; token and match stay valid after a restart', async () => {
    const { token, queueGuid } = await start();
    const you = await connect(token);
    await you.do('joinQueue', { queueGuid });
    const { matchGuid } = await you.status('waiting_players');
    await you.do('joinMatch', { matchGuid });
    expect((await you.status('awaiting_discards')).opponent.player.username).toBe('Astra');
    await running?.said(`match ${matchGuid}`);
    you.leave();
    // In the middle of two matches: another one of bots is running.
    expect(await running?.terminate()).toBe(0);
    expect(running?.output()).not.toMatch(/failed| {4}at /);
    if (process.platform !== 'win32')
      expect((await stat(path.join(folder, 'identity-provider-key.pem'))).mode & 0o777).toBe(0o600);

    const again = await start();
    expect(again.queueGuid).toBe(queueGuid);
    const back = await connect(token);
    expect((await back.do('hello')).match.matchGuid).toBe(matchGuid);
    await back.do('forfeit', { matchGuid });
    await back.status('aborted');
    back.leave();
    expect(await running?.terminate()).toBe(0);
    // Two starts of everything that a laptop needs take more than 60 s on a slow, busy machine.
  }, 300_000);

  test('refuses a wrong option with advice and without a stack, and lists all with --help', async () => {
    const [help, refused] = [['--help'], ['--pace', 'fast']].map((args) =>
      spawnNode([dev, ...args], environment),
    ) as [ServiceProcess, ServiceProcess];
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toContain('--pace must be one of quick, real, not "fast".');
    expect(refused.output()).not.toContain('    at ');
    expect(await help.exited).toBe(0);
    for (const option of ['--opponent', '--script NAME', 'bad-replay', '--pace real', '--data FOLDER'])
      expect(help.output()).toContain(option);
  });

  test('names the variables of ports that are the same', async () => {
    const PORT = String(await freePort());
    await expect(startStack({ ports: portsFrom({ PORT, IDENTITY_PROVIDER_PORT: PORT }) })).rejects.toThrow(
      `PORT and IDENTITY_PROVIDER_PORT are both ${PORT}. Set one to another port.`,
    );
  });

  test('names the variable of a port that is forbidden', async () => {
    const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
      setImmediate(() => this.emit('error', error));
      return this;
    });
    try {
      const ports = { service: 0, identityProvider: 0, mapHost: 80 };
      await expect(startStack({ ports })).rejects.toThrow(
        'Port 80 may not be used by this user. Set the variable MAP_HOST_PORT to another one.',
      );
    } finally {
      listen.mockRestore();
    }
  });
});
