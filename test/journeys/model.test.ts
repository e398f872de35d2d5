import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDisplay } from '../../src/domains/matches/display.ts';
import { logOf } from '../../src/domains/matches/log-store.ts';
import { statesOf } from '../../src/domains/matches/play.ts';
import { matchView } from '../../src/domains/matches/schemas.ts';
import { type MatchState, SEATS } from '../../src/domains/matches/state.ts';
import { loadMatch, type StoredMatch } from '../../src/domains/matches/store.ts';
import { viewFor } from '../../src/domains/matches/view.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { type ManualClock, manualClock } from '../harness/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer, scoreOf } from '../harness/socket-player.ts';

/**
 * The whole service over real sockets, driven at random: both players' commands, sensible and not, repeats,
 * lost connections, takeovers, and time that jumps. `MODEL_RUNS` and `MODEL_SEED` ask for more or others.
 */
const RUNS = Number(process.env.MODEL_RUNS ?? 6);
const SEED = Number(process.env.MODEL_SEED ?? 20260301);

/** The only progress of a download that players report. */
const SAID_PROGRESS = 0.5;
/** Commands that the log of a match has at most once. */
const COMMANDS = new Set(['joinMatch', 'discardMaps', 'selectMap', 'submitScore', 'forfeit']);

let service: TestService;
let queueGuid: string;
let clock: ManualClock;
beforeAll(async () => {
  clock = manualClock(Date.now());
  service = await startTestService({ clock });
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Command {
  event: string;
  payload: Record<string, any>;
}

/** One player through all connections of a match, with everything that any of them was told. */
class Actor {
  readonly name: string;
  player: SocketPlayer;
  /** All connections of this player, in order. */
  readonly connections: SocketPlayer[] = [];
  /** The match as last told or shown. */
  view: any;
  accepted: Command | undefined;

  constructor(name: string, player: SocketPlayer) {
    this.name = name;
    this.player = player;
    this.connections.push(player);
  }

  get isConnected(): boolean {
    return this.player.socket.connected;
  }

  see(match: any): void {
    if (match && (this.view === undefined || match.version >= this.view.version)) this.view = match;
  }

  /** Sends a command, checks the form of the answer, and remembers it when it was accepted. */
  async say({ event, payload }: Command): Promise<boolean> {
    if (!this.isConnected) return false;
    this.see(this.player.match);
    const answer = await this.player.ask(event, payload);
    if (answer.ok) {
      expect(Object.keys(answer).sort()).toEqual(['data', 'ok']);
      expect(Object.keys(answer.data)).toEqual(['match']);
      expect(matchView.parse(answer.data.match)).toEqual(answer.data.match);
      this.see(answer.data.match);
      this.accepted = { event, payload };
    } else {
      expect(Object.keys(answer).sort()).toEqual(['error', 'ok']);
      expect(Object.keys(answer.error).sort()).toEqual(['code', 'message']);
      expect(answer.error.code).not.toBe('INTERNAL_ERROR');
    }
    return answer.ok;
  }

  async connect(): Promise<void> {
    this.player = await service.connect(this.name);
    this.connections.push(this.player);
    const { match } = await this.player.do('hello');
    this.see(match);
  }

  /** The command that the phase expects of this player; null for none. */
  sensible(n: number): Command | null {
    this.see(this.player.match);
    const { matchGuid, status, roundNumber, you, pickerGuid, currentMap } = this.view;
    const card = you.hand?.[n % Math.max(1, you.hand.length)];
    switch (status) {
      case 'waiting_players':
        return { event: 'joinMatch', payload: { matchGuid } };
      case 'awaiting_discards':
        return you.discarded
          ? null
          : {
              event: 'discardMaps',
              payload: { matchGuid, cardGuids: you.hand.slice(0, n % 3).map((one: any) => one.cardGuid) },
            };
      case 'awaiting_pick':
        return pickerGuid === you.player.playerGuid && card
          ? { event: 'selectMap', payload: { matchGuid, cardGuid: card.cardGuid } }
          : null;
      case 'preparing':
        return you.ready === 'ready'
          ? null
          : { event: 'setReady', payload: { matchGuid, roundNumber, state: 'ready' } };
      case 'playing':
        return you.scoreSubmitted
          ? null
          : {
              event: 'submitScore',
              payload: { matchGuid, roundNumber, ...scoreOf(currentMap, (n % 100) / 100) },
            };
      default:
        return null;
    }
  }
}

/** Commands that the phase does not expect, and some that no phase expects. */
const wild = (actor: Actor, n: number): Command => {
  const { matchGuid, roundNumber, you } = actor.view;
  const score = { rawScore: 10 ** 9, modifiedScore: 1, missCount: 0, badCutCount: 0 };
  const flags = { fullCombo: false, noFailTriggered: false, failed: false };
  return [
    { event: 'joinMatch', payload: { matchGuid } },
    { event: 'joinMatch', payload: { matchGuid: newGuid() } },
    { event: 'discardMaps', payload: { matchGuid, cardGuids: [] } },
    { event: 'discardMaps', payload: { matchGuid, cardGuids: [newGuid()] } },
    { event: 'selectMap', payload: { matchGuid, cardGuid: you.hand?.[0]?.cardGuid ?? newGuid() } },
    { event: 'setReady', payload: { matchGuid, roundNumber, state: 'failed' } },
    { event: 'setReady', payload: { matchGuid, roundNumber, state: 'downloading', progress: SAID_PROGRESS } },
    { event: 'setReady', payload: { matchGuid, roundNumber: roundNumber + 1, state: 'ready' } },
    { event: 'submitScore', payload: { matchGuid, roundNumber, ...score, ...flags } },
    { event: 'submitScore', payload: { matchGuid } },
    { event: 'noSuchThing', payload: { matchGuid } },
    { event: 'selectMap', payload: {} },
  ][n % 12] as Command;
};

/** The model is empty: it predicts only that the match keeps the invariants. */
type Model = Record<string, never>;
type Real = { actors: readonly [Actor, Actor] };

class Step implements fc.AsyncCommand<Model, Real> {
  readonly what: string;
  readonly run: (model: Model, real: Real) => Promise<void>;
  constructor(what: string, act: (real: Real) => Promise<unknown>) {
    this.what = what;
    this.run = async (_, real) => void (await act(real));
  }
  check = () => true;
  toString = () => this.what;
}

const who = fc.constantFrom(0, 1);
const any = fc.nat(1000);
const step = (
  name: string,
  weight: number,
  act: (actor: Actor, n: number, other: Actor) => Promise<unknown>,
) => ({
  weight,
  arbitrary: fc
    .tuple(who, any)
    .map(
      ([at, n]) =>
        new Step(`${name}(${at}, ${n})`, ({ actors }) =>
          act(actors[at] as Actor, n, actors[1 - at] as Actor),
        ),
    ),
});
const sayWhatIsAsked = async (actor: Actor, n: number): Promise<void> => {
  const command = actor.sensible(n);
  if (command) await actor.say(command);
};

const steps = fc.oneof(
  step('both play', 20, (actor, n, other) =>
    Promise.all([sayWhatIsAsked(actor, n), sayWhatIsAsked(other, n + 37)]),
  ),
  step('plays', 8, sayWhatIsAsked),
  step('says something else', 5, (actor, n) => actor.say(wild(actor, n))),
  step('says it again', 4, async (actor) => {
    if (!actor.accepted || !actor.isConnected) return;
    const { event, payload } = actor.accepted;
    expect((await actor.player.ask(event, payload)).ok, `${event} again`).toBe(true);
  }),
  step('says it twice at once', 2, async (actor, n) => {
    const command = actor.sensible(n);
    if (command) expect(new Set(await Promise.all([actor.say(command), actor.say(command)])).size).toBe(1);
  }),
  step('drops', 3, async ({ player }) => player.drop()),
  step('connects', 6, async (actor) => {
    if (!actor.isConnected) await actor.connect();
  }),
  step('takes over', 2, async (actor) => {
    const old = actor.player;
    const wasConnected = actor.isConnected;
    await actor.connect();
    if (!wasConnected) return;
    await old.until(() => !old.socket.connected, 'being replaced');
    expect(old.notices.at(-1)?.type).toBe('sessionReplaced');
  }),
  step('asks', 2, async (actor) => {
    const before = actor.view.version;
    if (!actor.isConnected) return;
    const { match } = await actor.player.do('getMatchState', { matchGuid: actor.view.matchGuid });
    expect(match.version).toBeGreaterThanOrEqual(before);
  }),
  step('gives up', 1, async (actor, n) => {
    if (n % 5 === 0) await actor.say({ event: 'forfeit', payload: { matchGuid: actor.view.matchGuid } });
  }),
  step('time passes', 2, async (_, n) => {
    clock.advance(n * 40);
    await sleep(300);
  }),
);

/** The progress of downloads is not stored: a view may show only what a player has reported. */
function progressIn({ you, opponent }: any): Map<string, number> {
  const shown = new Map<string, number>();
  for (const { player, progress } of [you, opponent]) {
    if (progress === null) continue;
    expect(progress).toBe(SAID_PROGRESS);
    shown.set(player.playerGuid, progress);
  }
  return shown;
}

/** Both come back and play; when there is nothing to do the clock moves on. */
async function playToTheEnd(actors: Real['actors'], matchGuid: string): Promise<void> {
  for (let round = 0; round < 300; round++) {
    for (const actor of actors) if (!actor.isConnected) await actor.connect();
    for (const actor of actors) {
      actor.see((await actor.player.do('getMatchState', { matchGuid })).match);
      if (actor.view.result) continue;
      const command = actor.sensible(actor === actors[0] ? 95 : 20);
      if (command) await actor.say(command);
    }
    const [first] = actors;
    const { match } = await first.player.do('getMatchState', { matchGuid });
    if (match.result) return;
    if (actors.every((actor) => actor.sensible(0) === null)) {
      clock.advance(Math.min(match.remainingMs ?? 0, 5000));
      await sleep(100);
    }
  }
  throw new Error('The match did not end.');
}

async function examine({ actors }: Real, matchGuid: string): Promise<void> {
  const { prisma } = service.database;
  const stored = await prisma.match.findUniqueOrThrow({ where: { matchGuid }, include: { changes: true } });
  const { state } = (await loadMatch(service.database, matchGuid)) as StoredMatch;
  const log = await logOf(service.database, matchGuid);
  const states = statesOf(log);
  expect(JSON.parse(JSON.stringify(states.at(-1)))).toEqual(state);
  expect(stored.endedAt).not.toBeNull();
  expect(await prisma.runningSeat.count({ where: { matchGuid } })).toBe(0);
  // A repeat has no second effect. A state of readiness alone may be said again after another one.
  const once = log
    .filter(({ event }) => COMMANDS.has((event as any).type))
    .map(({ event }) => JSON.stringify(event));
  expect(once).toEqual([...new Set(once)]);
  const { rated, result } = state;
  const display = await loadDisplay(prisma, [state]);
  expect(stored.changes.length).toBe(rated && result?.outcome !== 'no_contest' ? 2 : 0);

  for (const actor of actors) {
    const own = actor.connections[0]?.updates[0]?.match.you.player.playerGuid;
    const seat = stored.redGuid === own ? 'red' : 'blue';
    const opponent = SEATS.find((one) => one !== seat) ?? seat;
    for (const { updates } of actor.connections) {
      // The progress of a download repeats the version before it.
      const versions = updates
        .filter(
          ({ match, cause }, at) =>
            cause.type !== 'readyChanged' || match.version !== updates[at - 1]?.match.version,
        )
        .map(({ match }) => match.version as number);
      expect(versions).toEqual(versions.map((_, at) => (versions[0] ?? 0) + at));
      for (const { match } of updates) {
        const state = states[match.version - 1] as MatchState;
        expect(matchView.parse(match)).toEqual(match);
        // An update is the stored match, as this player may see it at that time.
        const ratings = match.result ? (stored.ratings as any) : null;
        expect(match).toEqual(
          JSON.parse(
            JSON.stringify(
              viewFor(state, seat, Date.parse(match.time), {
                ratings,
                replays: [],
                display,
                progress: progressIn(match),
              }),
            ),
          ),
        );
        expect(match.you.health).toBeGreaterThanOrEqual(0);
        expect(match.you.health).toBeLessThanOrEqual(1);
        const sent = JSON.stringify(match);
        const [mine, theirs] = [state.seats[seat].hand, state.seats[opponent].hand];
        for (const { cardGuid } of [...theirs, ...state.reserve]) expect(sent).not.toContain(cardGuid);
        const maps = mine.map(({ map }) => map.mapGuid);
        expect(theirs.filter(({ map }) => maps.includes(map.mapGuid))).toEqual([]);
        expect(sent).not.toContain(state.seed);
      }
    }
  }
}

let pair = 0;
test(
  'a match of two players who send random commands keeps its rules and ends, and its log leads to its state',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands([steps], { maxCommands: 60, size: 'max' }), async (commands) => {
        pair++;
        const [a, b] = [await service.connect(`A${pair}`), await service.connect(`B${pair}`)];
        const matchGuid = await meet(a, b, queueGuid);
        const actors: Real['actors'] = [new Actor(`A${pair}`, a), new Actor(`B${pair}`, b)];
        for (const actor of actors) actor.see(actor.player.match);
        try {
          await fc.asyncModelRun(() => ({ model: {}, real: { actors } }), commands);
          await playToTheEnd(actors, matchGuid);
          await examine({ actors }, matchGuid);
        } finally {
          // No player may stay in the queue for the next run.
          for (const actor of actors) {
            if (!actor.isConnected) await actor.connect();
            await actor.player.do('leaveQueue');
            actor.player.leave();
          }
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  },
  60_000 + RUNS * 30_000,
);
