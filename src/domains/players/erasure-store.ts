import { createHmac, randomBytes } from 'node:crypto';
import { newGuid } from '../../platform/clock.ts';
import { type Db, Prisma } from '../../platform/database/database.ts';
import type { Expiry } from '../../platform/database/expiry.ts';
import { statement } from '../../platform/database/statement.ts';
import { type Ban, inForce } from './bans-store.ts';
import type { Player } from './schemas.ts';

/**
 * People who were erased. Their row stays without personal data, because matches and ratings name its guid. A ban or a penalty
 * goes on to count for a person who signs in with the same subject or platform id: both are kept as keyed hashes.
 */

/** How an erased person is shown. */
export const ERASED = { username: 'Erased player', platformId: '0', avatarUrl: null } as const;

/** The public view of a stored player. */
export const shownPlayer = ({ erasedAt, ...row }: Player & { erasedAt: Date | null }): Player =>
  erasedAt === null ? row : { ...row, ...ERASED };

/** A subject or platform id as a hash. The purpose keeps an equal subject and platform id apart. */
const hashOf = (key: Uint8Array, purpose: 'subject' | 'platform id', text: string) =>
  Uint8Array.from(createHmac('sha256', key).update(`${purpose} ${text}`).digest());

interface Identity {
  subject: string;
  platformId: string | null;
}

/**
 * Erases a person, whose row is locked and who was not erased before.
 * @param at milliseconds since 1970
 */
export async function erasePlayer(db: Db, playerGuid: string, { subject, platformId }: Identity, at: number) {
  const sanctions =
    (await db.ban.count({ where: { playerGuid, ...inForce(at) } })) +
    (await db.penalty.count({ where: { playerGuid } }));
  if (sanctions > 0) {
    // This player has copies of the bans and penalties of these former selves, so their hashes are not needed any more.
    const replaced = (await recognised(db, { subject, platformId })).filter(
      (row) => row.isOfSubject && (row.isOfPlatformId || row.platformIdHash === null),
    );
    await db.erasedIdentity.deleteMany({
      where: { playerGuid: { in: replaced.map((row) => row.playerGuid) } },
    });
    const key = randomBytes(32);
    const subjectHash = hashOf(key, 'subject', subject);
    const platformIdHash = platformId === null ? null : hashOf(key, 'platform id', platformId);
    await db.erasedIdentity.create({ data: { playerGuid, key, subjectHash, platformIdHash } });
  }
  await db.roleGrant.deleteMany({ where: { playerGuid } });
  const gone = { subject: null, platformId: null, username: ERASED.username, avatarUrl: null };
  await db.player.update({
    where: { playerGuid },
    data: { ...gone, providerRoles: [], tokenIssuedAt: new Date(at), erasedAt: new Date(at) },
  });
}

/** The rows of erased players with this subject or platform id. */
async function recognised(db: Db, { subject, platformId }: Identity) {
  const isSame = (known: Uint8Array | null, hash: Uint8Array) =>
    known !== null && Buffer.compare(known, hash) === 0;
  return (await db.erasedIdentity.findMany())
    .map(({ key, subjectHash, platformIdHash, playerGuid }) => ({
      playerGuid,
      platformIdHash,
      isOfSubject: isSame(subjectHash, hashOf(key, 'subject', subject)),
      isOfPlatformId: platformId !== null && isSame(platformIdHash, hashOf(key, 'platform id', platformId)),
    }))
    .filter(({ isOfSubject, isOfPlatformId }) => isOfSubject || isOfPlatformId);
}

/** The erased players that were this person, among those whose hashes are stored. */
export const formerSelves = async (db: Db, identity: Identity): Promise<string[]> =>
  (await recognised(db, identity)).map(({ playerGuid }) => playerGuid);

/** Copies the bans in force and the penalties of former selves to a player, without those that were copied before. */
export async function inheritSanctions(db: Db, playerGuid: string, former: readonly string[], now: number) {
  const of = { playerGuid: { in: [...former] } };
  const key = (ban: { reason: string; createdAt: Date }) => `${ban.createdAt.getTime()} ${ban.reason}`;
  const own = new Set((await db.ban.findMany({ where: { playerGuid } })).map(key));
  // Each of several former selves has its own copy of one ban.
  const inherited = new Map(
    (await db.ban.findMany({ where: { ...of, ...inForce(now) } })).map((ban) => [key(ban), ban]),
  );
  const bans = [...inherited].flatMap(([which, ban]) => (own.has(which) ? [] : [ban]));
  await db.ban.createMany({ data: bans.map((ban) => ({ ...ban, banGuid: newGuid(), playerGuid })) });
  const penalties = await db.penalty.findMany({ where: of });
  await db.penalty.createMany({
    data: penalties.map((penalty) => ({ ...penalty, penaltyGuid: newGuid(), playerGuid })),
    // One for each match and player.
    skipDuplicates: true,
  });
}

