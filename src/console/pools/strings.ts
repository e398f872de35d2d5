import { counted, plain } from '../../pages/parts/text.ts';
import type { Shapes } from '../api.ts';
import type { VALUES } from '../contract.ts';

type Status = (typeof VALUES.PoolStatus)[number];
type Verdict = (typeof VALUES.PoolVerdict)[number];

const maps = (count: number): string => counted(count, 'map', 'maps');
const quoted = (name: string): string => `“${plain(name)}”`;

const status: Record<Status, string> = {
  draft: 'Draft',
  in_review: 'In review',
  published: 'Published',
  retired: 'Retired',
};
const verdicts: Record<Verdict, string> = {
  approve: 'Approve',
  request_changes: 'Request changes',
};
const given: Record<Verdict, string> = {
  approve: 'Approved',
  request_changes: 'Requested changes',
};

/** Texts of the list of pools and of the view of one pool. The table of its maps has its own. */
export const strings = {
  maps,
  status,
  list: {
    name: 'Name',
    status: 'Status',
    season: 'Season',
    mapCount: 'Maps',
    publishedAt: 'Published',
    notPublished: '–',
    everyStatus: 'Every status',
    everySeason: 'Every season',
    filters: 'Filters',
    nothing: 'No pool fits these filters.',
    create: 'New pool',
    creating: 'Make a new pool',
    noSeason: 'Every pool belongs to a season, and there is none yet.',
    createHint: 'It is a draft without maps. Only staff see it until it is published.',
  },
  pool: {
    title: 'Pool',
    facts: (pool: Shapes['PoolWithMaps']) => `revision ${pool.revision}, ${maps(pool.maps.length)}`,
    copiedFrom: 'copied from',
    submittedBy: 'submitted by',
    publishedAt: 'published',
    publicPage: 'Page for players',
    maps: 'Maps',
  },
  actions: {
    rename: {
      action: 'Rename',
      title: (name: string) => `Rename ${quoted(name)}`,
      what: 'The name is part of what is reviewed: a person who changes it does not review this revision.',
      done: 'Renamed.',
    },
    remove: {
      action: 'Delete',
      title: (name: string) => `Delete ${quoted(name)}`,
      what: (count: number) =>
        `The draft is deleted with ${maps(count)} and all of its reviews. The audit log keeps the maps, nothing else does.`,
      done: 'Deleted.',
    },
    submit: {
      action: 'Submit for review',
      title: (name: string) => `Submit ${quoted(name)}`,
      unsaved: (count: number) =>
        `${counted(count, 'row of this tab is', 'rows of this tab are')} not saved. What is not saved is not reviewed, and cannot be saved during the review. Close this window and save first.`,
      what: (count: number) =>
        `${maps(count)} are given to review. Nobody changes the pool until a review requests changes, and you do not review it.`,
      done: 'Submitted.',
    },
    publish: {
      action: 'Publish',
      title: (name: string) => `Publish ${quoted(name)}`,
      what: (count: number) =>
        `Everybody sees the pool and its playlist of ${maps(count)}. Its name and its maps never change again: a correction is a copy.`,
      last: 'Last review:',
      noReview: 'Nobody has reviewed it yet.',
      done: 'Published.',
    },
    retire: {
      action: 'Retire',
      title: (name: string) => `Retire ${quoted(name)}`,
      what: 'No queue can use the pool from then on, and it is not published again. Its open queues drain: nobody joins, those who wait leave the queue, running matches finish.',
      noQueues: 'No queue uses it.',
      done: 'Retired.',
    },
    copy: {
      action: 'Copy',
      title: (name: string) => `Copy ${quoted(name)}`,
      what: (count: number) =>
        `A new draft with the same ${maps(count)}, as they are now. This pool stays as it is.`,
      done: 'Copied.',
    },
    name: 'Name',
    season: 'Season',
  },
  meanwhile: {
    title: 'Meanwhile somebody else has changed this pool',
    still: 'What you have entered is still here. Sent again, it counts against the pool as it is now.',
    renamed: (before: string, after: string) =>
      `It was named ${quoted(before)} and is named ${quoted(after)} now.`,
    moved: (before: Status, after: Status) => `It was: ${status[before]}. It is now: ${status[after]}.`,
    revision: (before: number, after: number) => `Revision ${before} has become revision ${after}.`,
    dismiss: 'I have seen this',
  },
  difference: {
    title: 'Difference',
    against: 'Compared with',
    origin: (name: string) => `${plain(name)} (copied from it)`,
    none: 'Choose a pool',
    hint: 'It was not copied from another pool, or that pool is deleted. Choose one to compare it with.',
    same: 'The maps are the same.',
    counts: (added: number, removed: number, changed: number, same: number) =>
      `${added} added, ${removed} removed, ${changed} changed, ${same} the same`,
    table: 'Rows that differ',
    what: 'What',
    map: 'Map',
    difficulty: 'Difficulty',
    category: 'Category',
    modifiers: 'Modifiers',
    upload: 'Another upload of the map',
    noModifiers: 'none',
    was: 'was',
    now: 'now',
    added: 'Added',
    removed: 'Removed',
    changed: 'Changed',
  },
  review: {
    title: 'Review',
    notYou:
      'You do not review this revision, because these people submitted or changed it since its last review:',
    others: 'Submitted or changed since the last review, and so not reviewed, by:',
    verdict: 'Verdict',
    verdicts,
    what: {
      approve: 'The pool stays in review until somebody publishes it.',
      request_changes: 'The pool becomes a draft again.',
    } satisfies Record<Verdict, string>,
    comment: 'Comment',
    rows: 'Comments on maps',
    rowsHint: 'Choose maps here, or rows of the difference.',
    chooseMap: 'Map',
    add: 'Comment on this map',
    addOf: (name: string) => `Comment on ${plain(name)}`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove the comment on ${plain(name)}`,
    gone: 'This map is no longer in the pool. The comment is not sent.',
    send: 'Send the review',
    sent: 'The review is saved.',
    kept: 'This pool is not in review any more. What you have written is still here, to be copied:',
    discard: 'Throw it away',
  },
  reviews: {
    title: 'Reviews',
    nothing: 'Not reviewed yet.',
    given,
    of: (revision: number, isCurrent: boolean) =>
      isCurrent ? `this revision (${revision})` : `revision ${revision}`,
    gone: 'not in the pool any more',
  },
  files: {
    title: 'Files',
    exportCsv: 'Table (CSV)',
    exportBplist: 'Playlist (.bplist)',
    playlist: 'Published playlist',
    oneClick: 'Open in a playlist manager',
    import: 'Import a file',
    file: 'Table (.csv) or playlist (.bplist, .json)',
    category: 'Category of rows that name none',
    noCategory: 'None',
    check: 'Look what would be added',
    checked: (count: number) => `${maps(count)} would be added. Nothing is added yet.`,
    add: (count: number) => `Add ${maps(count)}`,
    added: (count: number) => `${maps(count)} added.`,
    unreadable: 'This file is neither a table nor a playlist in UTF-8.',
    row: (index: number) => `Row ${index + 1}:`,
  },
  queues: {
    title: 'Queues',
    on: 'Queues on this pool',
    none: 'No queue uses this pool.',
    offer: (name: string) => `Queues on ${plain(name)}, the pool it was copied from`,
    noneLeft: 'No queue uses the pool it was copied from.',
    state: (queue: Shapes['Queue']) =>
      `${queue.status}, ${counted(queue.waiting, 'waits', 'wait')}, ${counted(queue.playing, 'plays', 'play')}`,
    switch: 'Switch to this pool',
    switchOf: (queue: string) => `Switch ${plain(queue)} to this pool`,
    switching: (queue: string, pool: string) => `Switch ${quoted(queue)} to ${quoted(pool)}`,
    what: (queue: Shapes['Queue'], from: string, to: string) =>
      `${counted(queue.waiting, 'player waits and keeps the place', 'players wait and keep their place')} in the queue. ` +
      `${counted(queue.playing, 'player plays', 'players play')}: running matches finish with the maps of ${quoted(from)}. ` +
      `Matches that are made from then on are dealt from ${quoted(to)}. The queue does not close for a moment.`,
    done: (queue: string) => `${plain(queue)} is on this pool now.`,
  },
};
