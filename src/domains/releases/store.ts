import type { Db, Prisma } from '../../platform/database/database.ts';
import { lockNames } from '../../platform/database/locks.ts';

export interface StoredRelease {
  /** Also the name of its file. */
  releaseGuid: string;
  gameVersion: string;
  pluginVersion: string;
  fileName: string;
  /** Lower-case hexadecimal. */
  sha256: string;
  /** Bytes. */
  size: number;
  /** A `.minisig` file. */
  signature: string | null;
  /** Times in milliseconds since 1970. */
  uploadedAt: number;
  servedFrom: number;
  /** Null: it is served for its game version. */
  servedUntil: number | null;
}

const asRelease = (row: Prisma.PluginReleaseGetPayload<object>): StoredRelease => ({
  ...row,
  uploadedAt: row.uploadedAt.getTime(),
  servedFrom: row.servedFrom.getTime(),
  servedUntil: row.servedUntil?.getTime() ?? null,
});

/** The release that is served for each game version. */
export async function loadServed(db: Db): Promise<StoredRelease[]> {
  return (await db.pluginRelease.findMany({ where: { servedUntil: null } })).map(asRelease);
}

export async function servedFor(db: Db, gameVersion: string): Promise<StoredRelease | null> {
  const row = await db.pluginRelease.findFirst({ where: { gameVersion, servedUntil: null } });
  return row && asRelease(row);
}

/** All releases of a game version, newest upload first. */
export async function loadPublished(
  db: Db,
  gameVersion: string,
  page: { after?: string; limit?: number } = {},
): Promise<StoredRelease[]> {
  const rows = await db.pluginRelease.findMany({
    where: { gameVersion, ...(page.after !== undefined && { releaseGuid: { lt: page.after } }) },
    orderBy: { releaseGuid: 'desc' },
    take: page.limit,
  });
  return rows.map(asRelease);
}

/** Stores that an upload begins, before its first byte is written. */
export async function beginUpload(db: Db, releaseGuid: string, at: number): Promise<void> {
  await db.releaseUpload.create({ data: { releaseGuid, startedAt: new Date(at) } });
}

/** Ends an upload: its file has a release, or was removed. */
export async function endUpload(db: Db, releaseGuid: string): Promise<void> {
  await db.releaseUpload.deleteMany({ where: { releaseGuid } });
}

/** Names of files whose upload began before this time and that have no release. */
export async function uploadsBefore(db: Db, at: number): Promise<string[]> {
  const rows = await db.releaseUpload.findMany({ where: { startedAt: { lt: new Date(at) } } });
  return rows.map((row) => row.releaseGuid);
}

/** Serialises changes of the served release of a game version until the end of the transaction. */
export const lockGameVersion = (db: Db, gameVersion: string): Promise<void> =>
  lockNames(db, `release ${gameVersion}`);

export async function addRelease(db: Db, release: StoredRelease): Promise<void> {
  const { uploadedAt, servedFrom, servedUntil, ...rest } = release;
  await db.pluginRelease.create({
    data: {
      ...rest,
      uploadedAt: new Date(uploadedAt),
      servedFrom: new Date(servedFrom),
      servedUntil: servedUntil === null ? null : new Date(servedUntil),
    },
  });
}

export async function endServing(db: Db, releaseGuid: string, at: number): Promise<void> {
  await db.pluginRelease.update({ where: { releaseGuid }, data: { servedUntil: new Date(at) } });
}

export async function serveAgain(db: Db, releaseGuid: string, at: number): Promise<void> {
  await db.pluginRelease.update({
    where: { releaseGuid },
    data: { servedFrom: new Date(at), servedUntil: null },
  });
}
