import type { TestDatabase } from './database.ts';

/** The outages a database knows of, in order; times in milliseconds since 1970. */
export async function outagesIn({ prisma }: Pick<TestDatabase, 'prisma'>) {
  const rows = await prisma.outage.findMany({ orderBy: { number: 'asc' } });
  return rows.map(({ number, since, until }) => ({
    number,
    since: since.getTime(),
    until: until.getTime(),
    downMs: until.getTime() - since.getTime(),
  }));
}

/** What the log of a match says it was given back. */
export async function givenBackTo({ prisma }: Pick<TestDatabase, 'prisma'>, matchGuid: string) {
  const lines = await prisma.matchEvent.findMany({ where: { matchGuid }, orderBy: { version: 'asc' } });
  return lines
    .map(({ event }) => event as unknown as { type: string; outage: number; downMs: number; until: number })
    .filter(({ type }) => type === 'serviceResumed')
    .map(({ outage, downMs, until }) => ({ outage, downMs, until }));
}
