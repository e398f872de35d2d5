import type { Db } from '../../platform/database/database.ts';
import { inForce } from './bans-store.ts';
import type { Role } from './schemas.ts';

/** The roles of a player that were granted here. */
export const grantsOf = (db: Db, playerGuid: string) =>
  db.roleGrant.findMany({ where: { playerGuid }, orderBy: { role: 'asc' } });

/**
 * Serialises changes of admins until the end of the transaction: of two admins who revoke or ban each other at the same
 * moment, the second must see the change of the first. Readers do not wait.
 */
export async function lockGrants(db: Db) {
  await db.$executeRaw`LOCK TABLE "RoleGrant" IN SHARE ROW EXCLUSIVE MODE`;
}

export async function changeGrants(
  db: Db,
  playerGuid: string,
  { grant, revoke }: { grant: readonly Role[]; revoke: readonly Role[] },
  by: { grantedByGuid: string; grantedAt: Date },
) {
  await db.roleGrant.deleteMany({ where: { playerGuid, role: { in: [...revoke] } } });
  await db.roleGrant.createMany({ data: grant.map((role) => ({ playerGuid, role, ...by })) });
}

/**
 * Whether another player who is not banned is an admin: by the configuration, by a grant or by the last token of the
 * provider.
 * @param adminSubjects subjects of the configuration, also those who never logged in
 */
export async function hasOtherAdmin(
  db: Db,
  { playerGuid, subject }: { playerGuid: string; subject: string | null },
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
      erasedAt: null,
      bans: { none: inForce(now) },
      OR: [{ providerRoles: { has: 'role:admin' } }, { roleGrants: { some: { role: 'role:admin' } } }],
    },
    select: { playerGuid: true },
  });
  return other !== null;
}
