import type { Shapes } from '../api.ts';

const reasons: Record<Shapes['ReportReason'], string> = {
  cheating: 'cheating',
  stalling: 'stalling',
  abuse: 'abuse',
  other: 'something else',
};
const status: Record<Shapes['ReportStatus'], string> = {
  open: 'open',
  upheld: 'upheld',
  dismissed: 'dismissed',
};

/** Texts of the reports. */
export const strings = {
  reasons,
  status,
  statusLabel: 'Status',
  nothing: 'No report here.',
  keys: { U: 'uphold', D: 'dismiss' },
  heading: (reason: string) => `, reported for ${reason}`,
  by: 'Reported by',
  noComment: 'without a comment',
  uphold: 'Uphold',
  dismiss: 'Dismiss',
  upholdSays:
    'You agree with the report. This is kept in the audit log with your comment, and it cannot be changed. The author sees “upheld” and no comment; the reported player is told nothing. It changes no result and bans nobody: that is done in the match and at the player.',
  dismissSays:
    'Nothing wrong was found. This is kept in the audit log with your comment, and it cannot be changed. The author sees “dismissed” and no comment; the reported player is told nothing.',
  correct: 'Correct the result of this match',
  ban: (name: string) => `Bans of ${name}`,
  done: (status: string, name: string) => `${name}: ${status}`,
  decidedAs: (status: string) => `Decided: ${status}.`,
  meanwhile: (name: string) => `Somebody else has decided about the report on ${name} meanwhile.`,
  already: (name: string) => `You have decided about the report on ${name} already.`,
  decidedBy: 'by',
  replays: {
    title: 'Replays under review in this match',
    nothing: 'None.',
    open: 'open',
    line: (round: number) => `round ${round}`,
  },
  earlier: {
    title: 'Other reports about this player',
    nothing: 'There is no other.',
    why: 'Decision',
  },
  bans: {
    title: 'Bans',
    nothing: 'This player was never banned.',
    forGood: 'for good',
    until: 'until',
    lifted: 'lifted',
    since: 'given',
  },
  gone: 'This report is not on the list as it is filtered now.',
};
