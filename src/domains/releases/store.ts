import type { Db } from '../../platform/database/database.ts';

export interface StoredRelease {
  gameVersion: string;
  pluginVersion: string;
  fileName: string;
  sha256: string;
  size: number;
  uploadedAt: number;
}

/** The release that is served for each game version. */
export async function loadReleases(db: Db): Promise<StoredRelease[]> {
  const rows = await db.pluginRelease.findMany();
  return rows.map((row) => ({ ...row, uploadedAt: row.uploadedAt.getTime() }));
}
