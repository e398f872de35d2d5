import { newGuid } from '../../platform/clock.ts';
import {
  type Database,
  type Db,
  inTransaction,
  isCollision,
  Prisma,
} from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { activeBan } from './bans-store.ts';
import { formerSelves, inheritSanctions, shownPlayer } from './erasure-store.ts';
import { playerErrors } from './errors.ts';
import { changeOf, type Identity, type IdentityChange, type KnownPlayer } from './rules.ts';
import type { Player } from './schemas.ts';

/** The name of a player whose token has none. */
const NAMELESS = 'Player';

const selectPlayer = statement<
  Omit<KnownPlayer, 'tokenIssuedAt'> & { tokenIssuedAt: Date },
  [subject: string, now: Date]
>(
  'player-of-subject',
  `
  SELECT "playerGuid"::text, "subject", "platformId", "username", "avatarUrl", "providerRoles", "tokenIssuedAt",
    ARRAY(SELECT "role" FROM "RoleGrant" AS g WHERE g."playerGuid" = p."playerGuid") AS "grantedRoles",
    (SELECT json_build_object('reason', b.reason, 'until', floor(extract(epoch FROM b.until) * 1000))
      FROM "Ban" AS b WHERE b."playerGuid" = p."playerGuid"
        AND b."liftedAt" IS NULL AND (b.until IS NULL OR b.until > $2::timestamptz)
      ORDER BY b.until DESC NULLS FIRST LIMIT 1) AS ban,
    (SELECT s."pluginVersion" FROM "RunningSeat" AS s WHERE s."playerGuid" = p."playerGuid") AS "matchVersion"
  FROM "Player" AS p WHERE "subject" = $1::text`,
);

/**
 * The player of a token subject; null when there is none. One statement reads everything that the admission of a
 * connection depends on.
 * @param now milliseconds since 1970
 */
export async function playerOfSubject(
  on: Database | Db,
  subject: string,
  now: number,
): Promise<KnownPlayer | null> {
  const [row] = await selectPlayer(on, subject, new Date(now));
  return row === undefined ? null : { ...row, tokenIssuedAt: row.tokenIssuedAt.getTime() };
}

/** The players of these subjects. Unknown subjects are left out. */
export const playersOfSubjects = (
  db: Db,
  subjects: readonly string[],
): Promise<{ subject: string; playerGuid: string }[]> =>
  db.$queryRaw`
    SELECT "subject", "playerGuid"::text FROM "Player" WHERE "subject" = ANY(${subjects}::text[])`;

async function insertPlayer(db: Db, identity: Identity, now: number) {
  const playerGuid = newGuid();
  await db.player.create({
    data: {
      playerGuid,
      subject: identity.subject,
      platformId: identity.platformId,
      username: identity.username ?? NAMELESS,
      avatarUrl: identity.avatarUrl,
      joinedAt: new Date(now),
      providerRoles: [...(identity.providerRoles ?? [])],
      tokenIssuedAt: new Date(identity.issuedAt),
    },
  });
  return playerGuid;
}

/**
 * Stores a newcomer. Bans and penalties of an erased person with the same subject or platform id come along: an erasure is
 * committed before its subject and platform id can be inserted again, so they are found here.
 */
async function storeNewcomer(database: Database, identity: Identity, now: number) {
  const former = await formerSelves(database.prisma, identity);
  if (former.length === 0) {
    await database.changes.writing(['Player'], () => insertPlayer(database.prisma, identity, now));
    return;
  }
  await inTransaction(database, ['Player'], async (tx) =>
    inheritSanctions(tx, await insertPlayer(tx, identity, now), former, now),
  );
}

/** @returns false, without a change, when a newer token was stored meanwhile, or the person was erased */
async function storeChange(db: Db, playerGuid: string, change: IdentityChange): Promise<boolean> {
  const { providerRoles, tokenIssuedAt, ...rest } = change;
  const issuedAt = new Date(tokenIssuedAt);
  const { count } = await db.player.updateMany({
    where: { playerGuid, erasedAt: null, tokenIssuedAt: { lte: issuedAt } },
    data: { ...rest, ...(providerRoles && { providerRoles: [...providerRoles] }), tokenIssuedAt: issuedAt },
  });
  return count === 1;
}

/**
 * Stores a change. During a ban the platform id stays, so that no second account can take it. The lock waits for a ban
 * that is being stored.
 */
const changePlayer = (
  database: Database,
  { playerGuid, subject, platformId: known }: KnownPlayer,
  change: IdentityChange,
  now: number,
): Promise<boolean> =>
  change.platformId === undefined
    ? database.changes.writing(['Player'], () => storeChange(database.prisma, playerGuid, change))
    : inTransaction(database, ['Player'], async (tx) => {
        await lockPlayers(tx, [playerGuid]);
        const { platformId = null, ...rest } = change;
        if (known !== null && (await activeBan(tx, playerGuid, now)) !== null)
          return storeChange(tx, playerGuid, rest);
        const isStored = await storeChange(tx, playerGuid, { platformId, ...rest });
        const former = await formerSelves(tx, { subject, platformId });
        if (isStored && former.length > 0) await inheritSanctions(tx, playerGuid, former, now);
        return isStored;
      });

