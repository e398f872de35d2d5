import type { Db } from '../../platform/database/database.ts';
import { expiryOf } from '../../platform/database/expiry.ts';
import { lockNames } from '../../platform/database/locks.ts';

/** The last good key document of this address. */
export async function loadKeyDocument(db: Db, publicKeyUrl: string) {
  const stored = await db.identityKeySet.findUnique({ where: { publicKeyUrl } });
  return stored?.body ?? null;
}

/** @param at milliseconds since 1970 */
export async function saveKeyDocument(db: Db, publicKeyUrl: string, body: string, at: number) {
  const fetchedAt = new Date(at);
  await db.identityKeySet.upsert({
    where: { publicKeyUrl },
    create: { publicKeyUrl, body, fetchedAt },
    update: { body, fetchedAt },
  });
}

/** The refusal of a platform id to a subject is logged once in this time. */
export const PLATFORM_ID_REFUSAL_MS = 24 * 3_600_000;
/** Removes refusals that were logged before a time. */
export const expirePlatformIdRefusals = expiryOf('PlatformIdRefusal', 'loggedAt');
/** The most subjects that are logged for one platform id in this time. */
const MOST_LOGGED = 10;

interface Refusal {
  platformId: string;
  subject: string;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * Claims the audit entry of a refused platform id: one a day for each subject, of ten subjects a day for one platform id.
 * To be called in the transaction of the entry.
 * @returns whether the entry is to be written
 */
export async function takeRefusal(db: Db, refusal: Refusal) {
  const { platformId, subject, at } = refusal;
  await lockNames(db, `platform id ${platformId}`);
  await db.platformIdRefusal.deleteMany({
    where: { platformId, loggedAt: { lte: new Date(at - PLATFORM_ID_REFUSAL_MS) } },
  });
  if (await isRefusalLogged(db, refusal)) return false;
  await db.platformIdRefusal.create({ data: { platformId, subject, loggedAt: new Date(at) } });
  return true;
}

/** Whether {@link takeRefusal} would return false. Also asked without its lock, because a plugin tries again every second. */
export async function isRefusalLogged(db: Db, { platformId, subject, at }: Refusal) {
  const logged = await db.platformIdRefusal.findMany({
    where: { platformId, loggedAt: { gt: new Date(at - PLATFORM_ID_REFUSAL_MS) } },
    select: { subject: true },
  });
  return logged.length >= MOST_LOGGED || logged.some((one) => one.subject === subject);
}
