import type { Acknowledgement, Shapes, ToServer } from '../../kit/typescript/socket.ts';
import { modifiedScoreOf } from '../../src/domains/matches/index.ts';
import { playingMs } from '../../src/domains/matches/scoring.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import type { Told } from './connection.ts';
import type { HttpClient } from './http.ts';
import { PROGRESS_EVERY_SECONDS } from './people.ts';
import type { PlayerOptions } from './player.ts';
import type { Prepared } from './replays.ts';
import { count } from './tally.ts';

export interface GameOptions extends PlayerOptions {
  http: HttpClient;
  /** The node this player is connected to, or was last. */
  url(): string;
}

/** The actions of a game on a connection. */
interface Line {
  /** @throws Error when the connection is lost */
  ask<Event extends keyof ToServer>(
    event: Event,
    payload: ToServer[Event]['payload'],
  ): Promise<Acknowledgement<Event>>;
  /** Ends the connection for so many seconds of life. */
  leave(seconds: number): void;
}

/** A match that shows nothing new so long after its limit makes a player ask. */
const SURPRISED_AFTER_MS = 5000;
const UPLOAD_TRIES = 5;
const UPLOAD_AGAIN_SECONDS = 5;
/** Refusals that only say that something was quicker: a limit passed, a pair was made, the node began to stop. */
const LATE = new Set(['WRONG_PHASE', 'WRONG_ROUND', 'NOT_YOUR_TURN', 'ALREADY_IN_MATCH', 'DRAINING']);
/** Answers after which nobody knows whether the command was carried out. */
const FAILURES = new Set(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

type Match = Shapes['Match'];

/** The next action: one at a time, each with a key so that it is planned once. */
interface Step {
  key: string;
  seconds: number;
  /** Milliseconds since 1970 before which it cannot be done. */
  notBefore?: number;
  act(): Promise<void>;
}

/** One player in queue and matches. It follows the messages, and asks only when they do not fit. */
export class Game {
  readonly #options: GameOptions;
  #line: Line | null = null;
  #playerGuid = '';
  #match: Match | null = null;
  #isQueued = false;
  /** How many matches this player has seen. */
  #matches = 0;
  #matchGuid = '';
  #planned: { key: string; timer: NodeJS.Timeout } | null = null;
  #underWay = '';
  /** When a step is done that was begun: thinking goes on while the connection is lost. */
  readonly #doneAt = new Map<string, number>();
  /** The decisions, so that a repeat sends the same one. */
  readonly #decided = new Map<string, object>();
  #joined = '';
  #watch: NodeJS.Timeout | undefined;
  #penaltyUntil = 0;

  constructor(options: GameOptions) {
    this.#options = options;
  }

  connected(line: Line): void {
    this.#line = line;
    void this.#attempt(() => this.#hello());
  }

  lost(): void {
    this.#line = null;
    this.#underWay = '';
    clearTimeout(this.#planned?.timer);
    this.#planned = null;
    clearTimeout(this.#watch);
    this.#count(null);
  }

  /** The script takes the connection away for longer than the service waits. */
  goesAway(forMs: number): void {
    const from = Date.now();
    if (this.#playerGuid !== '')
      this.#options.onIntent({ kind: 'away', playerGuid: this.#playerGuid, from, to: from + forMs });
  }

  told({ event, payload }: Told): void {
    if (event === 'matchUpdated') this.#learn(payload.match);
    // The update of the match that was made comes after `matched`.
    else if (event === 'queueUpdated')
      this.#isQueued = payload.queueEntry !== null || payload.reason === 'matched';
    else return;
    this.#next();
  }

  /** A lost connection ends whatever was asked over it. */
  async #attempt(act: () => Promise<void>): Promise<void> {
    const line = this.#line;
    try {
      await act();
    } catch (error) {
      if (this.#line === line && line !== null) throw error;
    }
    if (this.#line === line) this.#next();
  }

  async #hello(): Promise<void> {
    const answer = await this.#ask('hello', {});
    if (!answer.ok) return this.#failed('hello', answer.error);
    const { player, queueEntry, match, penalty } = answer.data;
    this.#playerGuid = player.playerGuid;
    this.#isQueued = queueEntry !== null;
    this.#penaltyUntil = penalty ? Date.parse(penalty.until) : 0;
    if (match !== null) this.#learn(match);
    else if (this.#match?.result === null) {
      const seen = await this.#ask('getMatchState', { matchGuid: this.#match.matchGuid });
      if (!seen.ok) return this.#failed('getMatchState', seen.error);
      this.#learn(seen.data.match);
    }
  }

  #ask<Event extends keyof ToServer>(
    event: Event,
    payload: ToServer[Event]['payload'],
  ): Promise<Acknowledgement<Event>> {
    if (this.#line === null) throw new Error('There is no connection.');
    return this.#line.ask(event, payload);
  }

  async #command<Event extends keyof ToServer>(
    event: Event,
    payload: ToServer[Event]['payload'],
  ): Promise<boolean> {
    const answer = await this.#ask(event, payload);
    if (!answer.ok) {
      await this.#failed(event, answer.error);
      return false;
    }
    if ('match' in answer.data && answer.data.match !== null) this.#learn(answer.data.match);
    return true;
  }

  async #failed(event: string, { code, message }: { code: string; message: string }): Promise<void> {
    const { tally, onProblem } = this.#options;
    count(tally.refused, `${event} ${code}`);
    if (FAILURES.has(code)) {
      // The step is repeated after a pause in which the service can recover.
      await this.#pause(1);
      return;
    }
    if (code === 'PENALIZED') {
      // `hello` has the end of the penalty.
    } else if (!LATE.has(code)) onProblem(`${event} was refused: ${code} ${message}`);
    await this.#pause(0.5);
    await this.#hello();
  }

  #ms(seconds: number): number {
    return (seconds * 1000) / this.#options.pace;
  }
  #pause(seconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#ms(seconds)));
  }

  #learn(match: Match): void {
    const { matchGuid, version } = match;
    if (matchGuid !== this.#matchGuid) {
      this.#matchGuid = matchGuid;
      this.#matches++;
      this.#doneAt.clear();
      this.#decided.clear();
    } else if (this.#match !== null && this.#match.version > version) return;
    this.#match = match;
    if (match.result === null) this.#isQueued = false;
    this.#count(match.result === null ? 'match' : null);
    clearTimeout(this.#watch);
    const { remainingMs } = match;
    if (remainingMs === null || match.result !== null) return;
    this.#watch = setTimeout(
      () => {
        this.#options.tally.askedAgain++;
        void this.#attempt(() => this.#hello());
      },
      Math.min(remainingMs + SURPRISED_AFTER_MS, 2 ** 31 - 1),
    );
  }

  #counted: string | null = null;
  #count(where: 'match' | null): void {
    if (where === this.#counted) return;
    this.#options.tally.inMatch += where === 'match' ? 1 : -1;
    this.#counted = where;
  }

  /** Plans what is to be done next, unless it is planned or under way. */
  #next(): void {
    if (this.#line === null) return;
    const step = this.#step();
    if (step?.key === this.#planned?.key) return;
    clearTimeout(this.#planned?.timer);
    this.#planned = null;
    if (step === null || step.key === this.#underWay) return;
    const { key, seconds, notBefore = 0, act } = step;
    const now = Date.now();
    const at = this.#doneAt.get(key) ?? Math.max(now, notBefore) + this.#ms(seconds);
    this.#doneAt.set(key, at);
    const timer = setTimeout(
      () => {
        this.#planned = null;
        this.#underWay = key;
        void this.#attempt(async () => {
          try {
            await act();
          } finally {
            if (this.#underWay === key) this.#underWay = '';
          }
        });
      },
      Math.max(0, at - now),
    );
    this.#planned = { key, timer };
  }

  #step(): Step | null {
    const match = this.#match;
    if (match === null || match.result !== null) return this.#stepOutside();
    const { matchGuid, status, roundNumber, you, pickerGuid, rounds } = match;
    const nth = this.#matches;
    const script = this.#options.script.match(nth);
    if (status === 'waiting_players') {
      if (this.#joined === matchGuid) return null;
      return {
        key: `${matchGuid} join`,
        seconds: script.joinSeconds,
        act: async () => {
          if (await this.#command('joinMatch', { matchGuid })) this.#joined = matchGuid;
        },
      };
    }
    if (status === 'awaiting_discards') {
      if (you.discarded) return null;
      return this.#saying(`${matchGuid} discard`, script.discardSeconds, 'discardMaps', () => ({
        matchGuid,
        cardGuids: handOf(match).slice(0, script.discards),
      }));
    }
    const round = this.#options.script.round(nth, rounds.length + 1);
    if (status === 'awaiting_pick') {
      if (script.forfeitRound === rounds.length + 1)
        return {
          key: `${matchGuid} forfeit`,
          seconds: round.pickSeconds,
          act: async () => {
            this.#options.onIntent({ kind: 'forfeit', playerGuid: this.#playerGuid, matchGuid });
            await this.#command('forfeit', { matchGuid });
          },
        };
      if (pickerGuid !== you.player?.playerGuid) return null;
      return this.#saying(`${matchGuid} pick ${roundNumber}`, round.pickSeconds, 'selectMap', () => ({
        matchGuid,
        cardGuid: handOf(match)[Math.floor(round.card * handOf(match).length)] ?? '',
      }));
    }
    if (status === 'preparing') return you.ready === 'ready' ? null : this.#stepPreparing(match, round);
    if (status === 'playing') return you.scoreSubmitted ? null : this.#stepPlaying(match, round);
    return null;
  }

  #stepOutside(): Step | null {
    if (this.#isQueued) return null;
    const { queueGuid, script } = this.#options;
    const { pauseSeconds, goneSeconds } = script.match(this.#matches);
    const join: Step = {
      key: `join queue ${this.#matches}`,
      seconds: this.#matches === 0 ? 0 : pauseSeconds,
      notBefore: this.#penaltyUntil,
      act: async () => {
        this.#doneAt.delete(join.key);
        if (await this.#command('joinQueue', { queueGuid })) this.#isQueued = true;
      },
    };
    const leaving = `end ${this.#matches}`;
    if (this.#matches === 0 || goneSeconds === null || this.#decided.has(leaving)) return join;
    return {
      key: leaving,
      seconds: pauseSeconds,
      act: async () => {
        this.#decided.set(leaving, {});
        this.#line?.leave(goneSeconds);
      },
    };
  }

  /** A command whose content is decided once. */
  #saying<Event extends keyof ToServer>(
    key: string,
    seconds: number,
    event: Event,
    decide: () => ToServer[Event]['payload'],
  ): Step {
    return {
      key,
      seconds,
      act: async () => {
        const payload = (this.#decided.get(key) as ToServer[Event]['payload'] | undefined) ?? decide();
        this.#decided.set(key, payload);
        await this.#command(event, payload);
      },
    };
  }

  #stepPreparing(match: Match, round: ReturnType<GameOptions['script']['round']>): Step {
    const { matchGuid, roundNumber } = match;
    const key = `${matchGuid} ready ${roundNumber}`;
    const say = (said: Pick<ToServer['setReady']['payload'], 'state' | 'progress'>) =>
      this.#command('setReady', { matchGuid, roundNumber, ...said });
    const ready = async (): Promise<void> => {
      await say({ state: 'ready' });
    };
    const { downloadSeconds, readySeconds } = round;
    if (downloadSeconds === null) return { key, seconds: readySeconds, act: ready };
    const begun = `${key} download`;
    const startedAt = this.#doneAt.get(begun) ?? Date.now();
    this.#doneAt.set(begun, startedAt);
    const share = (Date.now() - startedAt) / this.#ms(downloadSeconds);
    if (share >= 1) return { key, seconds: readySeconds, act: ready };
    const tick = Math.floor((share * downloadSeconds) / PROGRESS_EVERY_SECONDS);
    return {
      key: `${key} ${tick}`,
      seconds: Math.min(PROGRESS_EVERY_SECONDS, (1 - share) * downloadSeconds),
      act: async () => {
        const progress = Math.min(1, (Date.now() - startedAt) / this.#ms(downloadSeconds));
        await say({ state: 'downloading', progress: Number(progress.toFixed(3)) });
      },
    };
  }

  #stepPlaying(match: Match, round: ReturnType<GameOptions['script']['round']>): Step | null {
    const { matchGuid, roundNumber, currentMap, startsAt } = match;
    if (currentMap === null || startsAt === null) return null;
    const { failsAfter, finishSeconds } = round;
    const playedMs = (playingMs(currentMap) / this.#options.pace) * (failsAfter ?? 1);
    const key = `${matchGuid} score ${roundNumber}`;
    return {
      key,
      seconds: finishSeconds,
      notBefore: Date.parse(startsAt) + playedMs,
      act: async () => {
        const play = this.#options.plays.of(currentMap, round.accuracy);
        const { score } = play;
        const rawScore = failsAfter === null ? score.rawScore : Math.floor(score.rawScore * failsAfter);
        const payload = {
          matchGuid,
          roundNumber,
          ...score,
          rawScore,
          modifiedScore: modifiedScoreOf(rawScore, currentMap.modifiers, false),
          fullCombo: failsAfter === null && score.fullCombo,
          noFailTriggered: false,
          failed: failsAfter !== null,
        };
        const isTaken = await this.#command('submitScore', payload);
        if (isTaken && failsAfter === null && round.uploadSeconds !== null)
          void this.#upload(matchGuid, roundNumber, play, round.uploadSeconds);
      },
    };
  }

  /** Publishes a replay, as the plugin does in the background: with or without the socket. */
  async #upload(matchGuid: string, roundNumber: number, play: Prepared, seconds: number): Promise<void> {
    const { token, http, url, tally, stopped, onProblem } = this.#options;
    await this.#pause(seconds);
    const body = await play.file();
    let outcome = '';
    for (let tried = 0; tried < UPLOAD_TRIES && !stopped.aborted; tried++) {
      if (tried > 0) await this.#pause(UPLOAD_AGAIN_SECONDS * tried);
      const answer = await http
        .ask('POST', `${url()}/matches/${matchGuid}/rounds/${roundNumber}/replay`, {
          body,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/octet-stream',
            'content-encoding': 'gzip',
            'x-service-plugin-version': PLUGIN_VERSION,
          },
        })
        .catch((error: NodeJS.ErrnoException) => ({ status: 0, body: error.code ?? error.message, ms: 0 }));
      if (answer.status === 200 || answer.status === 201) {
        tally.uploads++;
        tally.uploadTimes.push(answer.ms);
        if (!answer.body.includes('"verdict":"verified"'))
          onProblem(`a replay was not verified: ${answer.body.slice(0, 300)}`);
        return;
      }
      outcome = answer.status === 0 ? answer.body : `${answer.status} ${codeOf(answer.body)}`;
      count(tally.uploadsRefused, outcome);
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) break;
    }
    if (!stopped.aborted) onProblem(`a replay was not taken: ${outcome}`);
  }
}

/** The cards of the own hand. */
const handOf = ({ you }: Match): string[] => (you.hand ?? []).map(({ cardGuid }) => cardGuid);

const codeOf = (body: string): string => /"code":"(\w+)"/.exec(body)?.[1] ?? '';
