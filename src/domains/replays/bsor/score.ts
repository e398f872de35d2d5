import { NOTE_KIND } from './format.ts';
import { isScored, isWholeNote, mostPoints, type NoteEvents } from './notes.ts';
import type { Replay } from './replay.ts';

/** The sums of the events of a replay. */
export interface Recount {
  /**
   * The score before modifiers. Two bounds, equal unless some cut lies exactly between two points: the file does not
   * show how the game rounded it.
   */
  score: { least: number; most: number };
  /** The score that perfect cuts of the same notes give. */
  most: number;
  /** Notes of the map that something happened to: cut or missed, chain links left out. */
  notes: number;
  misses: number;
  badCuts: number;
  bombs: number;
  walls: number;
  fullCombo: boolean;
}

/** 1, 2, 4 or 8. It doubles after good cuts of twice its value, and halves with a mistake. */
class Multiplier {
  value = 1;
  #progress = 0;

  rise(): void {
    if (this.value === 8) return;
    this.#progress += 1;
    if (this.#progress < this.value * 2) return;
    this.value *= 2;
    this.#progress = 0;
  }

  fall(): void {
    this.#progress = 0;
    if (this.value > 1) this.value /= 2;
  }
}

/** The events in order of time; two at the same time stay in the order of the file. */
const inOrder = ({ times, count }: NoteEvents): Uint32Array =>
  Uint32Array.from({ length: count }, (_, nth) => nth).sort(
    (a, b) => (times[a] as number) - (times[b] as number) || a - b,
  );

/**
 * Plays the events of a replay again. A good cut raises the multiplier and gives its points times the
 * multiplier; a miss, a bad cut, a bomb or a wall loses the progress and halves the multiplier.
 */
export function recount({ notes, wallTimes }: Pick<Replay, 'notes' | 'wallTimes'>): Recount {
  const { times, ids, kinds, least, most } = notes;
  const walls = [...wallTimes].sort((a, b) => a - b);
  const multiplier = new Multiplier();
  const best = new Multiplier();
  const found: Recount = {
    score: { least: 0, most: 0 },
    most: 0,
    notes: 0,
    misses: 0,
    badCuts: 0,
    bombs: 0,
    walls: walls.length,
    fullCombo: true,
  };
  let nextWall = 0;
  for (const nth of inOrder(notes)) {
    const id = ids[nth] as number;
    const kind = kinds[nth];
    for (; nextWall < walls.length && (walls[nextWall] as number) < (times[nth] as number); nextWall += 1)
      multiplier.fall();
    if (kind === NOTE_KIND.BOMB) {
      found.bombs += 1;
      multiplier.fall();
      continue;
    }
    if (!isScored(id)) continue;
    if (isWholeNote(id)) found.notes += 1;
    best.rise();
    found.most += best.value * mostPoints(id);
    if (kind === NOTE_KIND.GOOD) {
      multiplier.rise();
      found.score.least += multiplier.value * (least[nth] as number);
      found.score.most += multiplier.value * (most[nth] as number);
      continue;
    }
    multiplier.fall();
    if (kind === NOTE_KIND.BAD) found.badCuts += 1;
    else found.misses += 1;
  }
  found.fullCombo = found.misses + found.badCuts + found.bombs + found.walls === 0;
  return found;
}
