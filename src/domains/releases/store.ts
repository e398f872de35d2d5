import type { Db, Prisma } from '../../platform/database/database.ts';
import { lockNames } from '../../platform/database/locks.ts';

export type StoredRelease = Prisma.PluginReleaseGetPayload<object>;

/** The release that is served for each game version. */
export const loadServed = (db: Db) => db.pluginRelease.findMany({ where: { servedUntil: null } });

export const servedFor = (db: Db, gameVersion: string) =>
  db.pluginRelease.findFirst({ where: { gameVersion, servedUntil: null } });

/** All releases of a game version, newest upload first. */
export const loadPublished = (db: Db, gameVersion: string, page: { after?: string; limit?: number } = {}) =>
  db.pluginRelease.findMany({
    where: { gameVersion, releaseGuid: { lt: page.after } },
    orderBy: { releaseGuid: 'desc' },
    take: page.limit,
  });

/** Stores that an upload begins, before its first byte is written. */
export async function beginUpload(db: Db, releaseGuid: string, at: number) {
  await db.releaseUpload.create({ data: { releaseGuid, startedAt: new Date(at) } });
}

/** Ends uploads: their files have releases, or were removed. */
export async function endUploads(db: Db, releaseGuids: readonly string[]) {
  await db.releaseUpload.deleteMany({ where: { releaseGuid: { in: [...releaseGuids] } } });
}

/** Names of files whose upload began before this time and that have no release. */
export async function uploadsBefore(db: Db, at: number) {
  const rows = await db.releaseUpload.findMany({ where: { startedAt: { lt: new Date(at) } } });
  return rows.map((row) => row.releaseGuid);
}

/** Serialises changes of the served release of a game version until the end of the transaction. */
export const lockGameVersion = (db: Db, gameVersion: string) => lockNames(db, `release ${gameVersion}`);

export async function addRelease(db: Db, release: StoredRelease) {
  await db.pluginRelease.create({ data: release });
}

export async function endServing(db: Db, releaseGuid: string, servedUntil: Date) {
  await db.pluginRelease.update({ where: { releaseGuid }, data: { servedUntil } });
}

export async function serveAgain(db: Db, releaseGuid: string, servedFrom: Date) {
  await db.pluginRelease.update({ where: { releaseGuid }, data: { servedFrom, servedUntil: null } });
}
