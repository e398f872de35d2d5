import { speedConflict } from '../../../pages/parts/rules.ts';
import { plain } from '../../../pages/parts/text.ts';
import { differing, type PoolMap, type Values } from './edits.ts';
import { isModifier } from './pasted.ts';
import { playableOf, type RowView } from './rows.ts';
import { strings } from './strings.ts';

/** The notes of a row, each with the actions for it. */

const texts = strings.notes;

export type RowAction = keyof typeof strings.actions;

interface Note {
  text: string;
  isBad?: boolean;
  actions?: readonly RowAction[];
}

export type CategoryNames = ReadonlyMap<string, string>;

/** A value as it is shown. */
export const shownValue = (
  field: keyof Values,
  value: Values[keyof Values],
  names: CategoryNames,
): string => {
  if (typeof value !== 'string') return plain(value.join(' '), undefined, strings.noModifiers);
  return plain((field === 'categoryGuid' ? names.get(value) : value) ?? '', undefined, strings.none);
};

/** The values in which a map differs from a row. */
const differingText = (map: PoolMap, row: Values, names: CategoryNames): string =>
  differing(map, row)
    .map((field) => shownValue(field, map[field], names))
    .join(', ');

function missingNote(row: RowView): Note | null {
  switch (row.missing) {
    case 'lookup':
      return { text: texts.waiting };
    case 'refused':
      return {
        text: row.lookup?.state === 'refused' ? row.lookup.message : '',
        isBad: true,
        actions: ['retry'],
      };
    case 'difficulty':
      return { text: texts.difficulty, isBad: true };
    case 'notThere': {
      const there = playableOf(row.lookup)?.map((one) => `${one.characteristic} ${one.difficulty}`);
      return { text: texts.notThere(there?.join(', ') || strings.none), isBad: true };
    }
    case 'category':
      return {
        text: row.unknownCategory === '' ? texts.category : texts.unknownCategory(row.unknownCategory),
        isBad: true,
      };
    case 'modifiers': {
      const unknown = row.modifiers.filter((code) => !isModifier(code));
      return { text: texts.modifiers(unknown.join(' ')), isBad: true };
    }
    case 'speeds':
      return { text: speedConflict(row.modifiers) ?? '', isBad: true };
    case 'lost':
      return { text: texts.lost, isBad: true, actions: ['addAgain', 'drop'] };
    default:
      return null;
  }
}

function notesOf(row: RowView, names: CategoryNames): Note[] {
  const { kind, was, theirs, twin, sibling } = row;
  const notes: (Note | false | null)[] = [
    row.problem !== null && { text: row.problem, isBad: true },
    theirs !== null && {
      // A row that is to be removed has no values of its own: it shows theirs.
      text: texts.theirs(
        differingText(theirs, kind === 'removed' && was !== null ? was : row, names) || strings.none,
      ),
      isBad: true,
      actions: ['keep', 'take'],
    },
    missingNote(row),
    twin !== null && { text: texts.twin(twin), isBad: true },
    kind === 'removed' && { text: texts.removed, actions: ['restore'] },
    kind === 'changed' &&
      theirs === null &&
      was !== null && { text: texts.was(differingText(was, row, names)) },
    row.mark !== null && { text: texts[row.mark] },
    row.isReplaced && { text: texts.replaced },
    row.isStale && { text: texts.stale },
    sibling !== null && { text: texts.sibling(sibling) },
  ];
  return notes.filter((note) => note !== null && note !== false);
}

interface NotesProps {
  row: RowView;
  names: CategoryNames;
  /** Whether its buttons can be reached by Tab. */
  isActive: boolean;
  isEditable: boolean;
}

/** The notes of a row. The table carries out their buttons. */
export const Notes = ({ row, names, isActive, isEditable }: NotesProps) => (
  <span class="notes">
    {notesOf(row, names).map(({ text, isBad, actions = [] }) => (
      <span key={text} class={isBad ? 'bad' : 'quiet'}>
        {text}
        {isEditable &&
          actions.map((action) => (
            <button
              key={action}
              type="button"
              class="plain"
              data-action={action}
              tabIndex={isActive ? 0 : -1}
            >
              {strings.actions[action]}
            </button>
          ))}
      </span>
    ))}
  </span>
);
