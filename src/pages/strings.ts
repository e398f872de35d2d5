/** Every text of the pages, in one place. */
export const strings = {
  site: 'Competitive matches',
  skip: 'Skip to the content',
  navigation: 'Main',
  signIn: 'Sign in',
  signOut: 'Sign out',
  signedInAs: (name: string) => `Signed in as ${name}`,
  notSignedIn: (code: string) => LOGIN_ERRORS[code] ?? 'You were not signed in. Please try again.',
  footer: {
    api: 'HTTP reference',
    socket: 'Socket reference',
  },
  home: {
    title: 'Ranked matches, one against one',
    description: 'Who plays right now, who waits for an opponent, and who leads the ladder.',
    season: (name: string) => `Season ${name}`,
    until: 'until',
    noSeason: 'No season is running.',
    queues: 'Queues',
    noQueues: 'No queue is open at the moment.',
    waiting: (count: number) => (count === 1 ? '1 player waits' : `${count} players wait`),
    draining: 'closes after its last match',
  },
  refusal: {
    request: (id: string) => `Request ${id}`,
    home: 'Go to the start page',
    again: 'Sign in again',
    403: { title: 'Not for you', text: 'You may not see this page.' },
    404: { title: 'Nothing here', text: 'There is no page at this address, or no longer.' },
    429: {
      title: 'Too many requests',
      text: 'Too much was asked for from your network. Wait a minute and reload the page.',
    },
    503: {
      title: 'Back in a moment',
      text: 'The service does not answer just now. Reload the page in a few seconds.',
    },
    other: { title: 'That did not work', text: 'Something went wrong. Reload the page, or come back later.' },
  },
} as const;

const LOGIN_ERRORS: Readonly<Record<string, string>> = {
  access_denied: 'You were not signed in: the sign-in was cancelled.',
  provider_error: 'You were not signed in: the identity provider did not answer as expected.',
  insufficient_scope: 'You were not signed in: the identity provider did not allow the use of this service.',
  banned: 'You were not signed in: this account is banned.',
};
