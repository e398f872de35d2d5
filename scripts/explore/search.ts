import { isDeepStrictEqual } from 'node:util';
import type { LogLine, TransitionEvent } from '../../src/domains/matches/match-events.ts';
import { type Played, play, statesOf } from '../../src/domains/matches/play.ts';
import { type MatchState, RUNNING } from '../../src/domains/matches/state.ts';
import { reasonOf } from '../../src/platform/reason.ts';
import { type Canonical, createCanonical } from './canonical.ts';
import { Digests } from './digests.ts';
import { createEvents, type Next } from './events.ts';
import type { Context, Invariant } from './invariants/kinds.ts';
import { type Setting, START, setupOf } from './settings.ts';
import { type Machine, type Moment, SERVICE, Walk } from './walk.ts';

/** Walks every state that a setting allows, the nearest to its beginning first, with the service's own reducer. */

export const PARTS = ['digests', 'parents', 'choices', 'limits', 'limitMs', 'edges', 'starts'] as const;
type Part = (typeof PARTS)[number];

/** Something that should never be, with the way there. */
export interface Violation {
  invariant: string;
  problem: string;
  /** The beginning, then each choice, as its number in the list of what may happen in that moment. */
  way: Way;
}

export interface Way {
  beginning: number;
  choices: number[];
}

export class Broken extends Error {
  readonly invariant: string;
  constructor(invariant: string, problem: string) {
    super(problem);
    this.invariant = invariant;
  }
}

/** @throws Broken when something is wrong */
function expectNone(invariant: string, problem: string | null): void {
  if (problem !== null) throw new Broken(invariant, problem);
}

/** The checks of some invariants by what they look at. */
function checksOf(invariants: readonly Invariant[]) {
  const having = <K extends 'moment' | 'step' | 'answer'>(kind: K) =>
    invariants.filter((one): one is Invariant & Required<Pick<Invariant, K>> => one[kind] !== undefined);
  return { moment: having('moment'), step: having('step'), answer: having('answer') };
}
type Checks = ReturnType<typeof checksOf>;

/** A growing list of integers. */
class Row {
  items = new Int32Array(1 << 16);
  length = 0;
  push(value: number): void {
    if (this.length === this.items.length) this.grow(this.length + 1);
    this.items[this.length++] = value;
  }
  append(values: Int32Array): void {
    this.grow(this.length + values.length);
    this.items.set(values, this.length);
    this.length += values.length;
  }
  at(index: number): number {
    return this.items[index] as number;
  }
  view(): Int32Array {
    return this.items.subarray(0, this.length);
  }
  replace(values: Int32Array): void {
    this.length = 0;
    this.append(values);
  }
  private grow(least: number): void {
    let { length } = this.items;
    if (length >= least) return;
    while (length < least) length *= 2;
    const larger = new Int32Array(length);
    larger.set(this.items);
    this.items = larger;
  }
}

/** Rows of different lengths, one after the other. */
class Rows {
  readonly data = new Row();
  readonly starts = new Row();
  get size(): number {
    return this.starts.length;
  }
  push(row: Int32Array): void {
    this.starts.push(this.data.length);
    this.data.append(row);
  }
  at(index: number): Int32Array {
    const start = this.starts.at(index);
    const end = index + 1 < this.starts.length ? this.starts.at(index + 1) : this.data.length;
    return this.data.items.subarray(start, end);
  }
}

/** The beginnings of a setting, played to where its exploration begins. */
const beginningsOf = (setting: Setting, machine: Machine = SERVICE): Walk[] =>
  setting.beginnings.map((beginning) => {
    const walk = new Walk(setupOf(setting, beginning), START, machine);
    setting.prefix(walk);
    return walk;
  });

/** The last state of a log that was written and is played again. @param before as in {@link statesOf} */
const playedAgain = (log: readonly LogLine[], machine: Machine, before: MatchState | null = null) =>
  statesOf(JSON.parse(JSON.stringify(log)), machine, before).at(-1) as MatchState;

/** Everything that the exploration of one setting knows. */
export class Search {
  readonly setting: Setting;
  readonly machine: Machine;
  readonly canonical: Canonical;
  readonly eventsOf: (moment: Moment) => Next[];
  readonly digests = new Digests();
  /** By number: from which state each one was reached first, or −1 minus its beginning. */
  readonly parents = new Row();
  /** By number: what happened there, as its place in the list of what may happen. */
  readonly choices = new Row();
  /** By number: where the next limit leads, and after how many milliseconds; −1: nowhere. */
  readonly limits = new Row();
  readonly limitMs = new Row();
  /** By number: everything that may follow but outages, as twice the number of the state, plus one when time passes; from `starts`. */
  readonly edges = new Row();
  readonly starts = new Row();
  /** How many matches were played again from their deal. */
  replayed = 0;
  transitions = 0;
  depth = 0;
  private readonly walks: readonly Walk[];
  /** The states of these walks, played again from their logs: the same for all matches that begin there. */
  private readonly begun: MatchState[] = [];
  private readonly context: Context;
  private readonly checks: Checks;
  private frontier = new Rows();
  private readonly counts = new Map<string, number>();

