import { ask, connectPlayer } from '../../kit/typescript/socket.ts';
import { type Bot, type BotOptions, connectBot, type MatchView } from './bot.ts';
import type { Stack } from './stack.ts';
import { createTimeline } from './timeline.ts';

export interface ExhibitionOptions {
  stack: Pick<Stack, 'url' | 'identityProvider' | 'pluginVersion'>;
  queueGuid: string;
  /** A player's own chance: uniform in 0 ≤ x < 1. One each, so that neither depends on the other's pace. */
  fractionFor(player: string): () => number;
  thinkMs: number;
  /** How long a song lasts for spectators. */
  songMs: BotOptions['songMs'];
  stream: NodeJS.WritableStream;
  /** The players, the stronger one first; left out: {@link PLAYERS}. */
  players?: readonly [ExhibitionPlayer, ExhibitionPlayer];
  /** The weaker bot claims more than its replays show. */
  cheat?: boolean;
}

export interface ExhibitionPlayer {
  platformId: string;
  name: string;
  /** Mean accuracy, 0…1. */
  skill: number;
}

/** The stronger one first. */
export const PLAYERS = [
  { platformId: '9000000000000101', name: 'Astra', skill: 0.94 },
  { platformId: '9000000000000102', name: 'Borealis', skill: 0.92 },
] as const;

/** The token of a bot outlives the stack. */
export const TOKEN_SECONDS = 30 * 24 * 3600;

/** Two bots that play each other over real sockets, and the timeline of their matches. */
export async function openExhibition(options: ExhibitionOptions) {
  const {
    stack,
    queueGuid,
    fractionFor,
    thinkMs,
    songMs,
    stream,
    cheat = false,
    players = PLAYERS,
  } = options;
  const timeline = createTimeline(stream);
  const problems: string[] = [];
  let fail: ((error: Error) => void) | undefined;

  const bot = async ({ platformId, name, skill }: ExhibitionPlayer): Promise<Bot> =>
    connectBot({
      url: stack.url,
      token: await stack.identityProvider.gameToken({ platformId, username: name }, TOKEN_SECONDS),
      pluginVersion: stack.pluginVersion,
      name,
      platformId,
      script: cheat && name === players[1].name ? 'bad-replay' : undefined,
      skill,
      fraction: fractionFor(name),
      discardsSecond: name === players[1].name,
      thinkMs,
      songMs,
      onUpdate: timeline.update,
      onReplay: timeline.replay,
      onProblem: (problem) => {
        problems.push(problem);
        fail?.(new Error(problem));
      },
    });
  const [first, second] = [await bot(players[0]), await bot(players[1])];

  return {
    /**
     * Plays one match to its end.
     * @returns both players' last view of it
     * @throws Error when something is refused, or one of the two is paired with somebody else
     */
    play: async (): Promise<[MatchView, MatchView]> => {
      const broken = new Promise<never>((_, reject) => {
        fail = reject;
      });
      const ended = Promise.all([first.finished(), second.finished()]);
      const apart = Promise.race([first.finished(), second.finished()]).then(async () => {
        if (first.matchGuid() === second.matchGuid()) return ended;
        await Promise.all([first.leaveQueue(), second.leaveQueue()]);
        throw new Error('One of the two was paired with somebody else. --opponent has a bot to play with.');
      });
      try {
        const resumed = await Promise.all([first.resume(), second.resume()]);
        if (!resumed.includes('playing')) {
          await first.joinQueue(queueGuid);
          await second.joinQueue(queueGuid);
        }
        return await Promise.race([apart, broken]);
      } finally {
        fail = undefined;
      }
    },
    close: (): void => {
      first.close();
      second.close();
    },
  };
}

/** Ends the match that an earlier start left behind, so that the first player is free: the second one gives up. */
export async function endExhibition({ url, identityProvider, pluginVersion }: ExhibitionOptions['stack']) {
  const [, { platformId, name }] = PLAYERS;
  const token = await identityProvider.gameToken({ platformId, username: name }, TOKEN_SECONDS);
  const socket = await connectPlayer(url, { token, pluginVersion });
  const { match } = await ask(socket, 'hello', {});
  if (match) await ask(socket, 'forfeit', { matchGuid: match.matchGuid });
  socket.disconnect();
}
