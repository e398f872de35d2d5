import { setTimeout as sleep } from 'node:timers/promises';
import { type Claim, measure, type Running, speedRatio, type Variant } from './harness.ts';
import { type Frames, publishTo, watchAt } from './live-clients.ts';
import { openArena, startServer } from './matches-arena.ts';

/**
 * One play, watched by many. First as it happens: 30 frames of 4 KiB a second, and every one has to arrive.
 * Then as fast as it goes, against a bare `ws` that does the same: one frame at a time, which nobody can send
 * together with another, and a few at a time.
 */

const SPECTATORS = 500;
const FRAMES_A_SECOND = 30;
const AS_IT_HAPPENS_MS = 10_000;
/** Few enough that nobody is so slow as to be dropped. */
const AT_ONCE = [1, 16];

const FULL = 'the service';
const BARE = 'bare ws broadcast';

interface Play {
  publisher: { send(number: number): void; close(): void };
  spectators: readonly Frames[];
  /** Resolves once so many frames have arrived, counted over all spectators. */
  arrived(frames: number): Promise<void>;
  close(): Promise<void>;
}

/** Sends so many frames and waits until every spectator has them, again and again. */
function playOf({ publisher, arrived, close }: Play, atOnce: number): Running {
  let sent = 0;
  return {
    round: async (forMs) => {
      const startedAt = performance.now();
      const before = sent;
      while (performance.now() - startedAt < forMs) {
        const end = sent + atOnce;
        for (; sent < end; sent += 1) publisher.send(sent);
        await arrived(sent * SPECTATORS);
      }
      return ((sent - before) * SPECTATORS * 1000) / (performance.now() - startedAt);
    },
    stop: close,
  };
}

async function watchedBy(port: number, path: string, publisher: Play['publisher']): Promise<Play> {
  const spectators: Frames[] = [];
  let count = 0;
  let waiting: { frames: number; resolve(): void; reject(error: Error): void } | undefined;
  const onFrame = (): void => {
    count += 1;
    if (count === waiting?.frames) waiting.resolve();
  };
  const onFailure = (error: Error): void => waiting?.reject(error);
  while (spectators.length < SPECTATORS)
    spectators.push(await watchAt({ port, path, spectator: spectators.length, onFrame, onFailure }));
  return {
    publisher,
    spectators,
    arrived: (frames) =>
      new Promise((resolve, reject) => {
        waiting = { frames, resolve, reject };
        if (count === frames) resolve();
      }),
    close: async () => {
      publisher.close();
      for (const spectator of spectators) spectator.close();
    },
  };
}

export async function bench(): Promise<Claim[]> {
  // Rates are off: the second part sends more than a publisher may.
  const arena = await openArena({
    RATE_LIMIT_FACTOR: '0',
    TRUST_PROXY: '1',
    // No players are paired during the measurement.
    MATCHMAKING_INTERVAL_MS: '1000',
  });
  try {
    const { platformId, token, pluginVersion } = await arena.credentials(0);
    const path = `/live/u/${platformId}`;
    const startFull = async (): Promise<Play> => {
      const headers = { authorization: `Bearer ${token}`, 'x-service-plugin-version': pluginVersion };
      const { port } = arena.service;
      return watchedBy(port, path, await publishTo(port, path, headers));
    };
    const startBare = async (): Promise<Play> => {
      const server = await startServer('bare-broadcast-server.ts');
      const { port } = server;
      const play = await watchedBy(port, '/', await publishTo(port, '/', {}));
      return {
        ...play,
        close: async () => {
          await play.close();
          await server.stop();
        },
      };
    };

    console.log(
      `\n${SPECTATORS} spectators of ${FRAMES_A_SECOND} frames of 4 KiB a second, for ${AS_IT_HAPPENS_MS / 1000} s`,
    );
    const play = await startFull();
    const frames = (FRAMES_A_SECOND * AS_IT_HAPPENS_MS) / 1000;
    const startedAt = performance.now();
    for (let number = 0; number < frames; number += 1) {
      await sleep(Math.max(0, startedAt + (number * 1000) / FRAMES_A_SECOND - performance.now()));
      play.publisher.send(number);
    }
    await sleep(2000);
    const arrived = play.spectators.reduce((sum, { count }) => sum + count(), 0);
    console.log(`  ${arrived} of ${frames * SPECTATORS} frames arrived`);
    await play.close();
    await sleep(1000);

    const claims: Claim[] = [
      {
        text: `frames of a play that arrive at ${SPECTATORS} spectators, of all`,
        measured: arrived / (frames * SPECTATORS),
        atLeast: 1,
      },
    ];
    for (const atOnce of AT_ONCE) {
      const variant = (name: string, start: () => Promise<Play>): Variant => ({
        name,
        start: async () => playOf(await start(), atOnce),
      });
      const rates = await measure(
        `Frames of 4 KiB to ${SPECTATORS} spectators, as fast as it goes (${atOnce} at a time)`,
        [variant(BARE, startBare), variant(FULL, startFull)],
      );
      claims.push({
        text: `frames a second, ${atOnce} at a time, of a bare ws broadcast`,
        measured: speedRatio(rates, FULL, BARE),
        atLeast: 0.8,
      });
      // The channel is free again.
      await sleep(1000);
    }
    return claims;
  } finally {
    await arena.close();
  }
}
