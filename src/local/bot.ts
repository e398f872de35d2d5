import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { dataOf, type HttpShapes, rest } from '../../kit/typescript/rest.ts';
import { ask, connectPlayer, Refused, type Shapes, type ToServer } from '../../kit/typescript/socket.ts';
import { modifiedScoreOf } from '../domains/matches/index.ts';
import { reasonOf } from '../platform/reason.ts';
import { broadcast, LiveRefused } from './broadcast.ts';
import { watchDismissal } from './dismissal.ts';
import { playMap } from './play.ts';
import type { Stack } from './stack.ts';

/** The updates that a bot gets. */
export type MatchView = Shapes['Match'];
export type MatchUpdate = Shapes['MatchUpdatedMessage'];

/** The answer to a published replay. */
export type ReplayAnswer = HttpShapes['PublishedReplay'];

/** Faults that a bot plays on purpose, to try the plugin of its opponent. */
export const SCRIPTS = {
  drop: 'its connection is lost while each map is played, and comes back',
  'discard-nothing': 'it keeps its hand',
  'fail-download': 'its first download fails: you win that round 20 s after you are ready',
  'late-score': 'its scores come late',
  forfeit: 'it gives up before the second round',
  'bad-replay': 'it claims more than its replays show',
} as const;
export type Script = keyof typeof SCRIPTS;

type MapPlayed = NonNullable<MatchView['currentMap']>;

/** A player that a bot plays. */
export interface BotPlayer {
  platformId: string;
  name: string;
  /** Mean accuracy, 0…1. */
  skill: number;
}

export interface BotOptions {
  stack: Pick<Stack, 'url' | 'identityProvider' | 'pluginVersion'>;
  player: BotPlayer;
  /** Uniform in 0 ≤ x < 1: the bot's only source of chance. */
  fraction(): number;
  /** Discards after the other bot: the order of draws decides the maps, and a seed has to repeat. */
  discardsSecond: boolean;
  /** Milliseconds a bot pretends to need for a decision. */
  thinkMs: number;
  /** Milliseconds in which it plays a song, for everybody to watch. */
  songMs(map: MapPlayed): number;
  /** The fault that it plays; undefined: none. */
  script: Script | undefined;
  onUpdate(update: MatchUpdate): void;
  onReplay(match: MatchView, answer: ReplayAnswer): void;
  onProblem(problem: string): void;
}

/** The token of a bot outlives the stack. */
export const TOKEN_SECONDS = 30 * 24 * 3600;
const GAME_VERSION = '1.40.0';
/** With the script `bad-replay` a score is multiplied by this. */
const CLAIMED_SHARE = 1.02;
/** With the script `drop` a connection is lost for the time of this many decisions, and never so long that the match is lost. */
const LOST_DECISIONS = 8;
const LONGEST_LOSS_MS = 5000;
/** With the script `late-score` a score is this many decisions late. */
const LATE_DECISIONS = 25;

/**
 * A player like the game plugin: it sees its own view and sends what a plugin sends.
 * Connects over a real socket; rejects when the handshake is refused.
 */
