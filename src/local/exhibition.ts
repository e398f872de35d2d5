import { PassThrough } from 'node:stream';
import { ask, connectPlayer } from '../../kit/typescript/socket.ts';
import { type BotOptions, type BotPlayer, connectBot, type MatchView, TOKEN_SECONDS } from './bot.ts';
import { createTimeline } from './timeline.ts';

export interface ExhibitionOptions extends Pick<BotOptions, 'stack' | 'thinkMs' | 'songMs'> {
  queueGuid: string;
  /**
   * A player's own chance, uniform in 0 ≤ x < 1: one each, so that neither depends on the other's pace. Left out: another one
   * each time.
   */
  fractionFor?(player: string): () => number;
  /** Where the timeline is written; left out: nowhere. */
  stream?: NodeJS.WritableStream;
  /** The players, the stronger one first; left out: {@link PLAYERS}. */
  players?: readonly [BotPlayer, BotPlayer];
  /** The weaker bot claims more than its replays show. */
  cheat?: boolean;
}

/** The stronger one first. */
export const PLAYERS = [
  { platformId: '9000000000000101', name: 'Astra', skill: 0.94 },
  { platformId: '9000000000000102', name: 'Borealis', skill: 0.92 },
] as const;

/** Two bots that play each other over real sockets, and the timeline of their matches. */
export async function openExhibition(options: ExhibitionOptions) {
  const {
    stack,
    queueGuid,
    thinkMs,
    songMs,
    players = PLAYERS,
    stream = new PassThrough().resume(),
  } = options;
  const timeline = createTimeline(stream);
  const problems: string[] = [];
  let fail: ((error: Error) => void) | undefined;

  const bot = (player: BotPlayer) =>
    connectBot({
      stack,
      player,
      script: options.cheat && player === players[1] ? 'bad-replay' : undefined,
      fraction: options.fractionFor?.(player.name) ?? Math.random,
      discardsSecond: player === players[1],
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
      // Either may fail while nobody waits for it: before the race begins, or after another refusal has ended it.
      for (const outcome of [broken, apart]) outcome.catch(() => undefined);
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
