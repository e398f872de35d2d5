import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Variable, variables } from '../../src/config-variables.ts';
import { openSurroundings, PLUGIN_VERSION, type Surroundings } from '../../src/local/surroundings.ts';
import { emptyDatabase } from '../harness/database.ts';
import { hasTools, openShell, stepsOf } from '../harness/guide.ts';
import { type ServiceProcess, spawnService } from '../harness/process.ts';
import { platformIdOf } from '../harness/service.ts';
import { meet, playRound, SocketPlayer } from '../harness/socket-player.ts';

const isReady = hasTools();
const page = await readFile(path.resolve(import.meta.dirname, '../../docs/first-match.md'), 'utf8');

/** Shorter durations than in production. */
const quick = { SCORE_EARLIEST_SHARE: '0', COUNTDOWN_SECONDS: '0.1', ROUND_RESULTS_SECONDS: '0.1' };

describe.skipIf(!isReady)(
  `the way to the first match${isReady ? '' : ' (skipped: needs bash and curl 7.76)'}`,
  () => {
    let database: Awaited<ReturnType<typeof emptyDatabase>>;
    let around: Surroundings;
    let service: ServiceProcess;

    const named = [...(/^```ini\n(.*?)^```$/ms.exec(page)?.[1] ?? '').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => ({ name, value }),
    );

    beforeAll(async () => {
      database = await emptyDatabase();
      around = await openSurroundings({ database: database.url });
      const { environment } = around.nodes[0];
      const { accounts } = around.identityProvider;
      const filledIn: Record<string, string> = { ...environment, ADMIN_SUBJECTS: accounts['player-one'].sub };
      // A value that the page leaves open or gives as an example is the reader's own.
      const lines = named.map(({ name, value }) => `${name}=${filledIn[name] ?? value}`);
      const file = path.join(environment.STORAGE_DIR ?? '', '.env');
      await writeFile(file, lines.join('\n'));
      const {
        HOST = '',
        PORT = '',
        STORAGE_DIR = '',
        MAP_HOST_URL = '',
        MAP_HOST_FILE_HOSTS = '',
      } = environment;
      // Variables that the page does not name.
      const here = { HOST, PORT, STORAGE_DIR, MAP_HOST_URL, MAP_HOST_FILE_HOSTS };
      service = spawnService({ ...here, ...quick }, [], [file]);
      await service.said('"msg":"listening"');
    });
    afterAll(async () => {
      await service.terminate();
      await around.stop();
      await database.drop();
    });

    test('names the variables that the start needs', () => {
      const required = Object.values<Variable>(variables).filter((one) => one.required);
      expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(required.map(({ name }) => name)));
    });

    /** Two plugins that play, as step 7 says. */
    async function firstMatch(): Promise<string> {
      const { url } = around.nodes[0];
      const connect = async (name: string) =>
        SocketPlayer.connect({
          url,
          name,
          token: await around.identityProvider.gameToken({ platformId: platformIdOf(name), username: name }),
          pluginVersion: PLUGIN_VERSION,
        });
      const [anna, bert] = [await connect('Anna'), await connect('Bert')];
      const { items } = (await (await fetch(`${url}/queues`)).json()) as { items: { queueGuid: string }[] };
      const matchGuid = await meet(anna, bert, items[0]?.queueGuid ?? '');
      await Promise.all([anna, bert].map((one) => one.do('discardMaps', { matchGuid, cardGuids: [] })));
      await playRound(anna, bert, 0.9, 0.8);
      await bert.do('forfeit', { matchGuid });
      await anna.status('completed');
      for (const player of [anna, bert]) player.leave();
      return matchGuid;
    }

    test('works as written, on an empty database', async () => {
      const token = (account: 'player-one' | 'player-two') => around.identityProvider.accountToken(account);
      const shell = openShell({
        API: around.nodes[0].url,
        ADMIN_TOKEN: await token('player-one'),
        OTHER_TOKEN: await token('player-two'),
      });
      const steps = stepsOf('first-match.md');
      expect(steps.length).toBeGreaterThan(4);
      for (const { heading, commands, output } of steps) {
        if (commands.includes('$FIRST_MATCH')) await shell.run(`FIRST_MATCH=${await firstMatch()}`);
        expect(await shell.run(commands), `${heading}\n${commands}`).toBe(output ?? '');
      }
      shell.close();
    });
  },
);
