import { type Db, Overtaken } from '../../platform/database/database.ts';
import type { LadderPosition, Mover } from './moves.ts';
import { positionsOf } from './moves-store.ts';
import {
  type CountedMatch,
  changesBy,
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

/** A match of a ladder that has ended. */
export interface EndedMatch extends CountedMatch {
  matchGuid: string;
  /** Grows with every match that is made. A player's matches follow one another, so it is also the order of their ends. */
  sequence: number;
}

export interface Correction extends LadderOf {
  /** The match with its new score. */
  corrected: EndedMatch & Pick<RatedMatch, 'at'>;
  /** The next matches of this ladder after a `sequence` that have ended, in the order of `sequence`, but for those in `without`. */
  endedAfter(sequence: number, without: readonly string[]): Promise<EndedMatch[]>;
  /** Milliseconds since 1970. */
  now: number;
}

export type LoadedMatch = EndedMatch & MatchToRate;

export type Rerating = Awaited<ReturnType<typeof beginRerating>>;

/** Reads the ladder from the corrected match on and rates it again, in slices. */
export async function beginRerating(db: Db, correction: Correction) {
  const { corrected, endedAfter } = correction;
  const [match] = (await withStored(db, [corrected])) as [typeof corrected & MatchToRate];
  const strengths = {
    red: match.stored?.red.before ?? (await strengthBefore(db, correction, match.red)),
    blue: match.stored?.blue.before ?? (await strengthBefore(db, correction, match.blue)),
  };
  const changes = changesBy(strengths, match.score);
  const changed = new Map<string, Strength>();
  for (const seat of ['red', 'blue'] as const) {
    const { before, after } = changes[seat];
    if (!isSameStrength(after, match.stored?.[seat].after ?? before)) changed.set(match[seat], after);
  }

  const isMoved = changed.size > 0;
  const read: string[] = [];
  /** The `sequence` of the last match that was read, by player. */
  const places = new Map<string, number>();
  // A match that ran when its place was passed is read later. Only the order of each player's matches counts.
  const note = ({ matchGuid, sequence, red, blue }: EndedMatch): void => {
    for (const player of [red, blue]) {
      if ((places.get(player) ?? 0) > sequence) throw new Overtaken();
      places.set(player, sequence);
    }
    read.push(matchGuid);
  };
  return {
    /** The corrected match. */
    first: { match, ...changes },
    /** Strengths that differ from the stored ones after the matches that were read, by player. */
    changed,
    /**
     * The matches that come out differently, of those that have ended and were not read yet.
     * @throws Overtaken when one of them comes before a match of the same player that was read
     */
    async *slices() {
      // Without a strength that differs, later matches come out as they are stored.
      let last = isMoved ? corrected.sequence : undefined;
      const known = [...read];
      while (last !== undefined) {
        const matches: EndedMatch[] = await endedAfter(last, known);
        for (const one of matches) note(one);
        if (matches.length > 0) yield rateAgain(await withStored(db, matches), changed);
        last = matches.at(-1)?.sequence;
      }
    },
  };
}

/**
 * How a correction would change the ladder now. Nothing is locked or written.
 * @returns both players of the match and everybody else whose rating would change; and how many of the later matches would
 *   come out differently
 */
export async function previewCorrection(
  db: Db,
  correction: Correction,
): Promise<{ movers: Mover[]; ratedAgain: number }> {
  const rerating = await beginRerating(db, correction);
  const { match } = rerating.first;
  let ratedAgain = 0;
  for await (const slice of rerating.slices())
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

/** A player's strength on a ladder just before the corrected match. */
async function strengthBefore(
  db: Db,
  { queueGuid, seasonGuid, corrected: { sequence } }: Correction,
  playerGuid: string,
): Promise<Strength> {
  const [strength = NEWCOMER] = await db.$queryRaw<Strength[]>`
    SELECT "muAfter" AS mu, "sigmaAfter" AS sigma FROM "RatingChange" AS change JOIN "Match" USING ("matchGuid")
    WHERE "playerGuid" = ${playerGuid}::uuid AND change."queueGuid" = ${queueGuid}::uuid
      AND change."seasonGuid" = ${seasonGuid}::uuid AND sequence < ${sequence}::bigint
    ORDER BY sequence DESC LIMIT 1`;
  return strength;
}

/** Adds to matches what is stored for them. */
async function withStored<Match extends EndedMatch>(
  db: Db,
  matches: readonly Match[],
): Promise<(Match & MatchToRate)[]> {
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
