/**
 * The search for a linear order. The log is the witness: it says in which order everything took effect that
 * did. The search finds which command made which line, and where between the lines all other answers belong:
 * repeats, refusals and reads. docs/history-checker.md explains it.
 */

/** Something a client asked, from the moment it was sent to the moment the answer came. */
export interface Operation {
  /** Its subject in a sentence. */
  readonly title: string;
  /** Whether this is the command of that line of the log, and it may have taken effect. */
  makes(version: number): boolean;
  /**
   * Whether the answer is right given at this version (0: before the match was made).
   * @param tookEffect whether the operation has made a line up to this version
   */
  fits(version: number, tookEffect: boolean): boolean;
  /** The version after which the answer is right no more; null: there is no such version, or no answer. */
  readonly fitsUntil: number | null;
  /** No answer says what became of it. */
  readonly isUnanswered: boolean;
}

/** An event in the order of the notes. An operation that is never answered stays open for ever. */
export type Happening =
  | { kind: 'asked'; operation: Operation }
  | { kind: 'answered'; operation: Operation }
  /** Somebody was told of this version: it exists. */
  | { kind: 'told'; version: number; title: string };

/** The lines of a match's log by version, from 1. */
export interface Lines {
  readonly last: number;
  /** Whether a player's command made the line; whatever else happens to a match needs nobody to ask for it. */
  isCommand(version: number): boolean;
  /** For sentences: what the line says. */
  title(version: number): string;
}

/** One way in which everything so far can have gone. Only operations that are open are named. */
interface Configuration {
  readonly version: number;
  /** Those that made a line. */
  readonly effective: ReadonlySet<Operation>;
  /** Those whose answer was right at a version at which they were open. */
  readonly fitting: ReadonlySet<Operation>;
}

/** @returns why there is no linear order, as a sentence; null when there is one */
export function findOrder(lines: Lines, happenings: Iterable<Happening>): string | null {
  const open = new Set<Operation>();
  let configurations: Configuration[] = [{ version: 0, effective: new Set(), fitting: new Set() }];

  for (const happening of happenings) {
    if (happening.kind === 'asked') {
      open.add(happening.operation);
      configurations = configurations.map((one) => arrived(one, one.version, [happening.operation]));
      continue;
    }
    const hasHappened = (one: Configuration): boolean =>
      happening.kind === 'told' ? one.version >= happening.version : one.fitting.has(happening.operation);
    const before = configurations;
    const reached = reach(before, lines, open, hasHappened);
    if (reached.length === 0) return noWay(before, lines, open, happening);
    configurations = reached;
    if (happening.kind === 'answered') {
      open.delete(happening.operation);
      configurations = distinct(configurations.map((one) => without(one, happening.operation)));
    }
  }
  const isOver = (one: Configuration): boolean => one.version === lines.last;
  if (reach(configurations, lines, open, isOver).length > 0) return null;
  const stuck = furthest(configurations, lines, open) + 1;
  return `version ${stuck} (${lines.title(stuck)}) comes from no command that was open.`;
}

/**
 * Goes on from each configuration until the goal holds and no further: whatever can be done later can be
 * done then, and stopping late would only shut out answers that belong to an earlier version.
 */
function reach(
  from: readonly Configuration[],
  lines: Lines,
  open: ReadonlySet<Operation>,
  isGoal: (one: Configuration) => boolean,
): Configuration[] {
  const reached: Configuration[] = [];
  let border: readonly Configuration[] = from;
  while (border.length > 0) {
    reached.push(...border.filter(isGoal));
    border = distinct(border.filter((one) => !isGoal(one)).flatMap((one) => next(one, lines, open)));
  }
  return distinct(reached);
}

/** Every way to the next line of the log. */
function next(one: Configuration, lines: Lines, open: ReadonlySet<Operation>): Configuration[] {
  const version = one.version + 1;
  if (version > lines.last) return [];
  // An answer that was not right by now never will be.
  for (const operation of open)
    if (operation.fitsUntil === one.version && !one.fitting.has(operation)) return [];
  if (!lines.isCommand(version)) return [arrived(one, version, open)];
  const makers = [...open].filter(
    (operation) => !one.effective.has(operation) && !one.fitting.has(operation) && operation.makes(version),
  );
  // The same command may be sent several times without an answer. One stands for all: nothing tells them apart.
  const unanswered = makers.find(({ isUnanswered }) => isUnanswered);
  return makers
    .filter((maker) => !maker.isUnanswered || maker === unanswered)
    .map((maker) => arrived({ ...one, effective: new Set([...one.effective, maker]) }, version, open));
}

/** At a version: notes for which operations the answer is right here. That never shuts anything else out. */
function arrived(one: Configuration, version: number, operations: Iterable<Operation>): Configuration {
  const fitting = new Set(one.fitting);
  for (const operation of operations)
    if (operation.fits(version, one.effective.has(operation))) fitting.add(operation);
  return { ...one, version, fitting };
}

const without = (one: Configuration, operation: Operation): Configuration => ({
  version: one.version,
  effective: new Set([...one.effective].filter((other) => other !== operation)),
  fitting: new Set([...one.fitting].filter((other) => other !== operation)),
});

const ids = new WeakMap<Operation, number>();
let lastId = 0;
function idOf(operation: Operation): number {
  const id = ids.get(operation) ?? ++lastId;
  ids.set(operation, id);
  return id;
}
const keyOf = (operations: ReadonlySet<Operation>): string => [...operations].map(idOf).sort().join();

function distinct(configurations: readonly Configuration[]): Configuration[] {
  const byKey = new Map(
    configurations.map((one) => [`${one.version}|${keyOf(one.effective)}|${keyOf(one.fitting)}`, one]),
  );
  return [...byKey.values()];
}

/** The furthest version that any configuration gets to. */
function furthest(from: readonly Configuration[], lines: Lines, open: ReadonlySet<Operation>): number {
  let version = 0;
  reach(from, lines, open, (one) => {
    version = Math.max(version, one.version);
    return false;
  });
  return version;
}

function noWay(
  from: readonly Configuration[],
  lines: Lines,
  open: ReadonlySet<Operation>,
  happening: Exclude<Happening, { kind: 'asked' }>,
): string {
  const earliest = Math.min(...from.map(({ version }) => version));
  const latest = furthest(from, lines, open);
  const { title, until } =
    happening.kind === 'told'
      ? { title: happening.title, until: happening.version }
      : { title: happening.operation.title, until: happening.operation.fitsUntil };
  if (until !== null && until < earliest) return `${title}: version ${earliest} had been seen before that.`;
  if (until !== null && until <= latest) return `${title}: it had taken no effect by then.`;
  if (latest === lines.last) return `${title}: that is right nowhere from version ${earliest} on.`;
  return `${title}: version ${latest + 1} (${lines.title(latest + 1)}) comes from no command that was sent by then.`;
}