/** Lifts the copies of a lifted ban that former selves have: another erasure would bring it back. */
export async function liftCopies(
  db: Db,
  { playerGuid, reason, createdAt, createdByGuid }: Ban,
  by: { liftedByGuid: string; liftedAt: Date },
) {
  const player = await db.player.findUnique({ where: { playerGuid } });
  if (player === null || player.subject === null) return;
  const { subject, platformId } = player;
  const former = await formerSelves(db, { subject, platformId });
  await db.ban.updateMany({
    where: { playerGuid: { in: former }, reason, createdAt, createdByGuid, liftedAt: null },
    data: by,
  });
}

/** Locks a person FOR UPDATE: nobody signs in, queues, is paired or publishes a replay as this player meanwhile. */
export async function lockPerson(db: Db, playerGuid: string) {
  await db.$queryRaw`SELECT 1 FROM "Player" WHERE "playerGuid" = ${playerGuid}::uuid FOR UPDATE`;
}

/**
 * Keeps a person from being erased until the end of the transaction.
 * @returns false when the person was erased
 */
export async function sharePlayer(db: Db, playerGuid: string): Promise<boolean> {
  const rows = await db.$queryRaw<{ erasedAt: Date | null }[]>`
    SELECT "erasedAt" FROM "Player" WHERE "playerGuid" = ${playerGuid}::uuid FOR KEY SHARE`;
  return rows.every(({ erasedAt }) => erasedAt === null);
}

/**
 * The condition that a person is one of these players, or may be: who was erased and comes back is another player, who
 * joined after the erasure.
 * @param others columns, or a query
 */
export const mayBe = (playerGuid: string, others: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM "Player" other, "Player" person
  WHERE other."playerGuid" IN (${others}) AND person."playerGuid" = ${playerGuid}::uuid
    AND (other."playerGuid" = person."playerGuid" OR other."erasedAt" <= person."joinedAt"))`;

/** Whether a person is one of these players, or may be. */
export async function mayBeAmong(db: Db, playerGuid: string, others: readonly string[]): Promise<boolean> {
  if (others.includes(playerGuid)) return true;
  const guids = Prisma.sql`SELECT unnest(${[...others]}::uuid[])`;
  const [row] = await db.$queryRaw<{ is: boolean }[]>`SELECT ${mayBe(playerGuid, guids)} AS "is"`;
  return row?.is ?? false;
}

/** Which of these players were erased. */
export async function erasedAmong(db: Db, playerGuids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.player.findMany({
    where: { playerGuid: { in: [...playerGuids] }, erasedAt: { not: null } },
    select: { playerGuid: true },
  });
  return new Set(rows.map(({ playerGuid }) => playerGuid));
}

/** The players who were erased since a time, milliseconds since 1970. */
export async function erasedSince(db: Db, since: number): Promise<string[]> {
  const rows = await db.player.findMany({
    where: { erasedAt: { gte: new Date(since) } },
    select: { playerGuid: true },
  });
  return rows.map(({ playerGuid }) => playerGuid);
}

/** Removes the hashes of people who have no ban in force and no stored penalty. */
export const expireErasedIdentities: Expiry = statement(
  'expire-ErasedIdentity',
  `DELETE FROM "ErasedIdentity" WHERE "playerGuid" = ANY(ARRAY(
     SELECT "playerGuid" FROM "ErasedIdentity" erased
     WHERE NOT EXISTS (SELECT FROM "Penalty" WHERE "Penalty"."playerGuid" = erased."playerGuid")
       AND NOT EXISTS (SELECT FROM "Ban" WHERE "Ban"."playerGuid" = erased."playerGuid"
         AND "liftedAt" IS NULL AND (until IS NULL OR until > $1::timestamptz))
     LIMIT $2::int FOR UPDATE SKIP LOCKED
   )) RETURNING 1`,
);
