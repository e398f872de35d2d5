import { newGuid } from '../../platform/clock.ts';
import {
  type Database,
  type Db,
  inTransaction,
  isCollision,
  Prisma,
} from '../../platform/database/database.ts';
import { activeBan, inForce } from './bans-store.ts';
import { playerErrors } from './errors.ts';
import { changeOf, type Identity, type IdentityChange, type KnownPlayer } from './rules.ts';
import type { Player, Role } from './schemas.ts';

/** What somebody is called whose token names nobody. */
const NAMELESS = 'Player';

/** The player of a token subject with the roles granted here, or null: one statement, the hot path of a login. */
export async function playerOfSubject(db: Db, subject: string): Promise<KnownPlayer | null> {
  const [row] = await db.$queryRaw<(Omit<KnownPlayer, 'tokenIssuedAt'> & { tokenIssuedAt: Date })[]>`
    SELECT "playerGuid"::text, "subject", "platformId", "username", "avatarUrl", "providerRoles", "tokenIssuedAt",
      ARRAY(SELECT "role" FROM "RoleGrant" AS g WHERE g."playerGuid" = p."playerGuid") AS "grantedRoles"
    FROM "Player" AS p WHERE "subject" = ${subject}`;
  return row === undefined ? null : { ...row, tokenIssuedAt: row.tokenIssuedAt.getTime() };
}

/** The players of these subjects; whoever is not known is left out. */
export async function playersOfSubjects(db: Db, subjects: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ playerGuid: string }[]>`
    SELECT "playerGuid"::text FROM "Player" WHERE "subject" = ANY(${subjects}::text[])`;
  return rows.map((row) => row.playerGuid);
}

async function insertPlayer(db: Db, identity: Identity, now: number): Promise<void> {
  await db.player.create({
    data: {
      playerGuid: newGuid(),
      subject: identity.subject,
      platformId: identity.platformId,
      username: identity.username ?? NAMELESS,
      avatarUrl: identity.avatarUrl,
      joinedAt: new Date(now),
      providerRoles: [...(identity.providerRoles ?? [])],
      tokenIssuedAt: new Date(identity.issuedAt),
    },
  });
}

/** @returns false when a newer token was followed meanwhile: then nothing is stored */
async function storeChange(db: Db, playerGuid: string, change: IdentityChange): Promise<boolean> {
  const { providerRoles, tokenIssuedAt, ...rest } = change;
  const issuedAt = new Date(tokenIssuedAt);
  const { count } = await db.player.updateMany({
    where: { playerGuid, tokenIssuedAt: { lte: issuedAt } },
    data: { ...rest, ...(providerRoles && { providerRoles: [...providerRoles] }), tokenIssuedAt: issuedAt },
  });
  return count === 1;
}

/**
 * Moves a player to another platform id, unless a ban is in force: the id stays with whoever is banned, so no second
 * account can take it. A ban that is being stored is waited for.
 */
const changePlayer = (
  database: Pick<Database, 'prisma'>,
  { playerGuid, platformId: known }: KnownPlayer,
  change: IdentityChange,
  now: number,
): Promise<boolean> =>
  change.platformId === undefined || known === null
    ? storeChange(database.prisma, playerGuid, change)
    : inTransaction(database, async (tx) => {
        await lockPlayers(tx, [playerGuid]);
        const { platformId, ...rest } = change;
        const isBanned = (await activeBan(tx, playerGuid, now)) !== null;
        return storeChange(tx, playerGuid, isBanned ? rest : { platformId, ...rest });
      });

/** Races a person can lose against their own other logins before something else must be wrong. */
const ATTEMPTS = 5;

/** @throws PLATFORM_ID_TAKEN when the platform id that a token names belongs to another subject */
async function refuseTaken(db: Db, { subject, platformId }: Identity): Promise<void> {
  const owner = platformId === null ? null : await ownerOfPlatformId(db, platformId);
  if (owner !== null && owner.subject !== subject) throw playerErrors.PLATFORM_ID_TAKEN();
}

/**
 * The one player of a token subject, made on the first login and following the provider's name, avatar,
 * platform id and roles after that, as of the token issued last. A token is written down once, so that older ones
 * are known as such; the same again writes nothing.
 * @param now milliseconds since 1970.
 * @throws PLATFORM_ID_TAKEN when the platform id belongs to another subject; nothing is stored then.
 */
export async function ensurePlayer(
  database: Pick<Database, 'prisma'>,
  identity: Identity,
  now: number,
): Promise<KnownPlayer> {
  const db = database.prisma;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const known = await playerOfSubject(db, identity.subject);
    if (identity.platformId !== known?.platformId) await refuseTaken(db, identity);
    const change = known && changeOf(known, identity);
    if (known !== null && change === null) return known;
    try {
      if (known === null || change === null) await insertPlayer(db, identity, now);
      else if (!(await changePlayer(database, known, change, now))) continue;
      const stored = await playerOfSubject(db, identity.subject);
      if (stored !== null) return stored;
      throw new Error('A player vanished although players are never deleted.');
    } catch (error) {
      // Two first logins of one person, or two persons with one platform id, at the same moment: the unique
      // indexes let one through, and the next look tells what became of the other.
      if (attempt === ATTEMPTS || !isCollision(error)) throw error;
    }
  }
  throw new Error('The logins of one person do not come to an end.');
}

/** Whom a platform id belongs to. */
export const ownerOfPlatformId = (
  db: Db,
  platformId: string,
): Promise<{ playerGuid: string; subject: string } | null> =>
  db.player.findUnique({ where: { platformId }, select: { playerGuid: true, subject: true } });

