import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { modifiedScoreOf } from '../../src/domains/matches/index.ts';
import { type Play, type PlayOptions, playMap } from '../../src/local/play.ts';
import { platformIdOf, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer, toFirstPick, toPlaying } from '../harness/socket-player.ts';

/** Two players in a round of a real match, each with a play of its map. */

export interface Player {
  name: string;
  guid: string;
  token: string;
  socket: SocketPlayer;
  play: Play;
}

export interface Round {
  matchGuid: string;
  roundNumber: number;
  map: PlayOptions['map'];
  players: readonly [Player, Player];
  submitScore(player: Player): Promise<unknown>;
  /** One gives up: the match is over. */
  finish(): Promise<void>;
}

let pairs = 0;

/** Plays a match until its first map is being played; with `submit` both scores are submitted. */
export async function playRound(
  service: TestService,
  queueGuid: string,
  {
    submit = true,
    changes = {},
    names,
  }: { submit?: boolean; changes?: Partial<PlayOptions>; names?: [string, string] } = {},
): Promise<Round> {
  pairs += 1;
  const [nameOfA, nameOfB] = names ?? [`R${pairs}a`, `R${pairs}b`];
  const [a, b] = [await service.connect(nameOfA), await service.connect(nameOfB)];
  const matchGuid = await meet(a, b, queueGuid);
  const [picker, waiter] = await toFirstPick(a, b, matchGuid);
  const { currentMap: map, roundNumber, startsAt } = await toPlaying(picker, waiter, matchGuid);
  const playerOf = async (socket: SocketPlayer, accuracy: number): Promise<Player> => {
    const platformId = platformIdOf(socket.name);
    return {
      name: socket.name,
      socket,
      guid: socket.match.you.player.playerGuid,
      token: await service.identityProvider.gameToken({ platformId, username: socket.name }),
      play: playMap({
        map,
        player: { platformId, name: socket.name },
        accuracy,
        seed: socket.name,
        startedAt: Date.parse(startsAt),
        gameVersion: '1.40.0_123',
        ...changes,
      }),
    };
  };
  const players = [await playerOf(a, 0.95), await playerOf(b, 0.93)] as const;
  const submitScore = ({ socket, play: { replay: _replay, ...score } }: Player) =>
    socket.do('submitScore', {
      matchGuid,
      roundNumber,
      ...score,
      modifiedScore: modifiedScoreOf(score.rawScore, map.modifiers, false),
      noFailTriggered: false,
      failed: false,
    });
  if (submit) for (const player of players) await submitScore(player);
  return {
    matchGuid,
    roundNumber,
    map,
    players,
    submitScore,
    finish: async () => {
      await a.do('forfeit', { matchGuid });
      for (const { socket } of players) await socket.until(() => socket.match.result !== null, 'the end');
    },
  };
}

const addressOf = ({ url }: TestService, { matchGuid, roundNumber }: PublishedRound): string =>
  `${url}/matches/${matchGuid}/rounds/${roundNumber}/replay`;
type PublishedRound = { matchGuid: string; roundNumber: number | string };

const headersOf = ({ token }: Pick<Player, 'token'>) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/octet-stream',
  'x-service-plugin-version': '1.0.0',
});

/** Publishes a file as the replay of a round. */
export async function publish(
  service: TestService,
  round: PublishedRound,
  player: Pick<Player, 'token'>,
  body: Uint8Array | ReadableStream,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(addressOf(service, round), {
    method: 'POST',
    headers: { ...headersOf(player), ...headers },
    body: body as BodyInit,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
}

/** The request of an upload, whose body the test sends. */
export const openUpload = (
  service: TestService,
  round: PublishedRound,
  player: Pick<Player, 'token'>,
  headers: Record<string, string> = {},
) =>
  httpRequest(addressOf(service, round), {
    method: 'POST',
    headers: { ...headersOf(player), ...headers },
  }).on('error', () => {});

export const answerTo = async (request: ReturnType<typeof openUpload>) => {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: (await json(answer)) as any };
};

/** Keeps the covers of the maps that were looked up until now from being fetched: they arrive in the same folder as replays. */
export const fetchNoCovers = ({ database }: TestService) =>
  database.prisma.mapCover.updateMany({ data: { tryAt: null } });

/** Files that arrive at a service, by name, and their bytes. */
export async function incomingFiles({ environment }: TestService): Promise<Map<string, number>> {
  const folder = path.join(environment.STORAGE_DIR as string, '.incoming');
  const files = new Map<string, number>();
  for (const name of await readdir(folder)) {
    // It may have been moved away meanwhile.
    const found = await stat(path.join(folder, name)).catch(() => null);
    if (found) files.set(name, found.size);
  }
  return files;
}
