import { createMatch, dueAt } from '../../src/domains/matches/machine.ts';
import type { Cause, LogLine, TransitionEvent } from '../../src/domains/matches/match-events.ts';
import { play } from '../../src/domains/matches/play.ts';
import { type MatchState, SEATS, type SeatName } from '../../src/domains/matches/state.ts';
import { causeFor, viewFor } from '../../src/domains/matches/view.ts';
import { extras, type GameOptions, START, scoreOn, setupOf } from '../matches/game.ts';
import type { StoredMatch } from './check.ts';
import { COMMANDS, eventFor } from './operations.ts';
import { type ConnectionNotes, type Note, type Payload, startRecording } from './recording.ts';

/**
 * A correct service of one match and its two clients, around the real rules: requests wait before they are
 * decided, answers and updates wait before they arrive, connections are lost with all that waits. Whatever
 * order chance chooses, what it records is a correct history.
 */
export class Model {
  readonly recording = startRecording(() => this.#ms);
  readonly clients = { red: new Client(this, 'red'), blue: new Client(this, 'blue') };
  readonly log: (LogLine & { cause: Cause })[] = [];
  /** By version, from 1. */
  readonly states: MatchState[] = [];
  state: MatchState;
  /** The time of the rules. */
  now = START;
  #ms = 0;

  constructor(options: GameOptions = {}) {
    const setup = setupOf({ limits: { scoreEarliestShare: 0 }, ...options });
    this.state = createMatch(setup, this.now);
    this.states.push(this.state);
    this.log.push({
      event: { type: 'created', setup },
      at: this.now,
      cause: { type: 'created', seat: null },
    });
  }

  get notes(): readonly Note[] {
    return this.recording.notes;
  }
  get stored(): StoredMatch {
    return { matchGuid: this.state.matchGuid, log: this.log, state: this.state };
  }
  /** Time of the recording, milliseconds. */
  pass(ms: number): void {
    this.#ms += ms;
  }

  /**
   * Decides an event, stores it and sends it on its way.
   * @param progress what was said of a download beside it
   * @returns the refusal's code; null when there is none
   */
  decide(event: TransitionEvent, progress: unknown = null): string | null {
    const outcome = play(this.state, event, this.now);
    if (outcome.kind === 'refused') return outcome.error.code;
    if (outcome.kind === 'unchanged') {
      if (progress !== null) this.#tellProgress(event);
      return null;
    }
    for (const { event, state, cause } of outcome.steps) {
      this.log.push({ event, at: this.now, cause });
      this.state = state;
      this.states.push(state);
      this.tell(cause);
    }
    return null;
  }

  /** Both clients hear of the present version. */
  tell(cause: Cause): void {
    for (const seat of SEATS) {
      const update = { match: this.view(seat), cause: causeFor(this.state, seat, cause) };
      this.clients[seat].send((notes) => notes.told(update));
    }
  }

  view = (seat: SeatName) => viewFor(this.state, seat, this.now, extras());

  #tellProgress(event: TransitionEvent): void {
    if (event.type === 'setReady' && this.state.status === 'preparing')
      this.tell({ type: 'readyChanged', seat: event.seat });
  }

  /** The next limit passes. */
  limit(): void {
    this.now = Math.max(this.now, dueAt(this.state) ?? this.now);
    this.decide({ type: 'limitPassed', version: this.state.version });
  }
}

interface Request {
  event: string;
  payload: Payload;
  answer(envelope: unknown): void;
}

/** A client and everything that is on its way to it and from it. */
export class Client {
  readonly #model: Model;
  readonly seat: SeatName;
  /** The connection there is. */
  notes: ConnectionNotes | null = null;
  /** Sent and not yet decided; what a lost connection carried may be decided still. */
  requests: Request[] = [];
  updates: ((notes: ConnectionNotes) => void)[] = [];
  answers: (() => void)[] = [];

  constructor(model: Model, seat: SeatName) {
    this.#model = model;
    this.seat = seat;
  }

