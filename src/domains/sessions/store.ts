import { type Db, Prisma } from '../../platform/database/database.ts';
import { expiryOf } from '../../platform/database/expiry.ts';

export interface PendingLogin {
  stateHash: string;
  verifierHash: string;
  returnTo: string;
  /** Milliseconds since 1970, as all times in this file. */
  expiresAt: number;
}

export async function insertPendingLogin(db: Db, login: PendingLogin): Promise<void> {
  await db.pendingLogin.create({ data: { ...login, expiresAt: new Date(login.expiresAt) } });
}

/**
 * Takes a login. Of two callbacks with one `state` only one gets it; a callback from another browser leaves it in
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
export interface StoredSession {
  sessionGuid: string;
  tokenHash: string;
  playerGuid: string;
  startedAt: number;
  endsAt: number;
  accessToken: string;
  refreshToken: string | null;
  accessExpiresAt: number;
  renewAt: number;
  version: number;
  /** Milliseconds since 1970, or 0. */
  renewalHeldUntil: number;
  renewalFailed: boolean;
}

type SessionRow = Prisma.LoginSessionGetPayload<object>;

const fromRow = (row: SessionRow): StoredSession => ({
  ...row,
  startedAt: row.startedAt.getTime(),
  endsAt: row.endsAt.getTime(),
  accessExpiresAt: row.accessExpiresAt.getTime(),
  renewAt: row.renewAt.getTime(),
  renewalHeldUntil: row.renewalHeldUntil?.getTime() ?? 0,
});

export async function insertSession(
  db: Db,
  session: Omit<StoredSession, 'version' | 'renewalHeldUntil' | 'renewalFailed'>,
): Promise<void> {
  await db.loginSession.create({
    data: {
      ...session,
      startedAt: new Date(session.startedAt),
      endsAt: new Date(session.endsAt),
      accessExpiresAt: new Date(session.accessExpiresAt),
      renewAt: new Date(session.renewAt),
      version: 1,
    },
  });
}

/** Ends all but the newest sessions of a player. */
export async function trimSessions(db: Db, playerGuid: string, most: number): Promise<void> {
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
export async function findSession(
  db: Db,
  tokenHashes: readonly string[],
  now: number,
): Promise<StoredSession | null> {
  const row = await db.loginSession.findFirst({
    where: { tokenHash: { in: [...tokenHashes] }, endsAt: { gt: new Date(now) } },
  });
  return row && fromRow(row);
}

export async function readSession(db: Db, sessionGuid: string): Promise<StoredSession | null> {
  const row = await db.loginSession.findUnique({ where: { sessionGuid } });
  return row && fromRow(row);
}

/** Extends a session and stores its tokens under the newest key. Does nothing when the tokens changed meanwhile. */
export async function noteUse(
  db: Db,
  { sessionGuid, version }: StoredSession,
  change: Pick<StoredSession, 'tokenHash' | 'endsAt' | 'accessToken' | 'refreshToken'>,
): Promise<void> {
  await db.loginSession.updateMany({
    where: { sessionGuid, version },
    data: { ...change, endsAt: new Date(change.endsAt) },
  });
}

/**
 * Takes the lease to renew a session's tokens: one holder at a time over all nodes.
 * @returns false when another holder has it, has just failed, or has renewed already
 */
export async function claimRenewal(
  db: Db,
  { sessionGuid, version }: StoredSession,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const free = [{ renewalHeldUntil: null }, { renewalHeldUntil: { lte: new Date(now) } }];
  const { count } = await db.loginSession.updateMany({
    where: { sessionGuid, version, OR: free },
    data: { renewalHeldUntil: new Date(until), renewalFailed: false },
  });
  return count === 1;
}

/** Refuses the lease until `until`. */
export async function noteFailedRenewal(
  db: Db,
  { sessionGuid, version }: StoredSession,
  until: number,
): Promise<void> {
  await db.loginSession.updateMany({
    where: { sessionGuid, version },
    data: { renewalHeldUntil: new Date(until), renewalFailed: true },
  });
}

export async function saveTokens(
  db: Db,
  { sessionGuid, version }: StoredSession,
  tokens: Pick<StoredSession, 'accessToken' | 'refreshToken' | 'accessExpiresAt' | 'renewAt' | 'endsAt'>,
): Promise<void> {
  await db.loginSession.updateMany({
    where: { sessionGuid, version },
    data: {
      ...tokens,
      accessExpiresAt: new Date(tokens.accessExpiresAt),
      renewAt: new Date(tokens.renewAt),
      endsAt: new Date(tokens.endsAt),
      version: version + 1,
      renewalHeldUntil: null,
      renewalFailed: false,
    },
  });
}

/** Ends a session whose tokens are refused, unless they were renewed meanwhile. */
export async function endSession(db: Db, { sessionGuid, version }: StoredSession): Promise<void> {
  await db.loginSession.deleteMany({ where: { sessionGuid, version } });
}

/** Ends the session of a cookie. */
export async function endSessionOf(db: Db, tokenHashes: readonly string[]): Promise<void> {
  await db.loginSession.deleteMany({ where: { tokenHash: { in: [...tokenHashes] } } });
}

export async function endSessionsOfPlayer(db: Db, playerGuid: string): Promise<void> {
  await db.loginSession.deleteMany({ where: { playerGuid } });
}

/** Removes logins that nobody finished in time, and sessions that have ended. */
export const expirePendingLogins = expiryOf('PendingLogin', 'expiresAt');
export const expireSessions = expiryOf('LoginSession', 'endsAt');
