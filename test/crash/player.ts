import { io, type Socket } from 'socket.io-client';
import { modifiedScoreOf } from '../../src/domains/matches/index.ts';

/** What was sent and what came of it; `answer` is null when the connection ended before it came. */
export interface SentCommand {
  playerGuid: string;
  event: string;
  payload: Record<string, any>;
  answer: 'ok' | string | null;
}

/** A change as this player was told of it. */
export interface SeenChange {
  playerGuid: string;
  matchGuid: string;
  version: number;
  status: string;
  /** The node this player was connected to. */
  url: string;
}

export interface PlayerOptions {
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
  /** Loses the connection now and then, with or without the service's help. */
  drops: boolean;
}

/** A change is told at once on its own node and within a poll of 250 ms from another one. */
const TOLD_WITHIN_MS = 2500;
const RESYNC_MS = 3000;
const ACK_LIMIT_MS = 15_000;
/** Refusals that only say that the service was quicker: a limit passed, or a pair was made. */
const LATE = new Set(['WRONG_PHASE', 'WRONG_ROUND', 'NOT_YOUR_TURN', 'ALREADY_IN_MATCH']);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A player that never gives up: whatever happens to the service, it connects again, asks where things
 * stand, sends again what was not answered, and plays on. Writes down all it sends and sees.
 */
