import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledgement, ToServer } from '../../kit/typescript/socket.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import type { ConnectionNotes, Recording } from '../history/recording.ts';
import { type Connection, connect, NotConnected } from './connection.ts';
import { Game } from './game.ts';
import { addressOf, httpFrom } from './http.ts';
import { type Chance, RECONNECT, type Script } from './people.ts';
import type { Plays } from './replays.ts';
import { count, type Tally } from './tally.ts';

export interface PlayerOptions {
  number: number;
  script: Script;
  /** Decides which node a balancer takes and how long a client waits before it tries again. */
  network: Chance;
  name: string;
  token: string;
  queueGuid: string;
  urls: readonly string[];
  pace: number;
  plays: Plays;
  recording: Recording;
  tally: Tally;
  /** Told what the script does that may cost a match. */
  onIntent(intent: Intent): void;
  /** Told of what a plugin does not expect. */
  onProblem(what: string): void;
  stopped: AbortSignal;
}

/** An action of a player's script that may cost a match or bring a penalty. Milliseconds since 1970. */
export type Intent =
  | { kind: 'forfeit'; playerGuid: string; matchGuid: string }
  | { kind: 'away'; playerGuid: string; from: number; to: number };

/** A command that is not answered in this time is given up, and the connection with it. */
const PATIENCE_MS = 15_000;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * One player: comes, stays connected until the script or the service ends the connection, and comes back as the
 * Socket.IO client of a plugin does, through a balancer that knows which nodes answer.
 */
export async function livePlayer(options: PlayerOptions, rampMs: number): Promise<void> {
  const { number, script, network, name, token, urls, pace, recording, tally, stopped } = options;
  const address = addressOf(number);
  const http = httpFrom(address);
  const ms = (seconds: number): number => (seconds * 1000) / pace;
  const retryMs = (failures: number): number => {
    const { firstSeconds, mostSeconds, jitter } = RECONNECT;
    const seconds = Math.min(mostSeconds, firstSeconds * 2 ** failures);
    return ms(seconds * (1 - jitter + 2 * jitter * network.fraction()));
  };

  let node = number % urls.length;
  let waitMs = script.arrival * rampMs;
  let failures = 0;
  const game = new Game({ ...options, http, url: () => urls[node] ?? '' });
  // The end of a run leaves matches that are being made without their players.
  stopped.addEventListener('abort', () => game.goesAway(LONGEST_TIMER_MS), { once: true });

  /** @returns milliseconds to stay away after it. @throws NotConnected */
  const session = async (nth: number): Promise<number> => {
    const url = urls[node] ?? '';
    const { lastsSeconds, awaySeconds, isLong } = script.connection(nth);
    const unanswered = new Set<() => void>();
    let notes: ConnectionNotes | null = null;
    let noticedMs: number | null = null;
    let awayMs: number | null = null;
    let drop: NodeJS.Timeout | undefined;
    let stop = (): void => undefined;

    const opened = (connection: Connection): void => {
      notes = recording.opened(name, url);
      tally.connects++;
      tally.connected++;
      stop = () => connection.drop();
      stopped.addEventListener('abort', stop, { once: true });
      const leave = (seconds: number): void => {
        awayMs = ms(seconds);
        connection.drop();
      };
      drop = setTimeout(
        () => {
          if (isLong) game.goesAway(ms(awaySeconds));
          leave(awaySeconds);
        },
        Math.min(ms(lastsSeconds), LONGEST_TIMER_MS),
      );
      const ask = <Event extends keyof ToServer>(
        event: Event,
        payload: ToServer[Event]['payload'],
      ): Promise<Acknowledgement<Event>> =>
        new Promise((resolve, reject) => {
          const answered = notes?.asked(event, payload);
          const startedAt = performance.now();
          const patience = setTimeout(() => {
            options.onProblem(`${event} was not answered within ${PATIENCE_MS} ms`);
            connection.drop();
          }, PATIENCE_MS);
          const giveUp = (): void => {
            clearTimeout(patience);
            reject(new Error('The connection is lost.'));
          };
          unanswered.add(giveUp);
          connection.ask(event, payload, (envelope) => {
            clearTimeout(patience);
            unanswered.delete(giveUp);
            answered?.(envelope);
            tally.acks.push(performance.now() - startedAt);
            resolve(envelope);
          });
        });
      game.connected({ ask, leave });
      // The run ended during the handshake.
      if (stopped.aborted) connection.drop();
    };
    await connect({
      url,
      address,
      auth: { token, pluginVersion: PLUGIN_VERSION },
      onOpen: opened,
      onEvent: (told) => {
        if (told.event === 'matchUpdated') notes?.told(told.payload);
        if (told.event === 'serverNotice') noticedMs = told.payload.retryAfterMs;
        game.told(told);
      },
      onClose: () => {
        notes?.closed('lost');
        clearTimeout(drop);
        stopped.removeEventListener('abort', stop);
        tally.connected--;
        game.lost();
        for (const giveUp of unanswered) giveUp();
      },
    });
    if (awayMs !== null) return awayMs;
    if (!stopped.aborted) tally.connectionsLost++;
    return noticedMs === null ? retryMs(0) : noticedMs / pace;
  };

  for (let nth = 0; !stopped.aborted; ) {
    await sleep(waitMs, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) break;
    try {
      waitMs = await session(nth++);
      failures = 0;
      // A balancer sends a player who comes back to any node.
      node = Math.floor(network.fraction() * urls.length);
    } catch (error) {
      if (!(error instanceof NotConnected)) throw error;
      const { code, retryAfterMs } = error;
      count(tally.notConnected, code);
      node = (node + 1) % urls.length;
      failures++;
      // A balancer knows the nodes that do not answer: the next one is tried at once.
      const isKnown = code === 'ECONNREFUSED' || code === 'HTTP_503';
      const isFirstTry = isKnown && failures % urls.length !== 0;
      waitMs = isFirstTry ? 0 : (retryAfterMs ?? retryMs(failures - 1));
      if (code === 'DRAINING') waitMs /= pace;
    }
  }
  game.lost();
  http.close();
}
