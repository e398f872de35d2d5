import { type Clock, isoTime } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { decodeCursor, type PageQuery, toPage } from '../../platform/http/schemas.ts';
import { type Change, requireCurrent } from '../../platform/http/staff.ts';
import { recordAudit } from '../audit/index.ts';
import * as banStore from './bans-store.ts';
import { playerErrors } from './errors.ts';
import { decideRoles } from './rules.ts';
import {
  type BanBody,
  cursorOfBans,
  cursorOfPlayers,
  type HeldRole,
  type HeldRoles,
  type PlayerQuery,
  ROLES,
  type Role,
} from './schemas.ts';
import * as store from './store.ts';

export interface PlayersOptions {
  database: Database;
  clock: Clock;
  /** Subjects that are admins by configuration. */
  adminSubjects: readonly string[];
  /** Told after a change of roles is stored. */
  onRolesChanged(): void;
  /** Told after a ban is stored: ends the player's connection, queue entry and match. */
  onBanned(playerGuid: string, ban: { reason: string; until: number | null }): Promise<void>;
}

export type Players = ReturnType<typeof createService>;

const iso = (time: Date | null): string | null => time && isoTime(time.getTime());

const presentBan = (ban: banStore.Ban) => ({
  banGuid: ban.banGuid,
  playerGuid: ban.playerGuid,
  reason: ban.reason,
  until: iso(ban.until),
  createdAt: isoTime(ban.createdAt.getTime()),
  createdBy: ban.createdByGuid,
  liftedAt: iso(ban.liftedAt),
  liftedBy: ban.liftedByGuid,
});

