import { useEffect, useReducer } from 'preact/hooks';
import { api, ask, type Problem } from '../api.ts';

/** Names of people by guid, each read once for all places that show it at a time. */

interface Kept {
  /** The newest that was read; null: none was, or there is no such person. */
  name: string | null;
  /** Why the last read gave no name; null: it did, or there was none. */
  problem: Problem | null;
  isReading: boolean;
  /** When the name was read, by `performance.now()`; null: the last read gave none, or there was none. */
  readAt: number | null;
  /** Draws each place that shows it. */
  shownBy: Set<() => void>;
}

const AT_ONCE = 4;
/** How long a name is not read again when it is shown again, so that Back to a long list does not read every name. */
const FRESH_MS = 60_000;
const people = new Map<string, Kept>();
const waiting: (() => void)[] = [];
let running = 0;

const UNREAD = { name: null, problem: null, isReading: false, readAt: null };

function keptOf(playerGuid: string): Kept {
  const kept = people.get(playerGuid) ?? { ...UNREAD, shownBy: new Set() };
  people.set(playerGuid, kept);
  return kept;
}

export const isGone = ({ code }: Problem): boolean => code === 'PLAYER_NOT_FOUND';

async function read(playerGuid: string): Promise<void> {
  const kept = keptOf(playerGuid);
  if (kept.isReading) return;
  kept.isReading = true;
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  const { data, problem } = await ask(api.GET('/players/{playerGuid}', { params: { path: { playerGuid } } }));
  running -= 1;
  waiting.shift()?.();
  kept.isReading = false;
  kept.problem = problem;
  kept.readAt = problem === null ? performance.now() : null;
  if (problem === null) kept.name = data.username;
  else if (isGone(problem)) kept.name = null;
  for (const draw of kept.shownBy) draw();
}

/** Reads the name of a person again where it is shown, because the person has been erased. */
export function forgetName(playerGuid: string): void {
  const { shownBy } = keptOf(playerGuid);
  // A new entry: a read that is under way puts the old name into the one before, which nobody shows.
  people.set(playerGuid, { ...UNREAD, shownBy });
  if (shownBy.size > 0) void read(playerGuid);
}

/** Reads all names again that are shown and could not be read. */
export function retryNames(): void {
  for (const [playerGuid, { problem, shownBy }] of people)
    if (problem !== null && shownBy.size > 0) void read(playerGuid);
}

/** The name of a person; null without a problem: it is not read yet. An old name stays while it is read again. */
export function useName(playerGuid: string): Readonly<Pick<Kept, 'name' | 'problem'>> {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => {
    const kept = keptOf(playerGuid);
    kept.shownBy.add(draw);
    const isFresh = kept.readAt !== null && performance.now() - kept.readAt < FRESH_MS;
    if (kept.shownBy.size === 1 && !isFresh) void read(playerGuid);
    return () => {
      kept.shownBy.delete(draw);
      if (kept.shownBy.size === 0) keptOf(playerGuid).problem = null;
    };
  }, [playerGuid]);
  return keptOf(playerGuid);
}
