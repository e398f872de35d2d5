import { io, type Socket } from 'socket.io-client';
import { messageMisfit, note } from './references.ts';
import { Waiting } from './waiting.ts';

type Envelope = { ok: true; data: any } | { ok: false; error: { code: string; message: string } };

interface ConnectOptions {
  url: string;
  name: string;
  token?: string;
  pluginVersion?: string;
  transports?: string[] | undefined;
}

/** A player at a real socket, in the words of the game. Remembers every message it got. */
export class SocketPlayer {
  readonly name: string;
  readonly socket: Socket;
  readonly updates: any[] = [];
  readonly queueUpdates: any[] = [];
  readonly notices: any[] = [];
  /** Socket.IO's word for how the connection ended; after `io server disconnect` a client stays away. */
  disconnectReason: string | null = null;
  readonly #waiting = new Waiting();

  private constructor(name: string, socket: Socket) {
    this.name = name;
    this.socket = socket;
    socket.onAny((event: string, payload: unknown) => note(messageMisfit(event, payload, false)));
    socket.on('matchUpdated', (update) => this.#note(this.updates, update));
    socket.on('queueUpdated', (update) => this.#note(this.queueUpdates, update));
    socket.on('serverNotice', (notice) => this.#note(this.notices, notice));
    socket.on('disconnect', (reason) => {
      this.disconnectReason = reason;
      this.#waiting.wake();
    });
  }

  /** Rejects with the code of a refused handshake as its message. */
  static async connect({
    url,
    name,
    transports = ['websocket'],
    ...auth
  }: ConnectOptions): Promise<SocketPlayer> {
    const socket = io(url, { auth, transports, forceNew: true, reconnection: false });
    const player = new SocketPlayer(name, socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', (error) => reject(error));
    });
    return player;
  }

  #note(list: any[], item: any): void {
    list.push(item);
    this.#waiting.wake();
  }
  /** The match as it was delivered last. */
  get match(): any {
    return this.updates.at(-1)?.match;
  }

  /** Sends and returns the whole acknowledgement. */
  async ask(event: string, payload: unknown = {}): Promise<Envelope> {
    const answer = await this.socket.timeout(10_000).emitWithAck(event, payload);
    note(messageMisfit(event, answer, true));
    return answer;
  }
  /** Sends and returns the data; throws `CODE: message` when refused. */
  async do(event: string, payload: unknown = {}): Promise<any> {
    const answer = await this.ask(event, payload);
    if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    return answer.data;
  }
  /** Sends and returns the code of the refusal; throws when it was accepted. */
  async refused(event: string, payload: unknown = {}): Promise<string> {
    const answer = await this.ask(event, payload);
    if (answer.ok) throw new Error(`${event} was accepted.`);
    return answer.error.code;
  }

  /** Waits until a message, or the end of the connection, makes the condition true. */
  until(holds: () => boolean, what = 'what was waited for', limitMs = 20_000): Promise<void> {
    const failure = () => `${this.name} did not get ${what} in ${limitMs} ms; match: ${this.match?.status}`;
    return this.#waiting.until(holds, failure, limitMs);
  }
  /** Waits for a status of the match; returns the match. */
  async status(...statuses: string[]): Promise<any> {
    await this.until(() => statuses.includes(this.match?.status), statuses.join(' or '));
    return this.match;
  }

  /** Drops the connection as a network would. */
  drop(): void {
    this.socket.io.engine.close();
  }
  leave(): void {
    this.socket.disconnect();
  }
}

/** A score of this accuracy on a map without modifiers. */
export const scoreOf = (map: { maxScore: number }, accuracy: number) => {
  const rawScore = Math.floor(map.maxScore * accuracy);
  return {
    rawScore,
    modifiedScore: rawScore,
    missCount: 1,
    badCutCount: 0,
    fullCombo: false,
    noFailTriggered: false,
    failed: false,
  };
};

/** Two players in a match that both have joined. */
export async function meet(a: SocketPlayer, b: SocketPlayer, queueGuid: string): Promise<string> {
  await a.do('joinQueue', { queueGuid });
  await b.do('joinQueue', { queueGuid });
  const [{ matchGuid }] = await Promise.all([a.status('waiting_players'), b.status('waiting_players')]);
  await Promise.all([a.do('joinMatch', { matchGuid }), b.do('joinMatch', { matchGuid })]);
  await Promise.all([a.status('awaiting_discards'), b.status('awaiting_discards')]);
  return matchGuid;
}

/** The two players of a match, the one whose turn it is first. */
export const pickerFirst = (a: SocketPlayer, b: SocketPlayer): [SocketPlayer, SocketPlayer] =>
  a.match.pickerGuid === a.match.you.player.playerGuid ? [a, b] : [b, a];

/** Gets both players of a met match to the first pick without discards. @returns picker and other. */
export async function toFirstPick(
  a: SocketPlayer,
  b: SocketPlayer,
  matchGuid: string,
): Promise<[SocketPlayer, SocketPlayer]> {
  await Promise.all([a, b].map((player) => player.do('discardMaps', { matchGuid, cardGuids: [] })));
  await Promise.all([a.status('awaiting_pick'), b.status('awaiting_pick')]);
  return pickerFirst(a, b);
}

/** Two players in a match whose first map is picked and prepared. */
export async function toPreparing(
  a: SocketPlayer,
  b: SocketPlayer,
  queueGuid: string,
): Promise<{ matchGuid: string; picker: SocketPlayer }> {
  const matchGuid = await meet(a, b, queueGuid);
  const [picker] = await toFirstPick(a, b, matchGuid);
  await picker.do('selectMap', { matchGuid, cardGuid: picker.match.you.hand[0].cardGuid });
  await Promise.all([a.status('preparing'), b.status('preparing')]);
  return { matchGuid, picker };
}

/** Picks the first card and gets both ready: the map is being played afterwards. */
export async function toPlaying(picker: SocketPlayer, waiter: SocketPlayer, matchGuid: string): Promise<any> {
  await picker.do('selectMap', { matchGuid, cardGuid: picker.match.you.hand[0].cardGuid });
  const { roundNumber } = await waiter.status('preparing');
  await Promise.all(
    [picker, waiter].map((one) => one.do('setReady', { matchGuid, roundNumber, state: 'ready' })),
  );
  await Promise.all([picker.status('playing'), waiter.status('playing')]);
  return picker.match;
}

/** Plays one round to its result with these accuracies. */
export async function playRound(
  a: SocketPlayer,
  b: SocketPlayer,
  accuracyA: number,
  accuracyB: number,
): Promise<void> {
  await Promise.all([a.status('awaiting_pick'), b.status('awaiting_pick')]);
  const { matchGuid } = a.match;
  const [picker, waiter] = pickerFirst(a, b);
  const { roundNumber, currentMap } = await toPlaying(picker, waiter, matchGuid);
  await Promise.all([
    a.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, accuracyA) }),
    b.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, accuracyB) }),
  ]);
}

/** Ends a match in any phase, and takes both players out of queue and connection. */
export async function partWays(a: SocketPlayer, b: SocketPlayer, matchGuid: string): Promise<void> {
  await a.do('forfeit', { matchGuid });
  for (const player of [a, b]) {
    await player.do('leaveQueue');
    player.leave();
  }
}
