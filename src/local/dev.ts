import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { styleText } from 'node:util';
import { refreshBundle } from '../../scripts/bundle.ts';
import { reasonOf } from '../platform/reason.ts';
import { SCRIPTS, TOKEN_SECONDS } from './bot.ts';
import { keepBotsAtPlay } from './bots-at-play.ts';
import { HELP, type Options, optionsOf } from './dev-options.ts';
import { endExhibition, openExhibition, PLAYERS } from './exhibition.ts';
import { openOpponent } from './opponent.ts';
import { PACES } from './pace.ts';
import { portsFrom } from './ports.ts';
import { meetAnybody, secondQueue, seed } from './seed.ts';
import type { Stack } from './stack.ts';
import { note, onEnd, runProgram, say } from './terminal.ts';

/** The local stack: everything on one machine, kept between starts, with matches to watch or a bot to play with. */

/** A game version to publish a plugin for. */
const GAME_VERSION = '1.40.8';
/** The player whose token is printed. */
const YOU = { platformId: '9000000000000200', username: 'Guest' };

interface Shown {
  stack: Stack;
  queueGuid: string;
  deploySecret: string;
  /** The effect of the Enter key. */
  enter: string;
}

async function table({ stack, queueGuid, deploySecret, enter }: Shown): Promise<string> {
  const provider = stack.identityProvider.issuer;
  /** JSON, and once more for the shell. */
  const orderOf = (order: object): string =>
    `curl -s ${provider}/local/tokens -H "content-type: application/json" -d ${JSON.stringify(JSON.stringify(order))}`;
  const [{ name, platformId }] = PLAYERS;
  const live = `${stack.url.replace('http', 'ws')}/live/u/${platformId}`;
  const rows: [string, string][] = [
    ['Home page', `${stack.url}/`],
    ['API', stack.url],
    ['HTTP reference', `${stack.url}/docs`],
    ['Sign in', `${stack.url}/auth/login?returnTo=${encodeURIComponent(`${stack.url}/`)}`],
    ['Socket reference', `${stack.url}/docs/ws`],
    ['Playlist', `${stack.url}/maps/playlist.bplist`],
    ['Map host', stack.mapHost.url],
    ['Identity provider', `${provider}/local`],
    ['A staff token', orderOf({ account: 'admin' })],
    ['A player token', orderOf({ game: { platformId: '9000000000000201', username: 'Other' } })],
    ['Plugin version', stack.pluginVersion],
    [
      'Publish a plugin',
      `curl -T plugin.zip ${stack.url}/internal/plugin-releases/${GAME_VERSION} -H "authorization: Bearer ${deploySecret}" -H "content-type: application/octet-stream" -H "x-service-plugin-version: ${stack.pluginVersion}"`,
    ],
    [
      `Watch ${name} play`,
      `npx node -e "new WebSocket('${live}').onmessage = async ({ data }) => console.log(await data.text())"`,
    ],
    ['Queue', queueGuid],
    ['Your token', await stack.identityProvider.gameToken(YOU, TOKEN_SECONDS)],
    [enter, 'press Enter'],
    ['Stop', 'press Ctrl-C'],
  ];
  return rows.map(([name, value]) => `  ${styleText('bold', name.padEnd(18))} ${value}`).join('\n');
}

/** The matches that the stack plays beside the service, and the effect of the Enter key. */
interface Show {
  enter: string;
  onEnter(): Promise<void>;
  close(): void;
}

const problem = (text: string): void => say(styleText('red', text));

async function opponentOf(stack: Stack, queueGuid: string, { script, pace }: Options): Promise<Show> {
  await meetAnybody(stack, queueGuid);
  await endExhibition(stack);
  const opponent = await openOpponent({
    stack,
    queueGuid,
    script,
    ...PACES[pace],
    stream: process.stdout,
    onProblem: problem,
  });
  say(
    `\n${PLAYERS[0].name} waits in the queue for anybody who joins${script ? `: ${SCRIPTS[script]}` : ''}.`,
  );
  return { enter: 'A new token', onEnter: async () => undefined, close: opponent.close };
}

async function exhibitionOf(stack: Stack, queueGuid: string, { pace }: Options): Promise<Show> {
  const exhibition = await openExhibition({
    stack,
    queueGuid,
    ...PACES[pace],
    stream: process.stdout,
  });
  let playing = false;
  return {
    enter: 'Another match',
    onEnter: async () => {
      if (playing) return say('A match is running. --opponent has a bot to play with.');
      playing = true;
      say('');
      try {
        await exhibition.play();
      } catch (error) {
        problem(`The match could not be played: ${reasonOf(error)}`);
      }
      playing = false;
    },
    close: exhibition.close,
  };
}

async function run(): Promise<void> {
  const options = optionsOf();
  if (options.help) return say(HELP);
  const dataFolder = path.resolve(options.data);
  note(
    `Starting PostgreSQL, identity provider, map host and service (data in ${path.relative(process.cwd(), dataFolder) || dataFolder}) …`,
  );
  await refreshBundle();
  // Loaded last, so that a wrong option is reported at once.
  const [{ startStack }, { seedPast }] = await Promise.all([import('./stack.ts'), import('./past.ts')]);
  const deploySecret = randomBytes(24).toString('hex');
  const stack = await startStack({
    ports: portsFrom(process.env),
    dataFolder,
    environment: {
      DEPLOY_SECRET: deploySecret,
      // The same two play each other again at once.
      REMATCH_SECONDS: '0.001',
      DRAIN_DELAY_SECONDS: '0.01',
      // Where a website under development is served; without one a login ends at the HTTP reference.
      WEBSITE_ORIGINS: process.env.WEBSITE_ORIGINS ?? '',
      ...PACES[options.pace].environment,
    },
  });

  let show: Show | undefined;
  let stopBots: (() => void) | undefined;
  let stopping = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    note('\nStopping …');
    show?.close();
    stopBots?.();
    await stack.stop();
  };
  onEnd(stop, 0);

  const { isNew, queueGuid, poolGuid } = await seed(stack);
  await seedPast(stack, { queueGuid, poolGuid });
  note(isNew ? 'Seeded through the REST API.' : 'The data of an earlier start is still there.');
  show = await (options.opponent ? opponentOf : exhibitionOf)(stack, queueGuid, options);
  const { enter, onEnter } = show;
  const second = await secondQueue(stack);
  if (second !== null) stopBots = await keepBotsAtPlay(stack, second, options.pace);
  // A match is longer than a screen, so the table comes again after each.
  const print = async () => say(`\n${await table({ stack, queueGuid, deploySecret, enter })}\n`);
  const next = async (): Promise<void> => {
    await onEnter();
    if (!stopping) await print();
  };
  createInterface({ input: process.stdin }).on('line', () => void next());
  await print();
  if (!options.opponent) await next();
}

await runProgram(run, 'The local stack could not start.');
