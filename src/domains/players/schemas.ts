import { z } from 'zod';
import { givenInstant, guid, isoInstant, keyText, page, pageQuery } from '../../platform/http/schemas.ts';
import { filterText, line } from '../../platform/http/text.ts';

/** Roles of staff. No role contains another. */
export const ROLES = ['role:pooler', 'role:admin', 'role:developer'] as const;
export const role = z.enum(ROLES).meta({ id: 'Role' });
export type Role = z.output<typeof role>;

/** A platform id as it is shown. */
export const shownPlatformId = z
  .string()
  .describe('Digits')
  .meta({ pattern: '^[0-9]+$', examples: ['76561198000000001'] });

/** A person, as everybody sees them. */
export const player = z
  .object({
    playerGuid: guid,
    platformId: shownPlatformId.nullable().describe('Digits; null until a game platform vouched for one'),
    username: z.string(),
    avatarUrl: z.string().nullable(),
  })
  .meta({ id: 'Player' });
export type Player = z.output<typeof player>;

/** A player's rating in one queue and season. */
const playerRating = z
  .object({
    queueGuid: guid,
    seasonGuid: guid,
    rating: z.int(),
    provisional: z.boolean().describe('True until the rating has settled'),
    rank: z
      .int()
      .nullable()
      .describe('1 is the best; equal ratings share a rank; null without a rated match'),
    wins: z.int(),
    losses: z.int(),
    draws: z.int(),
  })
  .meta({ id: 'PlayerRating' });
export type PlayerRating = z.output<typeof playerRating>;

export const playerProfile = z
  .object({
    playerGuid: guid,
    username: z.string(),
    avatarUrl: z.string().nullable(),
    joinedAt: isoInstant,
    ratings: z.array(playerRating),
  })
  .meta({ id: 'PlayerProfile' });

export const playerParams = z.strictObject({ playerGuid: guid });

export const playerQuery = pageQuery.extend({
  query: filterText(100).describe('Part of a name in any case, or a whole platform id'),
});
export type PlayerQuery = z.output<typeof playerQuery>;

/** Sort keys of the lists: a cursor holds that of the last item of a page. */
export const cursorOfPlayers = z.tuple([keyText, guid]);
export const cursorOfBans = z.tuple([guid]);

export const foundPlayers = page(
  'PlayerList',
  player.extend({ joinedAt: isoInstant }).meta({ id: 'FoundPlayer' }),
);

const heldRole = z
  .object({
    role,
    source: z
      .enum(['provider', 'configuration', 'granted'])
      .meta({ id: 'RoleSource' })
      .describe(
        '`granted`: here, by an admin. `provider`: as of the last token. Each is revoked where it comes from',
      ),
    grantedBy: guid.nullable(),
    grantedAt: isoInstant.nullable(),
  })
  .meta({ id: 'HeldRole' });
export type HeldRole = z.output<typeof heldRole>;

export const heldRoles = z
  .object({ playerGuid: guid, roles: z.array(heldRole).describe('One entry for each role and source') })
  .meta({ id: 'HeldRoles' });

export const rolesBody = z
  .strictObject({
    roles: z
      .array(role)
      .max(ROLES.length)
      .refine((roles) => new Set(roles).size === roles.length, 'must not repeat a role')
      .describe('All roles granted here from now on'),
  })
  .meta({ id: 'GrantedRoles' });

export const banBody = z
  .strictObject({
    reason: line(500).describe('Shown to the player'),
    until: givenInstant.nullable().describe('When it ends; null: for good'),
  })
  .meta({ id: 'NewBan' });
export type BanBody = z.output<typeof banBody>;

export const ban = z
  .object({
    banGuid: guid,
    playerGuid: guid,
    reason: z.string(),
    until: isoInstant.nullable().describe('Null: for good'),
    createdAt: isoInstant,
    createdBy: guid,
    liftedAt: isoInstant.nullable(),
    liftedBy: guid.nullable(),
  })
  .meta({ id: 'Ban' });

export const bans = page('BanList', ban);
export const lifted = z.null();

export const banParams = playerParams.extend({ banGuid: guid });