const publicFields = { playerGuid: true, platformId: true, username: true, avatarUrl: true } as const;

/** These players as everybody sees them, by their id; unknown ones are left out. */
export async function playersByGuid(db: Db, playerGuids: readonly string[]): Promise<Map<string, Player>> {
  const rows = await db.player.findMany({
    where: { playerGuid: { in: [...playerGuids] } },
    select: publicFields,
  });
  return new Map(rows.map((row) => [row.playerGuid, row]));
}

export interface StoredPlayer extends Player {
  subject: string;
  joinedAt: Date;
  providerRoles: string[];
}

export const findPlayer = (db: Db, playerGuid: string): Promise<StoredPlayer | null> =>
  db.player.findUnique({
    where: { playerGuid },
    select: { ...publicFields, subject: true, joinedAt: true, providerRoles: true },
  });

const PATTERN_CHARACTERS = /[\\%_]/g;
/** The index of names knows every three characters that follow each other. */
const TRIGRAM = 3;

/**
 * Players by name, then id, after the given ones.
 * @param query part of a name in any case, or a whole platform id.
 */
export async function searchPlayers(
  db: Db,
  search: {
    query: string | undefined;
    after: readonly [username: string, playerGuid: string] | undefined;
    limit: number;
  },
): Promise<(Player & { joinedAt: Date })[]> {
  const { query, after, limit } = search;
  const conditions = [Prisma.sql`TRUE`];
  if (query !== undefined) {
    const pattern = `%${query.replace(PATTERN_CHARACTERS, '\\$&')}%`;
    const named = Prisma.sql`"username" ILIKE ${pattern}`;
    const identified = Prisma.sql`"platformId" = ${query}`;
    conditions.push(
      // One or two characters are in so many names that a page of them is found by looking in their order.
      [...query].length < TRIGRAM
        ? Prisma.sql`(${named} OR ${identified})`
        : Prisma.sql`"playerGuid" IN (
            SELECT "playerGuid" FROM "Player" WHERE "trigramsOf"("username") @> "trigramsOf"(${query}) AND ${named}
            UNION SELECT "playerGuid" FROM "Player" WHERE ${identified})`,
    );
  }
  if (after !== undefined)
    conditions.push(Prisma.sql`("username", "playerGuid") > (${after[0]}, ${after[1]}::uuid)`);
  return db.$queryRaw`
    SELECT "playerGuid"::text, "platformId", "username", "avatarUrl", "joinedAt" FROM "Player"
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY "username", "playerGuid" LIMIT ${limit}`;
}

/**
 * Locks these players FOR NO KEY UPDATE, in one order so that two transactions cannot deadlock: queueing, pairing
 * and taking over a connection are decided one after the other.
 */
export async function lockPlayers(db: Db, playerGuids: readonly string[]): Promise<void> {
  await db.$queryRaw`
    SELECT 1 FROM "Player" WHERE "playerGuid" = ANY(${[...playerGuids]}::uuid[])
    ORDER BY "playerGuid" FOR NO KEY UPDATE`;
}

export interface Grant {
  role: Role;
  grantedByGuid: string;
  grantedAt: Date;
}

export async function grantsOf(db: Db, playerGuid: string): Promise<Grant[]> {
  const rows = await db.roleGrant.findMany({
    where: { playerGuid },
    select: { role: true, grantedByGuid: true, grantedAt: true },
    orderBy: { role: 'asc' },
  });
  return rows as Grant[];
}

/**
 * Lets one change of who is an admin at a time through until the transaction ends: of two admins who revoke or
 * ban each other at the same moment, the second must see what the first did. Readers are not held up.
 */
export async function lockGrants(db: Db): Promise<void> {
  await db.$executeRaw`LOCK TABLE "RoleGrant" IN SHARE ROW EXCLUSIVE MODE`;
}

export async function changeGrants(
  db: Db,
  playerGuid: string,
  change: { grant: readonly Role[]; revoke: readonly Role[]; grantedByGuid: string; at: number },
): Promise<void> {
  await db.roleGrant.deleteMany({ where: { playerGuid, role: { in: [...change.revoke] } } });
  await db.roleGrant.createMany({
    data: change.grant.map((role) => ({
      playerGuid,
      role,
      grantedByGuid: change.grantedByGuid,
      grantedAt: new Date(change.at),
    })),
  });
}

/**
 * Whether anybody but this player is an admin: by the configuration, by a grant or, when last seen, by the
 * provider's word. Who is banned can do nothing, so they count for nobody.
 * @param adminSubjects of the configuration, whether they were here yet or not
 */
export async function hasOtherAdmin(
  db: Db,
  { playerGuid, subject }: Pick<StoredPlayer, 'playerGuid' | 'subject'>,
  adminSubjects: readonly string[],
  now: number,
): Promise<boolean> {
  const configured = adminSubjects.filter((admin) => admin !== subject);
  const banned = await db.player.count({
    where: { subject: { in: configured }, bans: { some: inForce(now) } },
  });
  if (new Set(configured).size > banned) return true;
  const other = await db.player.findFirst({
    where: {
      playerGuid: { not: playerGuid },
      bans: { none: inForce(now) },
      OR: [{ providerRoles: { has: 'role:admin' } }, { roleGrants: { some: { role: 'role:admin' } } }],
    },
    select: { playerGuid: true },
  });
  return other !== null;
}
