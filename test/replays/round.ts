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

/** The map is being played; with `submit` both scores are in. */
export async function playRound(
  service: TestService,
  queueGuid: string,
  { submit = true, changes = {} }: { submit?: boolean; changes?: Partial<PlayOptions> } = {},
): Promise<Round> {
  pairs += 1;
  const [a, b] = [await service.connect(`R${pairs}a`), await service.connect(`R${pairs}b`)];
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

/** Publishes a file as the replay of a round. */
export async function publish(
  service: TestService,
  { matchGuid, roundNumber }: { matchGuid: string; roundNumber: number | string },
  { token }: Pick<Player, 'token'>,
  body: Uint8Array | ReadableStream,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(`${service.url}/matches/${matchGuid}/rounds/${roundNumber}/replay`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'x-service-plugin-version': '1.0.0',
      ...headers,
    },
    body: body as BodyInit,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
}

/** Status and code of a refusal, as one line. */
export const refusal = ({ status, body }: { status: number; body: any }): string =>
  `${status} ${body.error?.code}`;