  connect(): void {
    this.notes = this.#model.recording.opened(this.seat, 'http://node');
    if (this.#model.state.endedAt === null) this.#model.decide({ type: 'connected', seat: this.seat });
    // `hello` shows everything that happened until now.
    this.updates = [];
    this.asks('hello', {});
  }

  loses(): void {
    this.notes?.closed('lost');
    this.notes = null;
    this.updates = [];
    this.answers = [];
    if (this.#model.state.endedAt === null) this.#model.decide({ type: 'disconnected', seat: this.seat });
  }

  leaves(): void {
    this.notes?.closed('left');
    this.notes = null;
  }

  send(update: (notes: ConnectionNotes) => void): void {
    if (this.notes) this.updates.push(update);
  }

  asks(event: string, payload: object): void {
    const { notes } = this;
    if (!notes) return;
    const whole = event === 'hello' ? {} : { matchGuid: this.#model.state.matchGuid, ...payload };
    const answered = notes.asked(event, whole);
    const answer = (envelope: unknown) => {
      if (this.notes === notes) this.answers.push(() => answered(envelope));
    };
    this.requests.push({ event, payload: whole, answer });
  }

  /** The service decides the oldest request. */
  isHeard(): void {
    const request = this.requests.shift();
    if (!request) return;
    const { event, payload, answer } = request;
    const { state } = this.#model;
    if (event === 'hello') {
      const match = state.endedAt === null ? this.#model.view(this.seat) : null;
      const lastMatch = match ? null : { matchGuid: state.matchGuid };
      answer({ ok: true, data: { player: state.seats[this.seat], match, lastMatch } });
      return;
    }
    const code = COMMANDS.has(event)
      ? this.#model.decide(eventFor(event, payload, this.seat), payload.progress)
      : null;
    answer(
      code === null
        ? { ok: true, data: { match: this.#model.view(this.seat) } }
        : { ok: false, error: { code, message: '' } },
    );
  }

  isTold(): void {
    if (this.notes) this.updates.shift()?.(this.notes);
  }
  isAnswered(): void {
    this.answers.shift()?.();
  }
  /** Everything on its way arrives, in the order in which a quiet network would bring it. */
  hearsAll(): void {
    while (this.requests.length > 0) this.isHeard();
    for (const client of Object.values(this.#model.clients)) {
      while (client.updates.length > 0) client.isTold();
      while (client.answers.length > 0) client.isAnswered();
    }
  }
  /** Asks, and waits for the answer and everything that follows. */
  does(event: string, payload: object = {}): void {
    this.#model.pass(10);
    this.asks(event, payload);
    this.#model.pass(10);
    this.hearsAll();
  }
}

/** How often each move is made in comparison to the others. */
const OFTEN = {
  sensible: 6,
  again: 1,
  silly: 0.3,
  downloads: 1,
  reads: 2,
  heard: 12,
  told: 14,
  answered: 12,
  loses: 0.4,
  connects: 2,
  limit: 0.4,
};

function pickMove(fraction: number): keyof typeof OFTEN {
  const moves = Object.entries(OFTEN) as [keyof typeof OFTEN, number][];
  let left = fraction * moves.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [move, weight] of moves) {
    left -= weight;
    if (left < 0) return move;
  }
  return 'heard';
}

/** A match played by chance from the first connection to the last update, with every kind of mishap. */
export function randomModel(fraction: () => number, options: GameOptions = {}): Model {
  const model = new Model(options);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(fraction() * list.length)] as T;
  const sent: { seat: SeatName; event: string; payload: object }[] = [];
  const asks = (seat: SeatName, event: string, payload: object) => {
    sent.push({ seat, event, payload });
    model.clients[seat].asks(event, payload);
  };
  const moves: Record<keyof typeof OFTEN, (client: Client) => void> = {
    sensible: ({ seat }) => {
      const [event, payload] = sensible(model.state, seat, fraction);
      asks(seat, event, payload);
    },
    again: ({ seat }) => {
      const before = sent.filter((one) => one.seat === seat).slice(-3);
      const { event, payload } = pick(before) ?? { event: 'hello', payload: {} };
      asks(seat, event, payload);
    },
    silly: ({ seat }) =>
      asks(seat, 'selectMap', {
        cardGuid: pick([...model.state.seats.red.hand, ...model.state.seats.blue.hand])?.cardGuid ?? '',
      }),
    downloads: ({ seat }) =>
      asks(seat, 'setReady', {
        roundNumber: model.state.roundNumber,
        state: 'downloading',
        progress: fraction(),
      }),
    reads: ({ seat }) => asks(seat, pick(['hello', 'getMatchState']), {}),
    heard: (client) => client.isHeard(),
    told: (client) => client.isTold(),
    answered: (client) => client.isAnswered(),
    loses: (client) => (client.notes ? client.loses() : client.connect()),
    connects: (client) => {
      if (!client.notes) client.connect();
    },
    limit: () => model.limit(),
  };
  for (const seat of SEATS) model.clients[seat].connect();
  model.tell({ type: 'created', seat: null });
  for (let step = 0; step < 400 && (step < 60 || model.state.endedAt === null); step++) {
    moves[pickMove(fraction())](model.clients[pick(SEATS)]);
    model.pass(Math.ceil(fraction() * 20));
  }
  finish(model);
  return model;
}

/** Both come back, the match ends, everything is told, and both leave. */
function finish(model: Model): void {
  const { red, blue } = model.clients;
  for (const client of [red, blue]) {
    if (!client.notes) client.connect();
    client.hearsAll();
  }
  if (model.state.endedAt === null) red.does('forfeit');
  for (const client of [red, blue]) client.hearsAll();
  for (const client of [red, blue]) {
    client.does('hello');
    model.pass(10);
    client.leaves();
  }
}

function sensible(state: MatchState, seat: SeatName, fraction: () => number): [string, object] {
  const { hand } = state.seats[seat];
  const { roundNumber, current } = state;
  switch (state.status) {
    case 'waiting_players':
      return ['joinMatch', {}];
    case 'awaiting_discards':
      return [
        'discardMaps',
        { cardGuids: hand.slice(0, Math.floor(fraction() * 3)).map((card) => card.cardGuid) },
      ];
    case 'awaiting_pick':
      return ['selectMap', { cardGuid: hand[Math.floor(fraction() * hand.length)]?.cardGuid ?? '' }];
    case 'preparing':
      return ['setReady', { roundNumber, state: 'ready' }];
    case 'playing':
      return current
        ? ['submitScore', { roundNumber, ...scoreOn(current.card.map, fraction()) }]
        : ['getMatchState', {}];
    default:
      return ['getMatchState', {}];
  }
}