  constructor(setting: Setting, invariants: readonly Invariant[], machine: Machine = SERVICE) {
    this.setting = setting;
    this.machine = machine;
    this.checks = checksOf(invariants);
    this.walks = beginningsOf(setting, machine);
    this.canonical = createCanonical(
      setting,
      setting.beginnings.map((beginning) => machine.createMatch(setupOf(setting, beginning), START)),
    );
    this.eventsOf = createEvents(setting, machine);
    this.context = { setting, machine, canonical: this.canonical, eventsOf: this.eventsOf };
    for (const [beginning, { state, now }] of this.walks.entries()) {
      const row = this.canonical.encode(state, now);
      const { isNew } = this.digests.add(row);
      if (!isNew) continue;
      this.parents.push(-1 - beginning);
      this.choices.push(0);
      this.frontier.push(row);
    }
  }

  get size(): number {
    return this.digests.size;
  }

  /** How many states have been left behind, with everything that may happen in them. */
  get expanded(): number {
    return this.limits.length;
  }

  /** How often each change of a status was made, by which event. */
  get ways(): ReadonlyMap<string, number> {
    return this.counts;
  }

  /** Explores all states that are as near as the nearest unexplored ones. @returns false when there are none */
  layer(onProgress?: () => void): boolean {
    const current = this.frontier;
    if (current.size === 0) return false;
    if (this.depth === 0) for (const [at, { log }] of this.walks.entries()) this.checkPrefix(at, log);
    const first = this.size - current.size;
    this.frontier = new Rows();
    for (let at = 0; at < current.size; at++) {
      this.expand(first + at, current.at(at));
      if (at % 1024 === 0) onProgress?.();
    }
    this.depth += 1;
    return true;
  }

  /** A part that grows with every state, by its name on disk. */
  rowOf(part: Part): Int32Array {
    return part === 'digests' ? this.digests.view() : this[part].view();
  }

  load(part: Part, row: Int32Array): void {
    if (part === 'digests') this.digests.read(row);
    else this[part].replace(row);
  }

  /** The rest of the data that a continued exploration needs. */
  save() {
    const { transitions, depth, replayed, frontier } = this;
    const counts = Object.fromEntries(this.counts);
    const { data, starts } = frontier;
    return { transitions, depth, replayed, counts, frontier: { data: data.view(), starts: starts.view() } };
  }

  restore({ transitions, depth, replayed, counts, frontier }: ReturnType<Search['save']>): void {
    Object.assign(this, { transitions, depth, replayed });
    for (const [way, count] of Object.entries(counts)) this.counts.set(way, count);
    this.frontier = new Rows();
    this.frontier.data.replace(frontier.data);
    this.frontier.starts.replace(frontier.starts);
  }

  /** The states that are explored next. */
  get waiting(): { data: Int32Array; starts: Int32Array } {
    return { data: this.frontier.data.view(), starts: this.frontier.starts.view() };
  }

  /** Checks a state alone. @returns what is wrong; null: nothing */
  check(row: Int32Array): Pick<Violation, 'invariant' | 'problem'> | null {
    const moment = this.canonical.decode(row);
    for (const { name, moment: check } of this.checks.moment) {
      const problem = check(moment, this.context);
      if (problem !== null) return { invariant: name, problem };
    }
    return null;
  }

  /** How a state was reached. */
  wayTo(id: number): Way {
    const choices: number[] = [];
    let at = id;
    for (; this.parents.at(at) >= 0; at = this.parents.at(at)) choices.push(this.choices.at(at));
    return { beginning: -1 - this.parents.at(at), choices: choices.reverse() };
  }

