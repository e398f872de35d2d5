import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/local/postgres.ts';
import { CSHARP_KIT } from '../../src/platform/documents/csharp-kit.ts';
import { type ServiceProcess, spawnNode } from '../harness/process.ts';
import { missing, openWorkshop, type Workshop } from './plugins.ts';

const isMissing = missing();
const root = path.resolve(import.meta.dirname, '../..');

describe.skipIf(isMissing !== null)(
  `the page of the C# kit, followed from top to bottom${isMissing ? `: ${isMissing}` : ''}`,
  () => {
    let workshop: Workshop;
    let data: string;
    let ports: Record<string, string>;
    let stack: ServiceProcess | undefined;
    const { readme } = CSHARP_KIT;
    const commands = readme.split('\n').filter((line) => /^(mcs|mono) /.test(line));
    const [compiling = '', ...players] = commands;

    beforeAll(async () => {
      workshop = await openWorkshop();
      data = await mkdtemp(path.join(tmpdir(), 'matches-page-'));
      ports = {};
      for (const port of ['PORT', 'IDENTITY_PROVIDER_PORT', 'MAP_HOST_PORT'])
        ports[port] = String(await freePort());
      await workshop.follow(compiling);
    });
    afterAll(async () => {
      await stack?.kill();
      await workshop.remove();
      await rm(data, { recursive: true, force: true });
    });

    /** `npm run dev`, with bots that play each other in another queue, and options of its own. */
    const start = async (...options: string[]): Promise<void> => {
      stack = spawnNode([path.join(root, 'src/local/dev.ts'), ...options, '--data', data], ports);
      await stack.said('press Ctrl-C');
    };
    const play = (command: string, ...more: string[]): Promise<string> => {
      const [address, provider] = [ports.PORT, ports.IDENTITY_PROVIDER_PORT].map(
        (port) => `http://127.0.0.1:${port}`,
      ) as [string, string];
      return workshop.play(command, [
        ...['--address', address, '--provider', provider, '--song', '0.01'],
        ...more,
      ]);
    };

    test('has a listing that compiles', async () => {
      const [, listing = ''] = /```cs\n(.*?)```/s.exec(readme) ?? [];
      await expect(workshop.compile(listing)).resolves.toBeUndefined();
    });

    test('has a sample that lists its options, and plays nothing with one that is incomplete or unknown', async () => {
      const sample = 'mono plugin/Sample.exe';
      expect(await workshop.play(sample, ['--help'])).toContain('--replay');
      // The options are on the standard error then.
      for (const words of [['--name'], ['Bert'], ['--nam', 'Bert']])
        expect(await workshop.play(sample, words)).toBe('');
    });

    test('starts two copies of the sample that play each other, and one that plays the bot', async () => {
      expect(players).toHaveLength(2);
      await start();
      const [winner, loser] = await Promise.all(players.map((command) => play(command)));
      expect(winner).toContain('Win by Health');
      expect(loser).toContain('Loss by Health');
      // The bots may be in the middle of a match.
      expect(await stack?.terminate()).toBe(0);

      await start('--opponent', '--script', 'forfeit');
      expect(await play(players[0] ?? '', '--name', 'Zed')).toContain('Win by Forfeit');
      expect(stack?.output()).toContain('Zed');
      expect(await stack?.terminate()).toBe(0);
    }, 180_000);
  },
);
