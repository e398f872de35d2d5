import type { Table } from '../../platform/database/changes.ts';

/**
 * The kept data of a person: every column of every table that names one. `test/privacy/export.test.ts` fails for a column
 * that is in none of these lists.
 */

export interface Part {
  table: Table;
  /** The column that names the person; left out: `playerGuid`. */
  person?: string;
  /** The columns that are exported. Rows are in the order of the first two, which no two rows of one person share. */
  fields: readonly [string, string, ...string[]];
  /** Only rows of matches that have ended: a running match shows less to everybody. */
  ofEndedMatches?: true;
  /** A column that names another person: the rows about the reader of the export are left out. */
  about?: string;
}

const MATCH_CHANGE = ['queueGuid', 'seasonGuid', 'score'];
const STRENGTHS = ['muBefore', 'sigmaBefore', 'muAfter', 'sigmaAfter'];

/** The parts of an export beside the person and the matches, by their names in it. */
export const PARTS = {
  roles: { table: 'RoleGrant', fields: ['role', 'grantedAt'] },
  bans: {
    table: 'Ban',
    fields: ['createdAt', 'banGuid', 'reason', 'until', 'liftedAt'],
  },
  penalties: {
    table: 'Penalty',
    fields: ['at', 'penaltyGuid', 'matchGuid', 'reason', 'until'],
  },
  logins: { table: 'LoginSession', fields: ['startedAt', 'sessionGuid', 'endsAt'] },
  queueEntries: {
    table: 'QueueEntry',
    fields: ['queueGuid', 'joinedAt', 'rating', 'pluginVersion', 'gameVersion', 'disconnectedAt'],
  },
  connections: {
    table: 'PlayerConnection',
    fields: ['connectionGuid', 'pluginVersion', 'gameVersion', 'connectedAt'],
  },
  ratings: {
    table: 'Rating',
    fields: ['queueGuid', 'seasonGuid', 'mu', 'sigma', 'rating', 'wins', 'losses', 'draws', 'winStreak'],
  },
  ratingChanges: { table: 'RatingChange', fields: ['at', 'matchGuid', ...MATCH_CHANGE, ...STRENGTHS] },
  formerRatingChanges: {
    table: 'FormerRatingChange',
    fields: ['replacedAt', 'matchGuid', 'at', ...MATCH_CHANGE, ...STRENGTHS],
  },
  replays: {
    table: 'Replay',
    fields: [
      'uploadedAt',
      'replayGuid',
      'matchGuid',
      'roundNumber',
      'size',
      'sha256',
      'verdict',
      'checks',
      'removedAt',
    ],
    ofEndedMatches: true,
  },
  replayReviews: {
    table: 'ReplayReview',
    fields: ['createdAt', 'reviewGuid', 'matchGuid', 'roundNumber', 'reason', 'decision', 'resolvedAt'],
    ofEndedMatches: true,
  },
  filedReports: {
    table: 'Report',
    person: 'reporterGuid',
    about: 'playerGuid',
    fields: ['at', 'reportGuid', 'matchGuid', 'reason', 'comment', 'status'],
  },
  submittedPools: { table: 'Pool', person: 'submittedByGuid', fields: ['poolGuid', 'name', 'status'] },
  addedMaps: {
    table: 'PoolMap',
    person: 'addedByGuid',
    fields: ['addedAt', 'mapGuid', 'poolGuid', 'key', 'hash', 'characteristic', 'difficulty'],
  },
  changedPools: { table: 'PoolContribution', fields: ['poolGuid', 'at'] },
  poolReviews: {
    table: 'PoolReview',
    person: 'reviewerGuid',
    fields: ['createdAt', 'reviewGuid', 'poolGuid', 'revision', 'verdict'],
  },
  actions: { table: 'AuditEntry', person: 'actorGuid', fields: ['at', 'auditGuid', 'action'] },
} satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

/** Columns that have a statement of their own in the export. */
export const OWN_STATEMENTS: readonly string[] = [
  'Player.playerGuid',
  'Player.subject',
  'Player.platformId',
  'Match.redGuid',
  'Match.blueGuid',
];

/** Columns that are not exported, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'Match.winnerGuid': 'one of the two players, whose matches are exported',
  'RunningSeat.playerGuid': 'of a running match only what everybody sees, with the matches',
  'Report.playerGuid': 'would say who reported the person: a match has one other player',
  'ErasedIdentity.playerGuid': 'keyed hashes of somebody who was erased',
  'RoleGrant.grantedByGuid': 'the role is another person’s; the decision is among the actions',
  'Ban.createdByGuid': 'the ban is another person’s; the decision is among the actions',
  'Ban.liftedByGuid': 'the ban is another person’s; the decision is among the actions',
  'ReplayReview.resolvedByGuid': 'the review is about another person; the decision is among the actions',
  'PlatformIdRefusal.subject': 'names the account of another person; kept for a day',
  'PlatformIdRefusal.platformId': 'names the account of another person; kept for a day',
};