export class StubbornPlayer {
  readonly sent: SentCommand[] = [];
  readonly seen: SeenChange[] = [];
  readonly problems: string[] = [];
  connections = 0;
  readonly #options: PlayerOptions;
  #socket: Socket | undefined;
  #url = '';
  #playerGuid = '';
  #match: any = null;
  /** Highest version told or shown on this connection, by match. */
  #told = new Map<string, { version: number; byUpdate: boolean }>();
  #unanswered: SentCommand | undefined;
  #joined = new Set<string>();
  #moments = new Map<string, boolean>();
  #isQueued = false;
  /** Until `hello` is answered a change may be of any version. */
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
      this.#socket?.disconnect();
      if (!this.isDone) await sleep(50 + fraction() * 50);
    }
  }

  async #connect(url: string): Promise<boolean> {
    const { token } = this.#options;
    this.#url = url;
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
    socket.on('matchUpdated', ({ match }) => this.#update(match));
    socket.on('queueUpdated', ({ queueEntry }) => {
      this.#isQueued = queueEntry !== null;
      this.#change?.();
    });
    socket.on('disconnect', () => this.#change?.());
    return new Promise((resolve) => {
      socket.once('connect', () => {
        this.connections++;
        resolve(true);
      });
      socket.once('connect_error', () => resolve(false));
      // The service died between the transport and the namespace: Socket.IO calls that a disconnect.
      socket.once('disconnect', () => resolve(false));
    });
  }

  #update(match: any): void {
    const { matchGuid, version, status } = match;
    const before = this.#told.get(matchGuid);
    const expected = before || this.#isGreeted ? (before?.version ?? 0) + 1 : version;
    const name = this.#options.name;
    if (before?.byUpdate && version < expected) this.#problem(`${name} was told of ${version} twice`, match);
    if (version > expected) this.#problem(`${name} was told of ${version} instead of ${expected}`, match);
    this.#told.set(matchGuid, { version: Math.max(version, expected - 1), byUpdate: true });
    this.seen.push({ playerGuid: this.#playerGuid, matchGuid, version, status, url: this.#url });
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

  async #ask(event: string, payload: object): Promise<any> {
    const socket = this.#socket;
    if (!socket?.connected) throw new ConnectionLost();
    // Acknowledgements are lost with a connection: whoever waits must notice that it ended.
    return new Promise((resolve, reject) => {
      const lost = () => done(() => reject(new ConnectionLost()));
      const timer = setTimeout(() => {
        this.#problem(`${event} was not answered in ${ACK_LIMIT_MS} ms`);
        lost();
      }, ACK_LIMIT_MS);
      const done = (settle: () => void) => {
        clearTimeout(timer);
        socket.off('disconnect', lost);
        settle();
      };
      socket.once('disconnect', lost);
      socket.emit(event, payload, (answer: any) => done(() => resolve(answer)));
    });
  }

  async #command(event: string, payload: Record<string, any>): Promise<void> {
    const sent: SentCommand = { playerGuid: this.#playerGuid, event, payload, answer: null };
    this.sent.push(sent);
    this.#unanswered = sent;
    const answer = await this.#ask(event, payload);
    this.#unanswered = undefined;
    sent.answer = answer.ok ? 'ok' : answer.error.code;
    if (answer.ok) {
      this.#learn(answer.data.match ?? null);
      if (event === 'joinMatch') this.#joined.add(payload.matchGuid);
      if (event === 'joinQueue') this.#isQueued = true;
      if (event === 'leaveQueue') this.#isQueued = false;
      return;
    }
    const { code, message } = answer.error;
    if (!LATE.has(code)) this.#problem(`${event} was refused: ${code} ${message}`, this.#match);
    // Whatever it was, where things stand is to be seen again, and not asked in a tight circle.
    await sleep(50);
    await this.#hello();
  }

  async #hello(): Promise<void> {
    const { data, error } = await this.#ask('hello', {});
    if (error) {
      this.#problem(`hello was refused: ${error.code} ${error.message}`);
      throw new ConnectionLost();
    }
    this.#isGreeted = true;
    this.#playerGuid = data.player.playerGuid;
    this.#isQueued = data.queueEntry !== null;
    if (data.penalty !== null) this.#problem(`${this.#options.name} has a penalty: ${data.penalty.reason}`);
    if (data.match !== null) {
      const { matchGuid, version } = data.match;
      const told = this.#told.get(matchGuid);
      if (told === undefined) this.#told.set(matchGuid, { version, byUpdate: false });
      else if (!told.byUpdate) told.version = Math.max(told.version, version);
      this.#learn(data.match);
    } else if (this.#match?.result === null) {
      const { data: now } = await this.#ask('getMatchState', { matchGuid: this.#match.matchGuid });
      if (now === undefined) this.#problem('a match that was told of is not there', this.#match);
      else this.#match = now.match;
    }
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
        if (this.#isToBeTold() && (await changed)) continue;
        // A pair may just have been made that was not told of yet.
        await this.#hello();
        this.isDone = this.#decide() === 'retire';
        continue;
      }
      if (next === null) {
        if (!(await changed)) await this.#resync();
        continue;
      }
      await sleep(fraction() * thinkMs);
      if (drops && fraction() < 0.01) {
        this.#socket.io.engine.close();
        return;
      }
      // What was true a moment ago may be over by now.
      const still = this.#decide();
      if (still !== null && still !== 'retire' && still.event === next.event)
        await this.#command(still.event, still.payload);
    }
  }

  /** The last match was seen to have ended by an answer, and the update is on its way. */
  #isToBeTold(): boolean {
    const told = this.#told.get(this.#match?.matchGuid);
    return told !== undefined && told.version < this.#match.version;
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

  /** Nothing was told for a while: was there something to tell? */
  async #resync(): Promise<void> {
    if (!this.#socket?.connected) return;
    const known = this.#match;
    await this.#hello();
    const match = this.#match;
    if (match === null || (match.matchGuid === known?.matchGuid && match.version === known.version)) return;
    await sleep(TOLD_WITHIN_MS);
    const told = this.seen.some((one) => one.matchGuid === match.matchGuid && one.version === match.version);
    if (!told && this.#socket?.connected)
      this.#problem(`${this.#options.name} was not told of version ${match.version}`, match);
  }

  /** What to say now; null: nothing; 'retire': there is nothing left to do. */
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
    if (status === 'preparing' && you.ready !== 'ready')
      return { event: 'setReady', payload: { matchGuid, roundNumber, state: 'ready' } };
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
