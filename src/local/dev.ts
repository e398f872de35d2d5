import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { type Exhibition, openExhibition, PLAYERS } from './exhibition.ts';
import { portsFrom } from './ports.ts';
import { seed } from './seed.ts';
import { type Stack, startStack } from './stack.ts';
import { note, onEnd, runProgram, say } from './terminal.ts';

/** The local stack: everything on one machine, kept between starts, with a match to watch. */

const DATABASE_FOLDER = fileURLToPath(new URL('../../data/postgres', import.meta.url));
const STORAGE_FOLDER = fileURLToPath(new URL('../../data/storage', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Long enough to watch, short enough to wait for. */
const SONG_MS = 2500;
/** A game version to publish a plugin for. */
const GAME_VERSION = '1.40.8';

function table(stack: Stack, deploySecret: string): string {
  const provider = stack.identityProvider.issuer;
  const [{ name, platformId }] = PLAYERS;
  const live = `${stack.url.replace('http', 'ws')}/live/u/${platformId}`;
  const rows: [string, string][] = [
    ['API', stack.url],
    ['HTTP reference', `${stack.url}/docs`],
    ['Sign in', `${stack.url}/auth/login`],
    ['Socket reference', `${stack.url}/docs/ws`],
    ['Playlist', `${stack.url}/maps/playlist.bplist`],
    ['Map host', stack.mapHost.url],
    ['Identity provider', `${provider}/local`],
    [
      'A staff token',
      `curl -s ${provider}/local/tokens -H 'content-type: application/json' -d '{"account":"admin"}'`,
    ],
    [
      'A player token',
      `curl -s ${provider}/local/tokens -H 'content-type: application/json' -d '{"game":{"platformId":"9000000000000200","username":"You"}}'`,
    ],
    ['Plugin version', stack.pluginVersion],
    [
      'Publish a plugin',
      `curl -T plugin.zip ${stack.url}/internal/plugin-releases/${GAME_VERSION} -H 'authorization: Bearer ${deploySecret}' -H 'content-type: application/octet-stream' -H 'x-service-plugin-version: ${stack.pluginVersion}'`,
    ],
    [
      `Watch ${name} play`,
      `npx node -e "new WebSocket('${live}').onmessage = async ({ data }) => console.log(await data.text())"`,
    ],
    ['Another match', 'press Enter'],
    ['Stop', 'press Ctrl-C'],
  ];
  return rows.map(([name, value]) => `  ${styleText('bold', name.padEnd(18))} ${value}`).join('\n');
}

async function run(): Promise<void> {
  note(
    `Starting PostgreSQL (data in ${path.relative(root, DATABASE_FOLDER)}), identity provider, map host and service …`,
  );
  const deploySecret = randomBytes(24).toString('hex');
  const stack = await startStack({
    ports: portsFrom(process.env),
    databaseFolder: DATABASE_FOLDER,
    storageFolder: STORAGE_FOLDER,
    environment: {
      DEPLOY_SECRET: deploySecret,
      ROUND_RESULTS_SECONDS: '2',
      COUNTDOWN_SECONDS: '1',
      // The bots play each other again at once.
      REMATCH_SECONDS: '0.001',
      DRAIN_DELAY_SECONDS: '0.01',
      // Where a website under development is served; without one a login ends at the HTTP reference.
      WEBSITE_ORIGINS: process.env.WEBSITE_ORIGINS ?? '',
    },
  });

  let exhibition: Exhibition | undefined;
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    note('\nStopping …');
    exhibition?.close();
    await stack.stop();
    process.exit(0);
  };
  onEnd(stop);

  const seeded = await seed(stack);
  note(seeded.isNew ? 'Seeded through the REST API.' : 'The data of an earlier start is still there.');
  exhibition = await openExhibition({
    stack,
    queueGuid: seeded.queueGuid,
    fractionFor: () => Math.random,
    thinkMs: 400,
    songMs: SONG_MS,
    stream: process.stdout,
  });

  let playing = false;
  const playOne = async (): Promise<void> => {
    if (playing || stopping) return;
    playing = true;
    say('');
    try {
      await exhibition?.play();
    } catch (error) {
      if (!stopping)
        say(
          styleText(
            'red',
            `The match could not be played: ${error instanceof Error ? error.message : error}`,
          ),
        );
    }
    playing = false;
    if (!stopping) say(`\n${table(stack, deploySecret)}\n`);
  };
  createInterface({ input: process.stdin }).on('line', playOne);
  // It is printed again after each match, which is longer than a screen.
  say(`\n${table(stack, deploySecret)}\n`);
  await playOne();
}

await runProgram(run, 'The local stack could not start.');
