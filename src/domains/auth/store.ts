import type { Db } from '../../platform/database/database.ts';

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
