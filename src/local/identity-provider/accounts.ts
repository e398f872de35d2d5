/** The claims of a token, in the names of the service's contract. */
export type TokenClaims = ReturnType<typeof webClaims | typeof gameClaims>;

/** An account that can log in here. It is invented: its platform id lies outside every platform's range. */
type LocalAccount = ReturnType<typeof account>;

export type AccountName = keyof typeof ACCOUNTS;

/**
 * The stable subject of a platform id: the same in a browser and in the game, so that the service sees one player.
 */
export const subjectOf = (platformId: string): string => `local:${platformId}`;

const account = (platformId: string, username: string, ...permissions: string[]) => ({
  sub: subjectOf(platformId),
  platformId,
  username,
  permissions,
});

/**
 * One account for each role, and two players. There are two poolers, because nobody may review a pool of their own; the admin
 * is no pooler, because roles are exact.
 */
export const ACCOUNTS = {
  admin: account('9000000000000001', 'Local Admin', 'role:admin'),
  'pooler-one': account('9000000000000002', 'Local Pooler One', 'role:pooler'),
  'pooler-two': account('9000000000000003', 'Local Pooler Two', 'role:pooler'),
  developer: account('9000000000000006', 'Local Developer', 'role:developer'),
  'player-one': account('9000000000000004', 'Local Player One'),
  'player-two': account('9000000000000005', 'Local Player Two'),
} as const;

/** The names of the accounts on the login page and at `POST /local/tokens`. */
export const ACCOUNT_NAMES = Object.keys(ACCOUNTS) as AccountName[];

/** The account of this subject, if it is one of ours. */
export const accountOfSubject = (subject: string): LocalAccount | undefined =>
  Object.values(ACCOUNTS).find((known) => known.sub === subject);

type Person = Pick<LocalAccount, 'platformId' | 'username'>;

const commonClaims = ({ platformId, username }: Person, issuer: string) => ({
  sub: subjectOf(platformId),
  platformId,
  platformVerified: true,
  username,
  avatarUrl: `${issuer}/avatars/${platformId}.svg`,
});

/** The claims of a browser token. */
export const webClaims = (known: LocalAccount, scope: string, issuer: string) => ({
  ...commonClaims(known, issuer),
  scope,
  tokenType: 'web',
  permissions: known.permissions,
});

/** The claims of a plugin's token. It carries no permissions: the game is not for staff work. */
export const gameClaims = (player: Person, issuer: string) => ({
  ...commonClaims(player, issuer),
  scope: 'service',
  tokenType: 'platform:game',
  permissions: [],
});
