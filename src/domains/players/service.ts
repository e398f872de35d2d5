import type { Clock } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { existing, invalidField } from '../../platform/errors.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import { requireCurrent, type WriteRequest } from '../../platform/http/staff.ts';
import { auditorOf, recordAudit } from '../audit/index.ts';
import * as banStore from './bans-store.ts';
import { liftCopies, shownPlayer } from './erasure-store.ts';
import { playerErrors } from './errors.ts';
import * as grants from './grants-store.ts';
import { decideRoles } from './rules.ts';
import {
  type BanBody,
  cursorOfBans,
  cursorOfPlayers,
  type HeldRole,
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
  /** Called after a change of roles is stored. */
  onRolesChanged(): void;
  /** Called after a ban is stored: ends the player's connection, queue entry and match. */
  onBanned(playerGuid: string, ban: { reason: string; until: number | null }): Promise<void>;
}

export type Players = ReturnType<typeof createService>;

const presentBan = (ban: banStore.Ban) => ({
  banGuid: ban.banGuid,
  playerGuid: ban.playerGuid,
  reason: ban.reason,
  until: ban.until?.toISOString() ?? null,
  createdAt: ban.createdAt.toISOString(),
  createdBy: ban.createdByGuid,
  liftedAt: ban.liftedAt?.toISOString() ?? null,
  liftedBy: ban.liftedByGuid,
});

