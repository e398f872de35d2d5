import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../platform/reason.ts';
import { connectBot, type Script } from './bot.ts';
import { type ExhibitionOptions, PLAYERS } from './exhibition.ts';
import { createTimeline } from './timeline.ts';

/** A bot that waits in the queue for anybody who joins, again after each match, and the timeline of its matches. */
export type Opponent = Awaited<ReturnType<typeof openOpponent>>;

interface OpponentOptions extends Pick<ExhibitionOptions, 'stack' | 'thinkMs' | 'songMs' | 'queueGuid'> {
  script: Script | undefined;
  /** Where the timeline is written. */
  stream: NodeJS.WritableStream;
  /** Called with an error; the opponent continues. */
  onProblem(problem: string): void;
}

/** After a refusal it joins again this much later: with a ban it connects anew each time, at most ten times in a minute. */
const AGAIN_MS = 7000;

/** Signs the bot in as a player and lets it wait in the queue until it is closed. */
export async function openOpponent(options: OpponentOptions) {
  const { stack, queueGuid, thinkMs, songMs, script } = options;
  const closed = new AbortController();
  /** Commands under way when it is closed fail; they are not reported. */
  const onProblem = (problem: string) => closed.signal.aborted || options.onProblem(problem);
  const timeline = createTimeline(options.stream);
  const [player] = PLAYERS;
  const bot = await connectBot({
    stack,
    player,
    fraction: Math.random,
    discardsSecond: false,
    thinkMs,
    songMs,
    script,
    onUpdate: timeline.update,
    onReplay: timeline.replay,
    onProblem,
  });

  const wait = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      const again = Promise.race([bot.finished(), bot.idle()]);
      try {
        // The service may have queued it again, and pairs it at any moment.
        if ((await bot.resume()) === 'idle') await bot.joinQueue(queueGuid);
        await again;
      } catch (error) {
        onProblem(reasonOf(error));
        await sleep(AGAIN_MS, undefined, { signal: closed.signal }).catch(() => undefined);
      }
    }
  };
  void wait();

  return {
    close: (): void => {
      closed.abort();
      bot.close();
    },
  };
}