  /** Everything that may happen in one state, with every check. */
  private expand(id: number, row: Int32Array): void {
    const wrong = this.check(row);
    if (wrong !== null) throw new Found({ ...wrong, way: this.wayTo(id) });
    const moment = this.canonical.decode(row);
    let choice = -1;
    try {
      this.starts.push(this.edges.length);
      const events = this.eventsOf(moment);
      let limit = -1;
      let limitMs = -1;
      for (const [index, next] of events.entries()) {
        choice = index;
        const reached = this.follow(moment, next);
        if (reached === null) continue;
        const { id: target, isNew } = this.digests.add(reached);
        this.transitions += 1;
        // Outages may repeat without end; their time is given back.
        if (next.event?.type !== 'serviceResumed')
          this.edges.push(2 * target + (next.at > moment.now ? 1 : 0));
        if (next.event?.type === 'limitPassed') {
          limit = target;
          limitMs = next.at - moment.now;
        }
        if (!isNew) continue;
        this.parents.push(id);
        this.choices.push(index);
        this.frontier.push(reached);
        if (moment.state.endedAt === null && (reached[0] as number) >= RUNNING.length) this.replay(target);
      }
      choice = -1;
      this.limits.push(limit);
      this.limitMs.push(limitMs);
      const after = this.canonical.encode(moment.state, moment.now);
      if (after.length !== row.length || after.some((value, at) => value !== row[at]))
        throw new Broken('a refusal changes nothing', 'an event changed the state that it was decided in');
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      const way = this.wayTo(id);
      if (choice >= 0) way.choices.push(choice);
      throw new Found({ invariant: error.invariant, problem: error.message, way });
    }
  }

  /** @returns the row of the moment that follows; null: the match did not change */
  private follow(moment: Moment, { event, at }: Next): Int32Array | null {
    if (event === null) return this.canonical.encode(moment.state, at);
    const played = this.decide(moment, event, at);
    for (const { name, answer } of this.checks.answer)
      expectNone(name, answer(moment, event, at, played, this.context));
    if (played.kind !== 'changed') return null;
    let before = moment.state;
    for (const step of played.steps) {
      if (before.status !== step.state.status) this.count(before.status, step.state.status, step.event.type);
      const seen = { before, at, ...step };
      for (const { name, step: check } of this.checks.step) expectNone(name, check(seen, this.context));
      before = step.state;
    }
    return this.canonical.encode(before, at);
  }

  /** Checks that the events before the exploration keep the promises as well. */
  private checkPrefix(beginning: number, [created, ...lines]: readonly LogLine[]): void {
    if (created?.event.type !== 'created') return;
    let before = this.machine.createMatch(created.event.setup, created.at);
    for (const { event, at } of lines) {
      if (event.type === 'created') continue;
      const outcome = this.machine.transition(before, event, at);
      if (outcome.kind !== 'changed')
        throw new Error(`${event.type} changes nothing before the exploration.`);
      for (const { name, step: check } of this.checks.step) {
        const problem = check({ before, event, at, ...outcome }, this.context);
        if (problem !== null)
          throw new Found({
            invariant: name,
            problem: `${problem} (version ${outcome.state.version}, before the exploration)`,
            way: { beginning, choices: [] },
          });
      }
      before = outcome.state;
    }
  }

  private decide(moment: Moment, event: TransitionEvent, at: number): Played {
    try {
      return play(moment.state, event, at, this.machine);
    } catch (error) {
      throw new Broken('nothing crashes', reasonOf(error));
    }
  }

  /** Plays a match again from its beginning, and its log again after that. */
  private replay(id: number): void {
    const way = this.wayTo(id);
    const walk = this.walk(way);
    const row = this.canonical.encode(walk.state, walk.now);
    if (this.digests.find(row) !== id)
      throw new Broken('the log replays', 'the match leads to another state than its canonical form');
    const { log } = this.walks[way.beginning] as Walk;
    this.begun[way.beginning] ??= playedAgain(log, this.machine);
    const again = playedAgain(walk.log.slice(log.length), this.machine, this.begun[way.beginning]);
    if (!isDeepStrictEqual(again, walk.state))
      throw new Broken('the log replays', 'the log leads to another state');
    this.replayed += 1;
  }

  /** Plays what happened on a way, from the deal. */
  walk({ beginning, choices }: Way): Walk {
    const walk = (this.walks[beginning] as Walk).copy();
    for (const choice of choices) {
      const next = this.eventsOf(walk)[choice];
      if (next === undefined)
        throw new Broken('the log replays', 'the match allows less than its canonical form');
      walk.now = next.at;
      if (next.event !== null) walk.happens(next.event);
    }
    return walk;
  }

  private count(from: string, to: string, by: string): void {
    const way = `${from} ${to} ${by}`;
    this.counts.set(way, (this.counts.get(way) ?? 0) + 1);
  }
}

/** Ends an exploration. */
export class Found extends Error {
  readonly violation: Violation;
  constructor(violation: Violation) {
    super(`${violation.invariant}: ${violation.problem}`);
    this.violation = violation;
  }
}
