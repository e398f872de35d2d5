/** Texts of queues. */
export const strings = {
  status: { closed: 'closed', open: 'open', draining: 'draining' },
  list: {
    label: 'Queues',
    name: 'Queue',
    status: 'Status',
    pool: 'Pool',
    season: 'Season',
    waiting: 'Waiting',
    playing: 'Playing',
    none: 'There is no queue.',
    filter: 'Status',
    any: 'any',
  },
  create: {
    title: 'New queue',
    name: 'Name',
    pool: 'Pool',
    poolHint: 'A published pool. The queue is closed at first, with the usual rules; both can be changed.',
    choose: 'Choose a pool',
    noPools: 'No pool is published yet.',
    action: 'Create the queue',
    done: 'The queue was created.',
  },
  pools: (name: string, season: string, maps: number) =>
    `${name} (${season}, ${maps === 1 ? '1 map' : `${maps} maps`})`,
  queue: {
    facts: 'Now',
    pool: 'Pool',
    season: 'Season',
    waiting: (players: number) =>
      players === 0 ? 'Nobody waits' : players === 1 ? '1 player waits' : `${players} players wait`,
    playing: (players: number) => (players === 0 ? 'nobody plays' : `${players} players play`),
    draining: 'It closes by itself with its last match.',
    matches: 'Running matches of this queue',
    ladder: 'Ladder',
    audit: 'Audit log',
  },
  open: {
    button: 'Open …',
    title: (name: string) => `Open ${name}`,
    action: 'Open the queue',
    text: (pool: string) =>
      `Players can join from now on. Matches are dealt from the pool ${pool}, by the rules below.`,
    done: 'The queue is open.',
  },
  drain: {
    button: 'Drain and close …',
    title: (name: string) => `Drain and close ${name}`,
    action: 'Drain and close the queue',
    waiting: (players: number) =>
      players === 0
        ? 'Nobody waits.'
        : players === 1
          ? '1 player waits: that player is told and leaves the queue without a penalty.'
          : `${players} players wait: they are told and leave the queue without a penalty.`,
    playing: (players: number) =>
      players === 0
        ? 'Nobody plays: the queue closes at once.'
        : `${players} players play: their matches are finished, and the queue closes with the last one.`,
    after: 'Nobody can join any more.',
    done: 'The queue drains.',
  },
  form: {
    title: 'Name, pool and rules',
    readOnly: 'Rules',
    name: 'Name',
    pool: 'Pool',
    poolOpen:
      'Another pool of the same season, at any time: waiting players keep their place, running matches go on with the maps they were dealt.',
    poolClosed: 'Any published pool, while the queue is closed.',
    initialGap: 'Difference of ratings at once',
    gapPerSecond: 'More for each second of waiting',
    maxGap: 'Difference at most (empty: no end)',
    maxDiscards: 'Cards that may be exchanged',
    replaysRequired: 'Replays are demanded',
    yes: 'yes',
    no: 'no',
    apply: 'Rules and pool apply to matches that are made from now on.',
    action: 'Save the changes',
    undo: 'Forget what was typed',
    done: 'The queue was changed.',
  },
  meaning: {
    atOnce: (rating: number, lowest: number, highest: number) =>
      `At once somebody of ${rating} meets ${lowest} to ${highest}`,
    after: (seconds: number, lowest: number, highest: number) => `after ${seconds} s ${lowest} to ${highest}`,
    forEver: 'It never grows.',
    end: (gap: number) => `It ends to grow at a difference of ${gap}.`,
    noEnd: 'It grows without an end, so everybody is paired at last.',
    discards: (cards: number) =>
      cards === 0
        ? 'Nobody may exchange cards.'
        : `Each player may exchange up to ${cards} ${cards === 1 ? 'card' : 'cards'} at the start, once.`,
    replays: {
      yes: 'A round whose replay does not come in time after the match is listed for review. Results do not wait.',
      no: 'Replays are welcome, and nobody is asked for one that is missing.',
    },
  },
};
