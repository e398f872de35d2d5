import { type Bot, connectBot, type MatchView } from './bot.ts';
import type { Stack } from './stack.ts';
import { createTimeline } from './timeline.ts';

/** Two bots that play each other, and the timeline of their match. */
export type Exhibition = Awaited<ReturnType<typeof openExhibition>>;

export interface ExhibitionOptions {
  stack: Pick<Stack, 'url' | 'identityProvider' | 'pluginVersion'>;
  queueGuid: string;
  /** A player's own chance: uniform in 0 ≤ x < 1. One each, so that neither depends on the other's pace. */
  fractionFor(player: string): () => number;
  thinkMs: number;
  /** How long a song lasts for those who watch it. */
  songMs: number;
  stream: NodeJS.WritableStream;
  /** The weaker bot claims more than its replays show. */
  cheat?: boolean;
}

/** The stronger one first. */
export const PLAYERS = [
  { platformId: '9000000000000101', name: 'Astra', skill: 0.94 },
  { platformId: '9000000000000102', name: 'Borealis', skill: 0.92 },
] as const;

/** A match of two bots that nothing disturbs is over long before. */
const MATCH_LIMIT_MS = 120_000;

/** Signs two bots in as players and connects them over real sockets. */
export async function openExhibition(options: ExhibitionOptions) {
  const { stack, queueGuid, fractionFor, thinkMs, songMs, stream, cheat = false } = options;
  const timeline = createTimeline(stream);
  const problems: string[] = [];
  let fail: ((error: Error) => void) | undefined;

  const bot = async ({ platformId, name, skill }: (typeof PLAYERS)[number]): Promise<Bot> =>
    connectBot({
      url: stack.url,
      token: await stack.identityProvider.gameToken({ platformId, username: name }),
      pluginVersion: stack.pluginVersion,
      name,
      platformId,
      cheats: cheat && name === PLAYERS[1].name,
      skill,
      fraction: fractionFor(name),
      discardsSecond: name === PLAYERS[1].name,
      thinkMs,
      songMs,
      onUpdate: timeline.update,
      onReplay: timeline.replay,
      onProblem: (problem) => {
        problems.push(problem);
        fail?.(new Error(problem));
      },
    });
  const [first, second] = [await bot(PLAYERS[0]), await bot(PLAYERS[1])];

  return {
    /** Plays one match to its end. @returns both players' last view of it */
    play: async (): Promise<[MatchView, MatchView]> => {
      let timer: NodeJS.Timeout | undefined;
      const broken = new Promise<never>((_, reject) => {
        fail = reject;
        timer = setTimeout(
          () => reject(new Error(`The match was not over after ${MATCH_LIMIT_MS / 1000} s.`)),
          MATCH_LIMIT_MS,
        );
      });
      const ended = Promise.all([first.finished(), second.finished()]);
      try {
        const resumed = await Promise.all([first.resume(), second.resume()]);
        if (!resumed.includes(true)) {
          await first.joinQueue(queueGuid);
          await second.joinQueue(queueGuid);
        }
        return await Promise.race([ended, broken]);
      } finally {
        clearTimeout(timer);
        fail = undefined;
      }
    },
    close: (): void => {
      first.close();
      second.close();
    },
  };
}
