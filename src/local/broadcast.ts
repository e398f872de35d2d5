import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { NOTE_KIND, readReplay } from '../domains/replays/index.ts';

/** A song as spectators see it. The service passes frames on unread, so their content is free. */

export interface Song {
  matchGuid: string;
  roundNumber: number;
  player: string;
  map: { hash: string; name: string; characteristic: string; difficulty: string; durationSeconds: number };
}

interface BroadcastOptions {
  /** Base address of the service. */
  url: string;
  platformId: string;
  token: string;
  pluginVersion: string;
  song: Song;
  /** The whole play. */
  replay: Buffer;
  /** Milliseconds in which the song passes. */
  lastsMs: number;
}

/** Few enough to be sent all at once, if a song is to take no time. */
const STEPS = 20;

/** The opening frame has what a latecomer needs, the others how it stands so far, the last one how it ended. */
function framesOf({ song, replay }: BroadcastOptions): Buffer[] {
  const { notes } = readReplay(replay);
  const frames: object[] = [{ type: 'song', ...song, notes: notes.count }];
  const seen = { cuts: 0, badCuts: 0, misses: 0 };
  let at = 0;
  for (let step = 1; step <= STEPS; step += 1) {
    const time = (song.map.durationSeconds * step) / STEPS;
    for (; at < notes.count && (notes.times[at] ?? 0) <= time; at += 1) {
      if (notes.kinds[at] === NOTE_KIND.GOOD) seen.cuts += 1;
      else if (notes.kinds[at] === NOTE_KIND.BAD) seen.badCuts += 1;
      else if (notes.kinds[at] === NOTE_KIND.MISS) seen.misses += 1;
    }
    frames.push({ type: step < STEPS ? 'progress' : 'end', time, ...seen });
  }
  return frames.map((frame) => Buffer.from(JSON.stringify(frame)));
}

/** The service does not let the player publish. It lets only players of running matches. */
export class LiveRefused extends Error {}

/**
 * Publishes a whole song and closes. The end of the match ends it as well.
 * @throws LiveRefused
 */
export async function broadcast(options: BroadcastOptions): Promise<void> {
  const { url, platformId, token, pluginVersion, lastsMs } = options;
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live/u/${platformId}`, {
    headers: { authorization: `Bearer ${token}`, 'x-service-plugin-version': pluginVersion },
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', (error) =>
      reject(new LiveRefused(`The live channel was refused: ${error.message}`)),
    );
  });
  socket.on('error', () => socket.terminate());
  const [opening, ...others] = framesOf(options);
  if (opening) socket.send(opening);
  for (const frame of others) {
    if (lastsMs > 0) await sleep(lastsMs / STEPS);
    if (socket.readyState !== WebSocket.OPEN) break;
    socket.send(frame);
  }
  socket.close();
  await closed;
}
