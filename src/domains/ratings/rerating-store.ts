import type { Db } from '../../platform/database/database.ts';
import type { LadderPosition, Mover } from './moves.ts';
import { positionsOf } from './moves-store.ts';
import {
  afterMatch,
  isSameStrength,
  type MatchToRate,
  NEWCOMER,
  rateAgain,
  type Strength,
  type StrengthChange,
  shownRating,
} from './rules.ts';
import type { LadderOf, RatedMatch } from './store.ts';

/** Reads a ladder from a match with a changed result on, and rates it again. Writes nothing. */

/** A match of one ladder that has ended, with what it counts for from now on. */
export type EndedMatch = Omit<RatedMatch, keyof LadderOf>;

export interface Correction extends LadderOf {
  /** With what it counts for from now on. */
  corrected: EndedMatch;
  /** The next matches of this ladder that ended after a match, in order of end, and before a time. */
  endedAfter(match: EndedMatch, until: number): Promise<EndedMatch[]>;
  /** How many matches of this ladder ended after the corrected one; counting may stop beyond `most`. */
  countLater(most: number): Promise<number>;
  /** Milliseconds since 1970. */
  now: number;
}

export type LoadedMatch = EndedMatch & MatchToRate;

export type Rerating = Awaited<ReturnType<typeof beginRerating>>;

/** Reads the ladder from the corrected match on and rates it again, in slices. */
export async function beginRerating(db: Db, correction: Correction) {
  const { corrected, endedAfter } = correction;
  const [match] = (await withStored(db, [corrected])) as [LoadedMatch];
  const before = {
    red: match.stored?.red.before ?? (await strengthBefore(db, correction, match.red)),
    blue: match.stored?.blue.before ?? (await strengthBefore(db, correction, match.blue)),
  };
  const after = match.score === null ? before : afterMatch(before.red, before.blue, match.score);
  const changed = new Map<string, Strength>();
  for (const seat of ['red', 'blue'] as const)
    if (!isSameStrength(after[seat], match.stored?.[seat].after ?? before[seat]))
      changed.set(match[seat], after[seat]);

  let last = corrected;
  let read = 0;
  return {
    /** The corrected match. */
    first: {
      match,
      red: { before: before.red, after: after.red },
      blue: { before: before.blue, after: after.blue },
    },
    /** Strengths that differ from the stored ones after the matches that were read, by player. */
    changed,
    /** The matches that come out differently, of those that ended before a time and were not read yet. */
    async *slicesUntil(until: number) {
      // Later matches come out as they are stored when no strength differs any more.
      while (changed.size > 0) {
        const matches = await endedAfter(last, until);
        last = matches.at(-1) ?? last;
        read += matches.length;
        if (matches.length === 0) return;
        yield rateAgain(await withStored(db, matches), changed);
      }
    },
    /** Whether every match that ended was read. One that is stored late may have been passed by. */
    isComplete: async () => changed.size === 0 || (await correction.countLater(read)) === read,
  };
}

/**
 * How a correction would change the ladder now. Nothing is locked or written.
 * @returns everybody whose rating would change, and how many of the later matches would come out differently
 */
export async function previewCorrection(
  db: Db,
  correction: Correction,
): Promise<{ movers: Mover[]; ratedAgain: number }> {
  const rerating = await beginRerating(db, correction);
  const { match } = rerating.first;
  let ratedAgain = 0;
  for await (const slice of rerating.slicesUntil(Number.POSITIVE_INFINITY))
    ratedAgain += slice.filter(({ match }) => match.score !== null).length;

  const more = Number(match.score !== null) - Number(match.stored !== null);
  const guids = [...new Set([match.red, match.blue, ...rerating.changed.keys()])];
  const before = await positionsOf(db, correction, guids);
  const movers = guids.map((playerGuid): Mover => {
    const { rating, matches } = before(playerGuid);
    const strength = rerating.changed.get(playerGuid);
    const isOfMatch = playerGuid === match.red || playerGuid === match.blue;
    const after: LadderPosition = {
      rating: strength ? shownRating(strength) : rating,
      matches: isOfMatch ? matches + more : matches,
    };
    return { playerGuid, before: { rating, matches }, after };
  });
  return { movers, ratedAgain };
}

/** A player's strength on a ladder just before the corrected match ended. */
async function strengthBefore(
  db: Db,
  { queueGuid, seasonGuid, corrected: { at, matchGuid } }: Correction,
  playerGuid: string,
): Promise<Strength> {
  const [strength = NEWCOMER] = await db.$queryRaw<Strength[]>`
    SELECT "muAfter" AS mu, "sigmaAfter" AS sigma FROM "RatingChange"
    WHERE "playerGuid" = ${playerGuid}::uuid AND "queueGuid" = ${queueGuid}::uuid
      AND "seasonGuid" = ${seasonGuid}::uuid AND ("at", "matchGuid") < (${new Date(at)}, ${matchGuid}::uuid)
    ORDER BY "at" DESC, "matchGuid" DESC LIMIT 1`;
  return strength;
}

/** Adds to matches what is stored for them. */
async function withStored(db: Db, matches: readonly EndedMatch[]): Promise<LoadedMatch[]> {
  const rows = await db.ratingChange.findMany({
    where: { matchGuid: { in: matches.map(({ matchGuid }) => matchGuid) } },
  });
  const keyOf = (matchGuid: string, playerGuid: string) => `${matchGuid} ${playerGuid}`;
  const changes = new Map(
    rows.map((row): [string, StrengthChange] => [
      keyOf(row.matchGuid, row.playerGuid),
      {
        before: { mu: row.muBefore, sigma: row.sigmaBefore },
        after: { mu: row.muAfter, sigma: row.sigmaAfter },
      },
    ]),
  );
  return matches.map((match) => {
    const red = changes.get(keyOf(match.matchGuid, match.red));
    const blue = changes.get(keyOf(match.matchGuid, match.blue));
    return { ...match, stored: red && blue ? { red, blue } : null };
  });
}
