import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { modifiedScoreOf } from '../../src/domains/matches/index.ts';
import type { ConnectionNotes, Recording } from '../history/recording.ts';

export interface PlayerOptions {
  /** Where everything is noted that is sent and seen. */
  recording: Recording;
  name: string;
  token: string;
  queueGuid: string;
  /** Where to connect: to the first one at first, later to any of them. */
  urls: readonly string[];
  /** Uniform in 0 ≤ x < 1: the player's only chance. */
  fraction(): number;
  /** Longest time to think about a command. */
  thinkMs: number;
  /** Lets limits decide now and then instead of answering. */
  dawdles: boolean;
  /** Cuts its own connection now and then. */
  drops: boolean;
}

const RESYNC_MS = 3000;
/** How long a player who wants to leave waits to be told what it has seen already. */
const FAREWELL_MS = 10_000;
/** How long a player waits for an answer before it tries another connection. */
const PATIENCE_MS = 15_000;
/** Refusals that only say that the service was quicker: a limit passed, or a pair was made. */
const LATE = new Set(['WRONG_PHASE', 'WRONG_ROUND', 'NOT_YOUR_TURN', 'ALREADY_IN_MATCH']);

/** Failures that a player has to live with while something is wrong with the database. */
const FAILURES = new Set(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

/**
 * A player that never gives up: whatever happens to the service, it connects again, asks where things
 * stand, sends again what was not answered, and plays on.
 */
export class StubbornPlayer {
  readonly problems: string[] = [];
  /** Answers that said that the service has a problem, and when they came (clock of the process, ms). */
  readonly failures: { at: number; what: string }[] = [];
  readonly #options: PlayerOptions;
  #socket: Socket | undefined;
  #notes: ConnectionNotes | undefined;
  #match: any = null;
  /** Highest version told on this connection, or shown by its first `hello`, by match. */
  #told = new Map<string, number>();
  #unanswered: { event: string; payload: Record<string, any> } | undefined;
  #joined = new Set<string>();
  #moments = new Map<string, boolean>();
  #isQueued = false;
  #isGreeted = false;
  #isLeaving = false;
  isDone = false;
  #change: (() => void) | undefined;

  constructor(options: PlayerOptions) {
    this.#options = options;
  }

  /** No new match after the running one. */
  leave(): void {
    this.#isLeaving = true;
    this.#change?.();
  }
  /** Where this player is stuck, for a test that waited too long. */
  get where(): string {
    const { status, version, matchGuid } = this.#match ?? {};
    return `${this.#options.name}: ${this.#socket?.connected ? 'connected' : 'away'}, ${status ?? 'no match'} ${version ?? ''} ${matchGuid ?? ''}`;
  }

  /** Plays until told to leave, and until the running match has ended then. */
  async play(): Promise<void> {
    const { urls, fraction } = this.#options;
    for (let tried = 0; !this.isDone; tried++) {
      const url = urls[tried === 0 ? 0 : Math.floor(fraction() * urls.length)] ?? '';
      if (await this.#connect(url)) {
        try {
          await this.#session();
        } catch (error) {
          if (!(error instanceof ConnectionLost)) throw error;
        }
      }
      this.#hangUp();
      if (!this.isDone) await sleep(50 + fraction() * 50);
    }
  }

  #hangUp(): void {
    this.#notes?.closed(this.isDone ? 'left' : 'lost');
    this.#socket?.disconnect();
  }

  async #connect(url: string): Promise<boolean> {
    const { token, recording, name } = this.#options;
    const socket = io(url, {
      auth: { token, pluginVersion: '1.0.0' },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      timeout: 3000,
    });
    this.#socket = socket;
    this.#told.clear();
    this.#isGreeted = false;
    this.#notes = undefined;
    socket.on('matchUpdated', (update) => this.#update(update));
    socket.on('queueUpdated', ({ queueEntry }) => {
      this.#isQueued = queueEntry !== null;
      this.#change?.();
    });
    return new Promise((resolve) => {
      socket.once('connect', () => {
        const notes = recording.opened(name, url);
        this.#notes = notes;
        socket.once('disconnect', () => {
          notes.closed('lost');
          this.#change?.();
        });
        resolve(true);
      });
      socket.once('connect_error', () => resolve(false));
      // The service died between the transport and the namespace: Socket.IO calls that a disconnect.
      socket.once('disconnect', () => resolve(false));
    });
  }

  #update(update: any): void {
    const { match } = update;
    this.#notes?.told(update);
    this.#told.set(match.matchGuid, Math.max(match.version, this.#told.get(match.matchGuid) ?? 0));
    this.#learn(match);
    this.#change?.();
  }

  #problem(what: string, match?: any): void {
    this.problems.push(match ? `${what} (match ${match.matchGuid}, ${match.status})` : what);
  }

  #learn(match: any): void {
    if (match === null) return;
    const { matchGuid, version } = match;
    if (this.#match?.matchGuid === matchGuid && this.#match.version >= version) return;
    this.#match = match;
    this.#change?.();
  }

  async #ask(event: string, payload: Record<string, any>): Promise<any> {
    const socket = this.#socket;
    if (!socket?.connected) throw new ConnectionLost();
    const answered = this.#notes?.asked(event, payload);
    // Acknowledgements are lost with a connection: a player who waits must notice that it ended.
    return new Promise((resolve, reject) => {
      const lost = () => done(() => reject(new ConnectionLost()));
      const timer = setTimeout(lost, PATIENCE_MS);
      const done = (settle: () => void) => {
        clearTimeout(timer);
        socket.off('disconnect', lost);
        settle();
      };
      socket.once('disconnect', lost);
      socket.emit(event, payload, (answer: any) => {
        // The player ignores answers on a connection that it has given up.
        if (socket === this.#socket && socket.connected) answered?.(answer);
        done(() => resolve(answer));
      });
    });
  }

  async #command(event: string, payload: Record<string, any>): Promise<void> {
    this.#unanswered = { event, payload };
    const answer = await this.#ask(event, payload);
    if (answer.ok) {
      this.#unanswered = undefined;
      this.#learn(answer.data.match ?? null);
      if (event === 'joinMatch') this.#joined.add(payload.matchGuid);
      if (event === 'joinQueue') this.#isQueued = true;
      if (event === 'leaveQueue') this.#isQueued = false;
      return;
    }
    this.#refused(event, answer.error);
    // Whatever it was, where things stand is to be seen again, and not asked in a tight circle.
    await sleep(50);
    await this.#hello();
  }

  /** A failure leaves open whether the command was carried out: it is sent again on the next connection. */
  #refused(event: string, { code, message }: { code: string; message: string }): void {
    if (FAILURES.has(code)) {
      this.failures.push({ at: performance.now(), what: `${event} of ${this.#options.name}: ${code}` });
      throw new ConnectionLost();
    }
    this.#unanswered = undefined;
    if (!LATE.has(code)) this.#problem(`${event} was refused: ${code} ${message}`, this.#match);
  }

  async #hello(): Promise<void> {
    const { data, error } = await this.#ask('hello', {});
    if (error) {
      this.#refused('hello', error);
      throw new ConnectionLost();
    }
    this.#isQueued = data.queueEntry !== null;
    if (data.penalty !== null) this.#problem(`${this.#options.name} has a penalty: ${data.penalty.reason}`);
    const { match } = data;
    if (match !== null) {
      if (!this.#isGreeted) this.#told.set(match.matchGuid, match.version);
      this.#learn(match);
    } else if (this.#match?.result === null) {
      const { matchGuid } = this.#match;
      const { data: now, error } = await this.#ask('getMatchState', { matchGuid });
      if (error) {
        this.#refused('getMatchState', error);
        throw new ConnectionLost();
      }
      this.#match = now.match;
      if (!this.#isGreeted) this.#told.set(matchGuid, now.match.version);
    }
    this.#isGreeted = true;
  }

  async #session(): Promise<void> {
    await this.#hello();
    const again = this.#unanswered;
    if (again) await this.#command(again.event, again.payload);
    while (this.#socket?.connected && !this.isDone) {
      const { fraction, thinkMs, drops } = this.#options;
      const changed = this.#nextChange();
      const next = this.#decide();
      if (next === 'retire') {
        if (this.#isToBeTold() && (await this.#isToldInTime())) continue;
        // A pair may just have been made that was not told of yet.
        await this.#hello();
        this.isDone = this.#decide() === 'retire';
        continue;
      }
      if (next === null) {
        // Nothing was told for a while: was there something to tell?
        if (!(await changed) && this.#socket?.connected) await this.#hello();
        continue;
      }
      await sleep(fraction() * thinkMs);
      if (drops && fraction() < 0.01) {
        this.#socket.io.engine.close();
        return;
      }
      // The situation may have changed in the meantime.
      const still = this.#decide();
      if (still !== null && still !== 'retire' && still.event === next.event)
        await this.#command(still.event, still.payload);
    }
  }

  /** The last match was seen to have ended by an answer, and the update is on its way. */
  #isToBeTold(): boolean {
    const told = this.#told.get(this.#match?.matchGuid);
    return told !== undefined && told < this.#match.version;
  }

  async #isToldInTime(): Promise<boolean> {
    for (let waited = 0; this.#isToBeTold() && this.#socket?.connected; waited += 50) {
      if (waited >= FAREWELL_MS) return false;
      await sleep(50);
    }
    return true;
  }

  /** Resolves with true at the next change, with false when nothing happened for a while. */
  #nextChange(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), RESYNC_MS);
      this.#change = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  /** The command to send now; null: none; 'retire': there is nothing left to do. */
  #decide(): { event: string; payload: Record<string, any> } | 'retire' | null {
    const match = this.#match;
    if (match === null || match.result !== null) {
      if (this.#isLeaving) return this.#isQueued ? { event: 'leaveQueue', payload: {} } : 'retire';
      return this.#isQueued ? null : { event: 'joinQueue', payload: { queueGuid: this.#options.queueGuid } };
    }
    const { matchGuid, roundNumber, status, you, pickerGuid, currentMap } = match;
    const { fraction, dawdles } = this.#options;
    /** Decided once: whether this is one of the rare times. */
    const isMoment = (key: string, chance: number): boolean => {
      const known = this.#moments.get(`${matchGuid} ${key}`) ?? fraction() < chance;
      this.#moments.set(`${matchGuid} ${key}`, known);
      return known;
    };
    const dawdling = dawdles ? 0.05 : 0;
    if (status === 'waiting_players')
      return this.#joined.has(matchGuid) ? null : { event: 'joinMatch', payload: { matchGuid } };
    if (status === 'awaiting_discards' && !you.discarded && !isMoment('discard', dawdling)) {
      const cardGuids = you.hand
        .slice(0, Math.floor(fraction() * 3))
        .map((card: { cardGuid: string }) => card.cardGuid);
      return { event: 'discardMaps', payload: { matchGuid, cardGuids } };
    }
    if (status === 'awaiting_pick') {
      if (match.rounds.length > 0 && isMoment(`forfeit ${roundNumber}`, 0.02))
        return { event: 'forfeit', payload: { matchGuid } };
      if (pickerGuid !== you.player.playerGuid || isMoment(`pick ${roundNumber}`, dawdling)) return null;
      const card = you.hand[Math.floor(fraction() * you.hand.length)];
      return { event: 'selectMap', payload: { matchGuid, cardGuid: card.cardGuid } };
    }
    if (status === 'preparing' && you.ready !== 'ready') {
      const isDownloading = isMoment(`download ${roundNumber}`, 0.3) && fraction() < 0.7;
      const said = isDownloading ? { state: 'downloading', progress: fraction() } : { state: 'ready' };
      return { event: 'setReady', payload: { matchGuid, roundNumber, ...said } };
    }
    if (status === 'playing' && !you.scoreSubmitted) {
      const rawScore = Math.floor(currentMap.maxScore * (0.3 + fraction() * 0.7));
      return {
        event: 'submitScore',
        payload: {
          matchGuid,
          roundNumber,
          rawScore,
          modifiedScore: modifiedScoreOf(rawScore, currentMap.modifiers, false),
          missCount: 1,
          badCutCount: 0,
          fullCombo: false,
          noFailTriggered: false,
          failed: false,
        },
      };
    }
    return null;
  }
}

class ConnectionLost extends Error {}