/** Attempts after a concurrent login of the same person. */
const ATTEMPTS = 5;

/**
 * The player of a token subject. The first login inserts the row; later logins update name, avatar, platform id and roles
 * from the token that was issued last. The same token again writes nothing.
 * @param now milliseconds since 1970
 * @param read what {@link playerOfSubject} has just returned; left out: it is read here
 * @param mayInsert false for a token of a login, whose player is there unless the person was erased
 * @throws PLATFORM_ID_TAKEN, without a change, when the platform id belongs to another subject
 * @throws PLAYER_NOT_FOUND when there is none and none may be inserted
 */
export async function ensurePlayer(
  database: Database,
  identity: Identity,
  now: number,
  read?: KnownPlayer | null,
  mayInsert = true,
): Promise<KnownPlayer> {
  const { subject, platformId } = identity;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const known = attempt === 1 && read !== undefined ? read : await playerOfSubject(database, subject, now);
    if (known === null && !mayInsert) throw playerErrors.PLAYER_NOT_FOUND();
    if (platformId !== null && platformId !== known?.platformId) {
      const owner = await ownerOfPlatformId(database.prisma, platformId);
      if (owner !== null && owner.subject !== subject) throw playerErrors.PLATFORM_ID_TAKEN();
    }
    const change = known && changeOf(known, identity);
    if (known !== null && change === null) return known;
    try {
      if (known === null || change === null) await storeNewcomer(database, identity, now);
      else if (!(await changePlayer(database, known, change, now))) continue;
      const stored = await playerOfSubject(database, subject, now);
      if (stored !== null) return stored;
      // Erased meanwhile: the next attempt decides anew.
    } catch (error) {
      // Two logins at the same moment with one subject or one platform id: the unique indexes let one through, and the
      // other reads its result in the next attempt.
      if (attempt === ATTEMPTS || !isCollision(error)) throw error;
    }
  }
  throw new Error('Too many concurrent logins of one person.');
}

export type StoredPlayer = Prisma.PlayerGetPayload<object>;

/** The player of a platform id. */
export const ownerOfPlatformId = (db: Db, platformId: string) =>
  db.player.findUnique({ where: { platformId } });

/** The public view of players, by `playerGuid`. Unknown ones are left out. */
export async function playersByGuid(db: Db, playerGuids: readonly string[]) {
  const rows = await db.player.findMany({
    where: { playerGuid: { in: [...playerGuids] } },
    select: { playerGuid: true, platformId: true, username: true, avatarUrl: true, erasedAt: true },
  });
  return new Map(rows.map((row) => [row.playerGuid, shownPlayer(row)]));
}

/** A player as stored; null when there is none. */
export const findPlayer = (db: Db, playerGuid: string) => db.player.findUnique({ where: { playerGuid } });

const PATTERN_CHARACTERS = /[\\%_]/g;
/** Characters of the longest parts of names in the index. */
const LONGEST_PART = 3;

/**
 * Players in the order of name and id, from a keyset on.
 * @param query part of a name in any case, or a whole platform id.
 */
export function searchPlayers(
  db: Db,
  query: string | undefined,
  after: readonly [username: string, playerGuid: string] | undefined,
  limit: number,
): Promise<(Player & { joinedAt: Date })[]> {
  const page = (...conditions: Prisma.Sql[]) => Prisma.sql`
    SELECT "playerGuid"::text, "platformId", "username", "avatarUrl", "joinedAt" FROM "Player"
    WHERE ${Prisma.join([Prisma.sql`"erasedAt" IS NULL`, ...conditions], ' AND ')}
    ORDER BY "username", "Player"."playerGuid" LIMIT ${limit}`;
  const following =
    after === undefined ? [] : [Prisma.sql`("username", "playerGuid") > (${after[0]}, ${after[1]}::uuid)`];
  if (query === undefined) return db.$queryRaw(page(...following));

  const pattern = `%${query.replace(PATTERN_CHARACTERS, '\\$&')}%`;
  // A text of three characters or more is looked up by its parts of three, because fewer names have them. When the statistics
  // say that many names have these parts, PostgreSQL reads the players in order instead, until the page is full.
  const parts =
    [...query].length < LONGEST_PART
      ? Prisma.sql`ARRAY[lower(${query})]`
      : Prisma.sql`"trigramsOf"(${query})`;
  const named = Prisma.sql`"partsOf"("username") @> ${parts} AND "username" ILIKE ${pattern}`;
  return db.$queryRaw`
    (${page(named, ...following)}) UNION (${page(Prisma.sql`"platformId" = ${query}`, ...following)})
    ORDER BY "username", "playerGuid" LIMIT ${limit}`;
}

/**
 * Locks these players FOR NO KEY UPDATE, in one order so that two transactions cannot deadlock: queueing, pairing
 * and taking over a connection are decided one after the other.
 */
export async function lockPlayers(db: Db, playerGuids: readonly string[]) {
  await db.$queryRaw`
    SELECT 1 FROM "Player" WHERE "playerGuid" = ANY(${[...playerGuids]}::uuid[])
    ORDER BY "playerGuid" FOR NO KEY UPDATE`;
}
