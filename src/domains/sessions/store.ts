import { type Db, Prisma } from '../../platform/database/database.ts';
import { expiryOf } from '../../platform/database/expiry.ts';

export async function insertPendingLogin(db: Db, login: Prisma.PendingLoginGetPayload<object>) {
  await db.pendingLogin.create({ data: login });
}

/**
 * Takes a login. If two callbacks have the same `state`, only one gets it. A callback from another browser leaves it in
 * place.
 */
export async function takePendingLogin(
  db: Db,
  by: { stateHashes: readonly string[]; verifierHashes: readonly string[]; now: number },
): Promise<{ returnTo: string } | null> {
  const [taken] = await db.$queryRaw<{ returnTo: string }[]>`
    DELETE FROM "PendingLogin"
    WHERE "stateHash" IN (${Prisma.join(by.stateHashes)})
      AND "verifierHash" IN (${Prisma.join(by.verifierHashes)})
      AND "expiresAt" > ${new Date(by.now)}
    RETURNING "returnTo"`;
  return taken ?? null;
}

/** A session as stored: its tokens are encrypted. */
export type StoredSession = Prisma.LoginSessionGetPayload<object>;

export async function insertSession(
  db: Db,
  session: Omit<StoredSession, 'version' | 'renewalHeldUntil' | 'renewalFailed'>,
) {
  await db.loginSession.create({ data: { ...session, version: 1 } });
}

/** Ends all but the newest sessions of a player. */
export async function trimSessions(db: Db, playerGuid: string, most: number) {
  const kept = await db.loginSession.findMany({
    where: { playerGuid },
    select: { sessionGuid: true },
    orderBy: [{ startedAt: 'desc' }, { sessionGuid: 'desc' }],
    take: most,
  });
  await db.loginSession.deleteMany({
    where: { playerGuid, sessionGuid: { notIn: kept.map(({ sessionGuid }) => sessionGuid) } },
  });
}

/** The session of a cookie, unless it has ended. */
export const findSession = (db: Db, tokenHashes: string[], now: number) =>
  db.loginSession.findFirst({
    where: { tokenHash: { in: tokenHashes }, endsAt: { gt: new Date(now) } },
  });

export const readSession = (db: Db, sessionGuid: string) =>
  db.loginSession.findUnique({ where: { sessionGuid } });

/** Changes a session, unless a renewal of its tokens got further meanwhile. @returns whether it was changed */
export async function changeSession(
  db: Db,
  { sessionGuid, version }: StoredSession,
  data: Partial<StoredSession>,
  condition: Prisma.LoginSessionWhereInput = {},
) {
  const { count } = await db.loginSession.updateMany({ where: { sessionGuid, version, ...condition }, data });
  return count === 1;
}

/**
 * Takes the lease to renew a session's tokens: one holder at a time over all nodes. What an earlier holder still does has
 * no effect any more.
 * @param isOurs this node itself has the lease, and no longer uses it
 * @returns the session as it is held; null when another holder has it, has just failed, or has renewed already
 */
export async function claimRenewal(
  db: Db,
  session: StoredSession,
  { now, until, isOurs }: { now: number; until: number; isOurs: boolean },
): Promise<StoredSession | null> {
  const held = { renewalHeldUntil: new Date(until), renewalFailed: false, version: session.version + 1 };
  const isFree = { OR: [{ renewalHeldUntil: null }, { renewalHeldUntil: { lte: new Date(now) } }] };
  return (await changeSession(db, session, held, isOurs ? {} : isFree)) ? { ...session, ...held } : null;
}

/** Ends a session whose tokens are refused, unless another renewal began meanwhile. */
export async function endSession(db: Db, { sessionGuid, version }: StoredSession) {
  await db.loginSession.deleteMany({ where: { sessionGuid, version } });
}

/** Ends the session of a cookie. */
export async function endSessionOf(db: Db, tokenHashes: string[]) {
  await db.loginSession.deleteMany({ where: { tokenHash: { in: tokenHashes } } });
}

export async function endSessionsOfPlayer(db: Db, playerGuid: string) {
  await db.loginSession.deleteMany({ where: { playerGuid } });
}

/** When the logins of a player began and end, newest first. Those that have ended are left out. */
export const loginsOf = (db: Db, playerGuid: string, now: number) =>
  db.loginSession.findMany({
    where: { playerGuid, endsAt: { gt: new Date(now) } },
    orderBy: [{ startedAt: 'desc' }, { sessionGuid: 'desc' }],
    select: { startedAt: true, endsAt: true },
  });

/** Removes logins that were not finished in time, and sessions that have ended. */
export const expirePendingLogins = expiryOf('PendingLogin', 'expiresAt');
export const expireSessions = expiryOf('LoginSession', 'endsAt');
