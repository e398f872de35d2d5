import type { Bounds } from '../pages/parts/rules.ts';

/** Texts that every part of the console uses. Those of one part stand beside it. */
export const strings = {
  navigation: 'Staff',
  title: (name: string) => `${name} · Staff`,
  sections: {
    overview: 'Overview',
    pools: 'Pools',
    seasons: 'Seasons and categories',
    queues: 'Queues',
    matches: 'Matches',
    reviews: 'Replay reviews',
    reports: 'Reports',
    players: 'Players',
    audit: 'Audit log',
  },
  loading: 'Loading …',
  retry: 'Try again',
  more: 'Show more',
  nothing: 'Nothing here.',
  listed: (count: number, hasMore: boolean) =>
    `${count} ${count === 1 ? 'entry' : 'entries'}${hasMore ? ', and there are more' : ''}.`,
  came: (count: number, all: number, hasMore: boolean) =>
    `${count} more, so now there are ${all}${hasMore ? '.' : ': all of them.'}`,
  cancel: 'Cancel',
  close: 'Close',
  reason: 'Reason',
  reasonHint: 'It is kept in the audit log.',
  fault: (field: string, { least, most, isWhole }: Bounds) =>
    `${field}: it has to be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`,
  overtaken: (value: string) => `Somebody else has changed this meanwhile; it is now: ${value}`,
  unknown: 'The service does not say who you are. It is asked again by itself.',
  signedOut: 'Your login has ended. What you have entered is still here.',
  signedInIs: (name: string) =>
    `In this browser ${name} is signed in now, and not you. What you have entered is still here.`,
  loginOver:
    'Your login has ended, or somebody else is signed in in this browser now. What you have entered is still here: sign in, then try again.',
  signInAgain: 'Sign in again in a new tab',
  noSuchPage: 'There is no such page.',
};
