import { setTimeout as sleep } from 'node:timers/promises';
import type { BotPlayer } from './bot.ts';
import { openExhibition } from './exhibition.ts';
import { PACES, type PaceName } from './pace.ts';
import { meetAnybody } from './seed.ts';
import type { Stack } from './stack.ts';

/** Two bots that play one match after another in a queue of their own, so that the pages always have something to show. */

const BOTS: readonly [BotPlayer, BotPlayer] = [
  { platformId: '9000000000000103', name: 'Cassini', skill: 0.93 },
  { platformId: '9000000000000104', name: 'Dorado', skill: 0.92 },
];
const PAUSE_MS = 5_000;
/** After a match that could not be played. */
const RETRY_MS = 30_000;

/** @returns ends it */
export async function keepBotsAtPlay(stack: Stack, queueGuid: string, pace: PaceName): Promise<() => void> {
  await meetAnybody(stack, queueGuid);
  const exhibition = await openExhibition({
    stack,
    queueGuid,
    ...PACES[pace],
    players: BOTS,
  });
  let isOpen = true;
  const playOn = async (): Promise<void> => {
    while (isOpen) {
      const pauseMs = await exhibition.play().then(
        () => PAUSE_MS,
        () => RETRY_MS,
      );
      if (isOpen) await sleep(pauseMs, undefined, { ref: false });
    }
  };
  void playOn();
  return () => {
    isOpen = false;
    exhibition.close();
  };
}
