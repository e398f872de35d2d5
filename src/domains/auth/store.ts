import type { Db } from '../../platform/database/database.ts';
import { lockNames } from '../../platform/database/locks.ts';

/** The provider's key document as last fetched well from this address. */
export async function loadKeyDocument(
  db: Db,
  publicKeyUrl: string,
): Promise<{ body: string; fetchedAt: number } | null> {
  const stored = await db.identityKeySet.findUnique({ where: { publicKeyUrl } });
  return stored && { body: stored.body, fetchedAt: stored.fetchedAt.getTime() };
}

export async function saveKeyDocument(
  db: Db,
  document: { publicKeyUrl: string; body: string; fetchedAt: number },
): Promise<void> {
  const { publicKeyUrl, body } = document;
  const fetchedAt = new Date(document.fetchedAt);
  await db.identityKeySet.upsert({
    where: { publicKeyUrl },
    create: { publicKeyUrl, body, fetchedAt },
    update: { body, fetchedAt },
  });
}

/** Of a refused pair of platform id and subject the audit log is told once in this time. */
const TOLD_AGAIN_MS = 24 * 3_600_000;
/** Subjects in this time that it is told of for one platform id. */
const MOST_TOLD = 10;

/**
 * Whether the audit log is to be told that a platform id was refused to a subject: once a day for each, of ten
 * subjects a day for one platform id. Whoever comes first writes that down; call it in the transaction of the entry.
 * @param at milliseconds since 1970
 */
export async function takeRefusal(
  db: Db,
  { platformId, subject, at }: { platformId: string; subject: string; at: number },
): Promise<boolean> {
  await lockNames(db, `platform id ${platformId}`);
  await db.platformIdRefusal.deleteMany({
    where: { platformId, loggedAt: { lte: new Date(at - TOLD_AGAIN_MS) } },
  });
  const told = await db.platformIdRefusal.findMany({ where: { platformId }, select: { subject: true } });
  if (told.length >= MOST_TOLD || told.some((one) => one.subject === subject)) return false;
  await db.platformIdRefusal.create({ data: { platformId, subject, loggedAt: new Date(at) } });
  return true;
}

/** Whether {@link takeRefusal} would say no: asked first, since a plugin tries again every second. */
export async function isRefusalTold(
  db: Db,
  { platformId, subject, at }: { platformId: string; subject: string; at: number },
): Promise<boolean> {
  const told = await db.platformIdRefusal.findMany({
    where: { platformId, loggedAt: { gt: new Date(at - TOLD_AGAIN_MS) } },
    select: { subject: true },
  });
  return told.length >= MOST_TOLD || told.some((one) => one.subject === subject);
}
