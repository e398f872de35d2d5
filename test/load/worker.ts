import { createWriteStream } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { finished } from 'node:stream/promises';
import { startRecording } from '../history/recording.ts';
import { steadyNow } from './clock.ts';
import { chanceOfOthers, scriptOf } from './people.ts';
import { type Intent, livePlayer } from './player.ts';
import { type PoolMap, preparePlays } from './replays.ts';
import { count, newTally, type Tally } from './tally.ts';

/** Runs some of the players in a process of its own, so that their work delays neither other players nor the service. */

export interface WorkerTask {
  players: readonly { number: number; name: string; token: string }[];
  seed: string;
  pace: number;
  rampMs: number;
  urls: readonly string[];
  queueGuid: string;
  maps: readonly PoolMap[];
  /** Plays of each map. */
  variants: number;
  /** Where the notes go, a line of JSON each. */
  file: string;
}

export type ToWorker = { task: WorkerTask } | 'begin' | 'stop';
export type FromWorker =
  | 'ready'
  | { tally: Tally }
  | { done: { intents: readonly Intent[]; problems: readonly [what: string, times: number][] } };

const REPORT_EVERY_MS = 1000;
const DELAY_RESOLUTION_MS = 10;

if (import.meta.main) {
  const say = (word: FromWorker) => process.send?.(word);
  const stop = new AbortController();
  const tally = newTally();
  const intents: Intent[] = [];
  const problems = new Map<string, number>();
  let play: () => Promise<void>;

  const prepare = (task: WorkerTask): void => {
    const notes = createWriteStream(task.file);
    const recording = startRecording(steadyNow, (note) => notes.write(`${JSON.stringify(note)}\n`));
    const plays = preparePlays(task.maps, task.variants);
    play = async () => {
      const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
      delay.enable();
      const reports = setInterval(() => {
        tally.lateMs = Math.max(0, delay.max / 1e6 - DELAY_RESOLUTION_MS);
        delay.reset();
        say({ tally });
        tally.acks = [];
        tally.uploadTimes = [];
      }, REPORT_EVERY_MS);
      await Promise.all(
        task.players.map(({ number, name, token }) =>
          livePlayer(
            {
              number,
              name,
              token,
              script: scriptOf(task.seed, number),
              network: chanceOfOthers(task.seed, `network of ${number}`),
              queueGuid: task.queueGuid,
              urls: task.urls,
              pace: task.pace,
              plays,
              recording,
              tally,
              onIntent: (intent) => intents.push(intent),
              onProblem: (what) => count(problems, what),
              stopped: stop.signal,
            },
            task.rampMs,
          ),
        ),
      );
      clearInterval(reports);
      notes.end();
      await finished(notes);
      say({ tally });
      say({ done: { intents, problems: [...problems] } });
      process.disconnect();
    };
    say('ready');
  };

  process.on('message', (word: ToWorker) => {
    if (word === 'begin') void play();
    else if (word === 'stop') stop.abort();
    else prepare(word.task);
  });
  process.on('disconnect', () => process.exit());
}