export async function connectBot(options: BotOptions) {
  const { stack, player, fraction, thinkMs, script, onProblem } = options;
  const { url, pluginVersion } = stack;
  const { platformId, name } = player;
  const token = await stack.identityProvider.gameToken({ platformId, username: name }, TOKEN_SECONDS);
  const http = rest({ url, token });
  const auth = { token, pluginVersion, gameVersion: GAME_VERSION };
  // The same each time, however soon a map follows another.
  const lostMs = Math.min(thinkMs * LOST_DECISIONS, LONGEST_LOSS_MS);
  const returns =
    script === 'drop'
      ? { reconnectionDelay: lostMs, reconnectionDelayMax: lostMs, randomizationFactor: 0 }
      : {};
  const refused = (cause: Error): never => {
    throw new Error(`${name} was refused: ${cause.message}`, { cause });
  };
  const socket = await connectPlayer(url, auth, returns).catch(refused);

  const send = <Event extends keyof ToServer>(event: Event, payload: ToServer[Event]['payload']) =>
    ask(socket, event, payload).catch((cause: Error) => {
      throw new Error(`${name}: ${event} was refused, ${cause.message}`, { cause });
    });

  const done = new Set<string>();
  /** Acts once for each step of a match, after a moment. */
  const once = ({ matchGuid }: MatchView, step: string, act: () => Promise<unknown>): void => {
    const key = `${matchGuid} ${step}`;
    if (done.has(key)) return;
    done.add(key);
    const actAndReport = async (): Promise<void> => {
      // A ban has ended the match as well. The message would wait for the next connection.
      if (dismissal.isOut()) return;
      try {
        await act();
      } catch (error) {
        if (await hasEnded(matchGuid, error)) return;
        onProblem(reasonOf(error));
      }
    };
    setTimeout(() => void actAndReport(), thinkMs * (0.5 + fraction()));
  };

  /** @returns whether `error` is a refusal because the match has ended */
  const hasEnded = async (matchGuid: string, error: unknown): Promise<boolean> => {
    const cause = error instanceof Error ? error.cause : undefined;
    const isLate = cause instanceof Refused && cause.code === 'WRONG_PHASE';
    if (!isLate && !(error instanceof LiveRefused)) return false;
    const now = await send('hello', {}).catch(() => null);
    return now !== null && now.match?.matchGuid !== matchGuid;
  };

  const discards = ({ you }: MatchView): string[] => {
    const hand = script === 'discard-nothing' ? [] : (you.hand ?? []);
    // The hardest maps: the highest maximum score is the densest map.
    const hardest = [...hand].sort((a, b) => b.map.maxScore - a.map.maxScore);
    return hardest.slice(0, Math.floor(fraction() * 3)).map((card) => card.cardGuid);
  };

  /** The replays that it publishes in the running match. */
  let published: Promise<void>[] = [];

  const publish = async (match: MatchView, replay: Buffer): Promise<void> => {
    const { matchGuid, roundNumber } = match;
    const answer = await dataOf(
      http.POST('/matches/{matchGuid}/rounds/{roundNumber}/replay', {
        params: {
          path: { matchGuid, roundNumber },
          header: { 'x-service-plugin-version': pluginVersion, 'content-encoding': 'gzip' },
        },
        headers: { 'content-type': 'application/octet-stream' },
        body: gzipSync(replay, { level: 1 }),
        bodySerializer: (file) => file,
      }),
    );
    options.onReplay(match, answer);
  };

  /** Plays the map, live, then submits the score over the socket and publishes the replay. */
  const playRound = async (match: MatchView): Promise<void> => {
    const { matchGuid, roundNumber, currentMap: map, startsAt } = match;
    if (map === null) throw new Error(`${name}: there is no map to play.`);
    const accuracy = Math.min(0.999, Math.max(0.3, player.skill + (fraction() - 0.5) * 0.12));
    const { replay, ...score } = playMap({
      map,
      player,
      accuracy,
      seed: `${name} ${fraction()}`,
      startedAt: Date.parse(startsAt ?? match.time),
      gameVersion: `${GAME_VERSION}_local`,
      ...(script === 'bad-replay' && {
        claim: (rawScore: number) => Math.min(map.maxScore, Math.floor(rawScore * CLAIMED_SHARE)),
      }),
    });
    const lastsMs = options.songMs(map);
    if (script === 'drop') setTimeout(() => socket.io.engine.close(), lastsMs / 2);
    await broadcast({
      url,
      platformId,
      token,
      pluginVersion,
      song: {
        matchGuid,
        roundNumber,
        player: name,
        map: {
          hash: map.hash,
          name: map.name,
          characteristic: map.characteristic,
          difficulty: map.difficulty,
          durationSeconds: map.durationSeconds,
        },
      },
      replay,
      lastsMs,
    });
    if (script === 'late-score') await sleep(thinkMs * LATE_DECISIONS);
    await send('submitScore', {
      matchGuid,
      roundNumber,
      ...score,
      modifiedScore: modifiedScoreOf(score.rawScore, map.modifiers, false),
      noFailTriggered: false,
      failed: false,
    });
    const publishing = publish(match, replay);
    published.push(publishing);
    await publishing;
  };

  /** Called when a match has ended and its replays are published. */
  const whenFinished: ((match: MatchView) => void)[] = [];
  const play = (match: MatchView): void => {
    const { matchGuid, roundNumber, status, you } = match;
    if (status === 'waiting_players') once(match, 'join', () => send('joinMatch', { matchGuid }));
    const mayDiscard = !options.discardsSecond || match.opponent.discarded;
    if (status === 'awaiting_discards' && !you.discarded && mayDiscard)
      once(match, 'discard', () => send('discardMaps', { matchGuid, cardGuids: discards(match) }));
    if (status === 'awaiting_pick' && script === 'forfeit' && roundNumber === 2)
      once(match, 'forfeit', () => send('forfeit', { matchGuid }));
    else if (status === 'awaiting_pick' && match.pickerGuid === you.player?.playerGuid) {
      const cards = you.hand ?? [];
      const card = cards[Math.floor(fraction() * cards.length)];
      if (card)
        once(match, `${roundNumber} pick`, () => send('selectMap', { matchGuid, cardGuid: card.cardGuid }));
    }
    if (status === 'preparing') {
      once(match, `${roundNumber} download`, async () => {
        await send('setReady', { matchGuid, roundNumber, state: 'downloading', progress: fraction() });
        const state = script === 'fail-download' && roundNumber === 1 ? 'failed' : 'ready';
        await send('setReady', { matchGuid, roundNumber, state });
      });
    }
    if (status === 'playing' && !you.scoreSubmitted)
      once(match, `${roundNumber} score`, () => playRound(match));
    if (match.result !== null) {
      const all = Promise.allSettled(published);
      published = [];
      for (const resolve of whenFinished.splice(0)) void all.then(() => resolve(match));
    }
  };

  let lastGuid: string | null = null;
  socket.on('matchUpdated', (update) => {
    lastGuid = update.match.matchGuid;
    options.onUpdate(update);
    play(update.match);
  });
  /** Called when it waits in no queue and plays no match. */
  const whenIdle: (() => void)[] = [];
  const becomeIdle = (): void => {
    for (const resolve of whenIdle.splice(0)) resolve();
  };
  socket.on('queueUpdated', ({ queueEntry, reason }) => {
    if (queueEntry === null && reason !== 'matched') becomeIdle();
  });
  const dismissal = watchDismissal(socket, () => {
    onProblem(`${name} was sent away.`);
    becomeIdle();
  });
  /** Goes on with the match the bot is in. @returns what it does now; `waiting` in a queue */
  const resume = async (): Promise<'playing' | 'waiting' | 'idle'> => {
    if (dismissal.isOut()) await dismissal.comeBack().catch(refused);
    const { match, queueEntry } = await send('hello', {});
    if (match) {
      play(match);
      return 'playing';
    }
    return queueEntry ? 'waiting' : 'idle';
  };
  // After a lost connection the match may have moved on without us.
  socket.io.on('reconnect', () => {
    resume().then(
      (activity) => activity === 'idle' && becomeIdle(),
      (error: unknown) => {
        onProblem(String(error));
        becomeIdle();
      },
    );
  });

  return {
    resume,
    joinQueue: (queueGuid: string) => send('joinQueue', { queueGuid }),
    leaveQueue: () => send('leaveQueue', {}),
    /** The newest match that was delivered; null before the first. */
    matchGuid: () => lastGuid,
    /** The next time that it is out of the queue without a match. */
    idle: () => new Promise<void>((resolve) => whenIdle.push(resolve)),
    /** The next match this bot is in, once it ended and its replays are published. */
    finished: () => new Promise<MatchView>((resolve) => whenFinished.push(resolve)),
    close: (): void => void socket.disconnect(),
  };
}