/** Reads of players, and changes of their roles and bans by staff. */
export function createService(options: PlayersOptions) {
  const { database, clock, adminSubjects, onRolesChanged, onBanned } = options;
  const db = database.prisma;

  const auditBan = auditorOf<ReturnType<typeof presentBan>>(
    clock,
    ({ playerGuid, banGuid }) => `/players/${playerGuid}/bans/${banGuid}`,
  );

  const playerOf = async (at: Db, playerGuid: string) =>
    existing(await store.findPlayer(at, playerGuid), playerErrors.PLAYER_NOT_FOUND);

  const banOf = async (at: Db, playerGuid: string, banGuid: string) =>
    existing(await banStore.findBan(at, playerGuid, banGuid), playerErrors.BAN_NOT_FOUND);

  async function rolesOf(at: Db, { playerGuid, subject, providerRoles }: store.StoredPlayer) {
    const elsewhere = { grantedBy: null, grantedAt: null };
    const roles: HeldRole[] = [];
    for (const role of ROLES)
      if (providerRoles.includes(role)) roles.push({ role, source: 'provider', ...elsewhere });
    if (subject !== null && adminSubjects.includes(subject))
      roles.push({ role: 'role:admin', source: 'configuration', ...elsewhere });
    for (const { role, grantedByGuid, grantedAt } of await grants.grantsOf(at, playerGuid))
      roles.push({
        role: role as Role,
        source: 'granted',
        grantedBy: grantedByGuid,
        grantedAt: grantedAt.toISOString(),
      });
    return { playerGuid, roles };
  }

  /** A player who was not erased. Under the lock of grants, which an erasure takes too. @throws PLAYER_NOT_FOUND, PLAYER_ERASED */
  const presentPlayer = async (tx: Db, playerGuid: string) => {
    const player = await playerOf(tx, playerGuid);
    if (player.erasedAt !== null) throw playerErrors.PLAYER_ERASED();
    return player;
  };

  /** Under the lock of grants. @throws LAST_ADMIN */
  const refuseLastAdmin = async (tx: Db, player: store.StoredPlayer, now: number) => {
    const { roles } = await rolesOf(tx, player);
    const isAdmin = roles.some(({ role }) => role === 'role:admin');
    if (isAdmin && !(await grants.hasOtherAdmin(tx, player, adminSubjects, now)))
      throw playerErrors.LAST_ADMIN();
  };

  return {
    refuseLastAdmin,

    /** @throws PLAYER_NOT_FOUND */
    profile: async (playerGuid: string) => {
      const { username, avatarUrl, joinedAt } = await playerOf(db, playerGuid);
      return { playerGuid, username, avatarUrl, joinedAt: joinedAt.toISOString() };
    },

    /** The members of a player that staff see beside the profile. @throws PLAYER_NOT_FOUND */
    account: async (playerGuid: string) => {
      const stored = await playerOf(db, playerGuid);
      const { platformId } = shownPlayer(stored);
      return { playerGuid, platformId, erasedAt: stored.erasedAt?.toISOString() ?? null };
    },

    /** Players by name, a page at a time. */
    search: (query: PlayerQuery) =>
      readPage(
        query,
        cursorOfPlayers,
        async (after, limit) => {
          const rows = await store.searchPlayers(db, query.query, after, limit);
          return rows.map((row) => ({ ...row, joinedAt: row.joinedAt.toISOString() }));
        },
        ({ username, playerGuid }) => [username, playerGuid],
      ),

    /** All roles of a player with their sources. @throws PLAYER_NOT_FOUND */
    roles: async (playerGuid: string) => rolesOf(db, await playerOf(db, playerGuid)),

    /**
     * Sets the roles granted here. Roles of other sources stay.
     * @throws PLAYER_NOT_FOUND, PLAYER_ERASED, STALE, LAST_ADMIN, ROLE_NOT_GRANTED_HERE
     */
    setRoles: async (write: WriteRequest, playerGuid: string, wanted: readonly Role[]) => {
      const held = await inTransaction(database, [], async (tx) => {
        const { actorGuid } = write;
        await grants.lockGrants(tx);
        const player = await presentPlayer(tx, playerGuid);
        const before = await rolesOf(tx, player);
        requireCurrent(write, before);
        const at = clock.now();
        const otherAdmins = await grants.hasOtherAdmin(tx, player, adminSubjects, at);
        const decision = decideRoles(before.roles, wanted, otherAdmins);
        if ('refused' in decision) throw playerErrors[decision.refused]();
        if (decision.grant.length + decision.revoke.length === 0) return before;
        const by = { grantedByGuid: actorGuid, grantedAt: new Date(at) };
        await grants.changeGrants(tx, playerGuid, decision, by);
        const after = await rolesOf(tx, player);
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
     * Bans a player until a time or permanently, and ends their connection, queue entry and match.
     * @throws PLAYER_NOT_FOUND, PLAYER_ERASED, SELF_BAN, LAST_ADMIN, VALIDATION_FAILED (the end is not in the future)
     */
    ban: async ({ actorGuid }: WriteRequest, playerGuid: string, { reason, until }: BanBody) => {
      if (playerGuid === actorGuid) throw playerErrors.SELF_BAN();
      const now = clock.now();
      const end = until === null ? null : new Date(until);
      if (end !== null && end.getTime() <= now) throw invalidField('until', 'must be in the future');
      const stored = await inTransaction(database, [], async (tx) => {
        // If two admins ban each other at the same moment, the second must see the ban of the first.
        await grants.lockGrants(tx);
        await refuseLastAdmin(tx, await presentPlayer(tx, playerGuid), now);
        // Queueing and pairing take the same lock, so `onBanned` sees what they stored.
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
        await auditBan(tx, { actorGuid }, 'banPlayer', null, inserted);
        return inserted;
      });
      await onBanned(playerGuid, { reason, until: end?.getTime() ?? null });
      return stored;
    },

    /** All bans of a player, newest first. @throws PLAYER_NOT_FOUND */
    bans: async (playerGuid: string, query: PageQuery) => {
      await playerOf(db, playerGuid);
      return readPage(
        query,
        cursorOfBans,
        async (after, limit) => (await banStore.bansOf(db, playerGuid, after?.[0], limit)).map(presentBan),
        ({ banGuid }) => [banGuid],
      );
    },

    /** @throws BAN_NOT_FOUND */
    readBan: async (playerGuid: string, banGuid: string) => presentBan(await banOf(db, playerGuid, banGuid)),

    /** Ends a ban now. Lifting it again changes nothing. @throws BAN_NOT_FOUND, STALE */
    lift: (write: WriteRequest, playerGuid: string, banGuid: string) =>
      inTransaction(database, [], async (tx) => {
        const { actorGuid } = write;
        const before = await banOf(tx, playerGuid, banGuid);
        // Without a lock: a ban changes only once, and the update below lets one of two requests through.
        requireCurrent(write, presentBan(before));
        const lifted = { liftedByGuid: actorGuid, liftedAt: new Date(clock.now()) };
        if (!(await banStore.liftBan(tx, banGuid, lifted))) return;
        await liftCopies(tx, before, lifted);
        const after = { ...before, ...lifted };
        await auditBan(tx, write, 'liftBan', presentBan(before), presentBan(after));
      }),
  };
}
