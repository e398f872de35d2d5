import type { Db, Prisma } from '../../platform/database/database.ts';
import type { Season } from './schemas.ts';

const fromRow = ({ seasonGuid, name, startsAt, endsAt }: Prisma.SeasonGetPayload<object>): Season => ({
  seasonGuid,
  name,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt.toISOString(),
});

export async function findSeason(db: Db, seasonGuid: string) {
  const row = await db.season.findUnique({ where: { seasonGuid } });
  return row && fromRow(row);
}

/** The latest first. No two seasons start together, so the start alone is the keyset. */
export async function findSeasons(db: Db, startsBefore: string | undefined, limit: number) {
  const rows = await db.season.findMany({
    where: { startsAt: { lt: startsBefore } },
    orderBy: { startsAt: 'desc' },
    take: limit,
  });
  return rows.map(fromRow);
}

/** Reads the season and locks it FOR UPDATE. */
export async function lockSeason(db: Db, seasonGuid: string) {
  await db.$queryRaw`SELECT 1 FROM "Season" WHERE "seasonGuid" = ${seasonGuid}::uuid FOR UPDATE`;
  return findSeason(db, seasonGuid);
}

/** @throws a collision when the time is taken, see `isCollision` */
export async function insertSeason(db: Db, season: Season) {
  return fromRow(await db.season.create({ data: season }));
}

/** @throws a collision when the time is taken, see `isCollision` */
export async function updateSeason(db: Db, { seasonGuid, ...data }: Season) {
  return fromRow(await db.season.update({ where: { seasonGuid }, data }));
}