/** What staff and everybody may do with the list of players. */
export function createService(options: PlayersOptions) {
  const { database, clock, adminSubjects, onRolesChanged, onBanned } = options;
  const db = database.prisma;

  async function existing(at: Db, playerGuid: string): Promise<store.StoredPlayer> {
    const found = await store.findPlayer(at, playerGuid);
    if (found === null) throw playerErrors.PLAYER_NOT_FOUND();
    return found;
  }

  async function existingBan(at: Db, playerGuid: string, banGuid: string): Promise<banStore.Ban> {
    const found = await banStore.findBan(at, playerGuid, banGuid);
    if (found === null) throw playerErrors.BAN_NOT_FOUND();
    return found;
  }

  async function rolesOf(at: Db, playerGuid: string): Promise<HeldRoles> {
    const { subject, providerRoles } = await existing(at, playerGuid);
    const fromElsewhere = (source: 'provider' | 'configuration') => (role: Role) => ({
      role,
      source,
      grantedBy: null,
      grantedAt: null,
    });
    const roles: HeldRole[] = [
      ...ROLES.filter((role) => providerRoles.includes(role)).map(fromElsewhere('provider')),
      ...(adminSubjects.includes(subject) ? [fromElsewhere('configuration')('role:admin')] : []),
      ...(await store.grantsOf(at, playerGuid)).map(({ role, grantedByGuid, grantedAt }) => ({
        role,
        source: 'granted' as const,
        grantedBy: grantedByGuid,
        grantedAt: isoTime(grantedAt.getTime()),
      })),
    ];
    return { playerGuid, roles };
  }

  return {
    /** @throws PLAYER_NOT_FOUND */
    profile: async (playerGuid: string) => {
      const { username, avatarUrl, joinedAt } = await existing(db, playerGuid);
      return { playerGuid, username, avatarUrl, joinedAt: isoTime(joinedAt.getTime()) };
    },

    /** Players by name, a page at a time. */
    search: async ({ query, limit, cursor }: PlayerQuery) => {
      const after = cursor === undefined ? undefined : decodeCursor(cursor, cursorOfPlayers);
      const rows = await store.searchPlayers(db, { query, after, limit: limit + 1 });
      const { items, nextCursor } = toPage(rows, limit, (row) => [row.username, row.playerGuid]);
      return {
        items: items.map((row) => ({ ...row, joinedAt: isoTime(row.joinedAt.getTime()) })),
        nextCursor,
      };
    },

    /** Every role with where it comes from. @throws PLAYER_NOT_FOUND */
    roles: (playerGuid: string) => rolesOf(db, playerGuid),

    /**
     * Sets the roles granted here; those from elsewhere stay.
     * @throws PLAYER_NOT_FOUND, STALE, LAST_ADMIN, ROLE_NOT_GRANTED_HERE
     */
    setRoles: async (change: Change, playerGuid: string, wanted: readonly Role[]): Promise<HeldRoles> => {
      const held = await inTransaction(database, async (tx) => {
        const { actorGuid } = change;
        await store.lockGrants(tx);
        const before = await rolesOf(tx, playerGuid);
        requireCurrent(change, before);
        const at = clock.now();
        const otherAdmins = await store.hasOtherAdmin(tx, await existing(tx, playerGuid), adminSubjects, at);
        const decision = decideRoles(before.roles, wanted, otherAdmins);
        if ('refused' in decision) throw playerErrors[decision.refused]();
        if (decision.grant.length + decision.revoke.length === 0) return before;
        await store.changeGrants(tx, playerGuid, { ...decision, grantedByGuid: actorGuid, at });
        const after = await rolesOf(tx, playerGuid);
        await recordAudit(tx, {
          at,
          actorGuid,
          action: 'setRoles',
          target: `/players/${playerGuid}`,
          before: { roles: before.roles },
          after: { roles: after.roles },
        });
        return after;
      });
      onRolesChanged();
      return held;
    },

    /**
     * Bans a player until a time, or for good, and ends what they are in the middle of.
     * @throws PLAYER_NOT_FOUND, SELF_BAN, LAST_ADMIN, VALIDATION_FAILED (an end that is not in the future)
     */
    ban: async ({ actorGuid }: Change, playerGuid: string, { reason, until }: BanBody) => {
      if (playerGuid === actorGuid) throw playerErrors.SELF_BAN();
      const now = clock.now();
      const end = until === null ? null : new Date(until);
      if (end !== null && end.getTime() <= now) throw invalidField('until', 'must be in the future');
      const stored = await inTransaction(database, async (tx) => {
        // Whoever bans is an admin, but may lose that at the same moment: of two admins who ban each other the
        // second must see what the first did.
        await store.lockGrants(tx);
        const { roles } = await rolesOf(tx, playerGuid);
        const isAdmin = roles.some(({ role }) => role === 'role:admin');
        if (isAdmin && !(await store.hasOtherAdmin(tx, await existing(tx, playerGuid), adminSubjects, now)))
          throw playerErrors.LAST_ADMIN();
        // Whoever is being queued or paired is so before the ban, and loses that by it, or not at all.
        await store.lockPlayers(tx, [playerGuid]);
        const inserted = presentBan(
          await banStore.insertBan(tx, {
            playerGuid,
            reason,
            createdByGuid: actorGuid,
            createdAt: new Date(now),
            until: end,
          }),
        );
        await recordAudit(tx, {
          at: now,
          actorGuid,
          action: 'banPlayer',
          target: `/players/${playerGuid}/bans/${inserted.banGuid}`,
          before: null,
          after: inserted,
        });
        return inserted;
      });
      await onBanned(playerGuid, { reason, until: end?.getTime() ?? null });
      return stored;
    },

    /** All bans of a player, newest first. @throws PLAYER_NOT_FOUND */
    bans: async (playerGuid: string, { limit, cursor }: PageQuery) => {
      await existing(db, playerGuid);
      const before = cursor === undefined ? undefined : decodeCursor(cursor, cursorOfBans)[0];
      const rows = await banStore.bansOf(db, playerGuid, { before, limit: limit + 1 });
      const { items, nextCursor } = toPage(rows, limit, (row) => [row.banGuid]);
      return { items: items.map(presentBan), nextCursor };
    },

    /** @throws BAN_NOT_FOUND */
    readBan: async (playerGuid: string, banGuid: string) =>
      presentBan(await existingBan(db, playerGuid, banGuid)),

    /** Ends a ban now; lifting it again changes nothing. @throws BAN_NOT_FOUND, STALE */
    lift: (change: Change, playerGuid: string, banGuid: string): Promise<void> =>
      inTransaction(database, async (tx) => {
        const { actorGuid } = change;
        const before = await existingBan(tx, playerGuid, banGuid);
        // It changes once, and of two who lift it the update lets one: no lock is needed for the comparison.
        requireCurrent(change, presentBan(before));
        const liftedAt = new Date(clock.now());
        if (!(await banStore.liftBan(tx, banGuid, { liftedByGuid: actorGuid, liftedAt }))) return;
        await recordAudit(tx, {
          at: liftedAt.getTime(),
          actorGuid,
          action: 'liftBan',
          target: `/players/${playerGuid}/bans/${banGuid}`,
          before: presentBan(before),
          after: presentBan({ ...before, liftedByGuid: actorGuid, liftedAt }),
        });
      }),
  };
}
