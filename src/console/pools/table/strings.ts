import { counted, plain } from '../../../pages/parts/text.ts';
import type { Field } from './edits.ts';
import type { StepName } from './model.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const signed = (share: number): string => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;
const rows = (number: number): string => counted(number, 'row', 'rows');
const linesOf = (number: number): string => counted(number, 'line', 'lines');

const fields: Record<Field, string> = {
  characteristic: 'characteristic',
  difficulty: 'difficulty',
  categoryGuid: 'category',
  modifiers: 'modifiers',
};

const steps: Record<StepName['kind'], (name: StepName) => string> = {
  add: (name) => `adding ${rows(name.rows)}`,
  remove: (name) => `removing ${rows(name.rows)}`,
  restore: (name) => `keeping ${rows(name.rows)}`,
  set: (name) => `${name.field === undefined ? 'values' : fields[name.field]} of ${rows(name.rows)}`,
  take: () => 'taking the values of somebody else',
  keep: () => 'keeping own values',
  addAgain: () => 'adding a map again',
  discard: () => 'discarding everything',
};

/** Texts of the table of a pool's maps. */
export const strings = {
  table: (pool: string) => `Maps of ${plain(pool)}`,
  empty: 'No maps yet.',
  emptyEditable: 'No maps yet. Paste keys or links here, or into the field above.',
  keys: 'Arrow keys move. Type or press Enter to change a value, Space selects a row, Shift and an arrow several, Ctrl+A all: a value is then set in all of them. Delete removes. Ctrl+Z takes a step back, Ctrl+S saves. Ctrl+V adds what was copied.',
  columns: {
    number: 'Row',
    map: 'Map',
    characteristic: 'Characteristic',
    difficulty: 'Difficulty',
    category: 'Category',
    modifiers: 'Modifiers',
    length: 'Length',
    kept: 'Kept',
    picked: 'Picked',
    gap: 'Decisive',
    edge: 'Picker’s edge',
    notes: 'Notes',
  },
  columnHints: {
    kept: 'How often it was kept when it came into a hand',
    picked: 'How often a player picked it',
    gap: 'Median of the difference between the two accuracies: the greater, the clearer its rounds end',
    edge: 'How much oftener the picker won than the ratings say, with the interval that holds the true value in 95 of 100 cases',
  },
  kept: (kept: number, dealt: number) => `${kept} of ${dealt}`,
  gap: percent,
  edge: (edge: number, margin: number) => `${signed(edge)} ± ${percent(margin)}`,
  edgeRounds: (played: number) => counted(played, 'round', 'rounds'),
  none: '–',
  noModifiers: 'none',
  selectRow: (number: number) => `Select row ${number}`,
  edit: (column: string, number: number) => `${column} of row ${number}`,
  notChosen: 'Choose …',
  hardest: 'The hardest that can be played',
  notes: {
    waiting: 'Looking up …',
    difficulty: 'Choose a difficulty.',
    notThere: (there: string) => `It has: ${there}.`,
    category: 'Choose a category.',
    unknownCategory: (name: string) => `There is no category ${plain(name)}.`,
    modifiers: (unknown: string) => `No such modifier: ${plain(unknown)}.`,
    twin: (number: number) => `The same as row ${number}.`,
    sibling: (number: number) => `Another difficulty of row ${number}.`,
    stale: 'The map host has a newer upload.',
    replaced: 'Another upload than the pasted one is published now.',
    was: (values: string) => `Was: ${values}.`,
    removed: 'Will be removed.',
    added: 'Added by somebody else.',
    changed: 'Changed by somebody else.',
    theirs: (values: string) => `Somebody else chose: ${values}.`,
    lost: 'Somebody else removed it. Your changes are kept here.',
  },
  actions: {
    retry: 'Try again',
    keep: 'Keep mine',
    take: 'Take theirs',
    addAgain: 'Add it again',
    drop: 'Drop it',
    restore: 'Do not remove',
  },
  add: {
    title: 'Add maps',
    label: 'Keys or links, one or several in a line; or the text of a .bplist or a CSV',
    file: 'Or a file',
    button: 'Add',
    done: (number: number) => `${rows(number)} added.`,
    noText: 'This file is no text. Save a spreadsheet as CSV in UTF-8, and choose that file.',
    unreadOfFile: (lines: number) => `No map was found in ${linesOf(lines)} of the file:`,
    unread: (lines: number) =>
      `No map was found in ${linesOf(lines)}, which ${lines === 1 ? 'is' : 'are'} left here:`,
  },
  bar: {
    save: 'Save',
    saveSome: (number: number) => `Save ${rows(number)}`,
    undo: 'Undo',
    undoWhat: (name: StepName) => `Undo: ${steps[name.kind](name)} (Ctrl+Z)`,
    redo: 'Redo',
    redoWhat: (name: StepName) => `Redo: ${steps[name.kind](name)} (Ctrl+Y)`,
    discard: 'Discard all',
    discardWhat: 'Forgets everything that is not saved. Undo brings it back.',
    label: 'Unsaved changes',
    counts: (added: number, changed: number, removed: number) =>
      [
        added > 0 && `${added} to add`,
        changed > 0 && `${changed} to change`,
        removed > 0 && `${removed} to remove`,
      ]
        .filter(Boolean)
        .join(', '),
    nothing: 'Everything is saved.',
    unready: (number: number) => `${rows(number)} cannot be saved yet: see the notes.`,
    batches: (most: number, number: number) =>
      `They are saved in ${number} batches of at most ${most}; each is saved wholly or not at all.`,
    saving: (done: number, total: number) => `Saving … ${done} of ${total}`,
    waits: (message: string) => `${message} Saving goes on by itself.`,
    stop: 'Stop saving',
    saved: (number: number) => `${rows(number)} saved.`,
    notKept: 'The browser does not keep unsaved rows. Save before you leave.',
    locked: 'The pool cannot be changed now. What you have not saved stays here, in this tab.',
  },
  lookups: {
    progress: (done: number, total: number) => `${done} of ${total} looked up`,
    label: 'Looked up',
    waits: (message: string) => `${message} Looking up goes on by itself.`,
  },
  selection: {
    label: 'Selected rows',
    count: (number: number) => `${rows(number)} selected.`,
    unchanged: 'As it is',
    remove: 'Remove',
    restore: 'Do not remove',
    lookUp: 'Look up again',
    none: 'Select none',
    setModifiers: 'Set modifiers',
  },
  meanwhile: {
    title: 'Somebody else has changed this pool meanwhile',
    what: 'Nothing that you have typed is lost. Look at the rows, then save on top.',
    added: 'Added',
    removed: 'Removed',
    changed: 'Changed',
    change: (field: Field, before: string, after: string) => `${fields[field]}: ${before} → ${after}`,
    known: 'I have seen it',
  },
};
