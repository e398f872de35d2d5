import { expect } from 'vitest';
import type { TestDatabase } from './database.ts';

/** The outages in a database, in order; times in milliseconds since 1970. */
export async function outagesIn({ prisma }: Pick<TestDatabase, 'prisma'>) {
  const rows = await prisma.outage.findMany({ orderBy: { number: 'asc' } });
  return rows.map(({ number, since, until }) => ({
    number,
    since: since.getTime(),
    until: until.getTime(),
    downMs: until.getTime() - since.getTime(),
  }));
}

/** The outages that a match was given back, by its log. */
export async function givenBackTo({ prisma }: Pick<TestDatabase, 'prisma'>, matchGuid: string) {
  const lines = await prisma.matchEvent.findMany({ where: { matchGuid }, orderBy: { version: 'asc' } });
  return lines
    .map(({ event }) => event as unknown as { type: string; outage: number; downMs: number; until: number })
    .filter(({ type }) => type === 'serviceResumed')
    .map(({ outage, downMs, until }) => ({ outage, downMs, until }));
}

/** Makes the database say that no node was in service for so long, and waits until the running node knows of this outage. */
export async function loseTime(
  { prisma, pool }: Pick<TestDatabase, 'prisma' | 'pool'>,
  ms: number,
): Promise<void> {
  const number = (await prisma.serviceLife.findFirstOrThrow()).lastOutage + 1;
  await pool.query(
    `UPDATE "ServiceLife" SET "inServiceUntil" = "inServiceUntil" - $1::int * interval '1 millisecond'`,
    [ms],
  );
  await expect
    .poll(async () => {
      const found = await prisma.outage.findUnique({ where: { number } });
      const { inServiceUntil } = await prisma.serviceLife.findFirstOrThrow();
      // A heartbeat begins when the one before it is done, with what it has found.
      return found !== null && Number(inServiceUntil) > found.until.getTime();
    })
    .toBe(true);
}

/**
 * Waits until a node was in service after the match was made: an outage that begins now lies in the match as a whole.
 */
export async function inServiceSince(
  { prisma }: Pick<TestDatabase, 'prisma'>,
  matchGuid: string,
): Promise<void> {
  const { startedAt } = await prisma.match.findUniqueOrThrow({ where: { matchGuid } });
  await expect
    .poll(async () => {
      const life = await prisma.serviceLife.findUniqueOrThrow({ where: { id: 1 } });
      return Number(life.inServiceUntil);
    })
    .toBeGreaterThan(startedAt.getTime());
}
