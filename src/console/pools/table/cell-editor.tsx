import { useLayoutEffect, useRef } from 'preact/hooks';
import { VALUES } from '../../contract.ts';
import type { Option } from '../../parts/select.tsx';
import type { EditedColumn, Move, Opening } from './cursor.ts';
import { type Category, HARDEST, type Values } from './edits.ts';
import { isLetter } from './keys.ts';
import { modifiersIn } from './pasted.ts';
import { playableOf, type RowView } from './rows.ts';
import { strings } from './strings.ts';

interface CellEditorProps {
  row: RowView;
  column: EditedColumn;
  label: string;
  how: Opening;
  /** In their order. */
  categories: readonly Category[];
  /** @param next where the keyboard goes then; null: it stays */
  commit(values: Partial<Values>, next: Move | null): void;
  cancel(): void;
}

/** The values that can be chosen in a cell; for a map that was looked up only those that it has. */
function choicesOf({
  row,
  column,
  categories,
}: Pick<CellEditorProps, 'row' | 'column' | 'categories'>): Option[] {
  if (column === 'category')
    return categories.map(({ categoryGuid, name }) => ({ value: categoryGuid, text: name }));
  const isThere = (value: string): boolean =>
    playableOf(row.lookup)?.some((one) =>
      column === 'characteristic'
        ? one.characteristic === value
        : one.characteristic === row.characteristic && one.difficulty === value,
    ) ?? true;
  const all: readonly string[] = column === 'characteristic' ? VALUES.Characteristic : VALUES.Difficulty;
  const choices = all
    .filter((value) => isThere(value) || value === row[column as 'difficulty'])
    .map((value) => ({ value, text: value }));
  return column === 'difficulty' ? [...choices, { value: HARDEST, text: strings.hardest }] : choices;
}

const FIELD = {
  characteristic: 'characteristic',
  difficulty: 'difficulty',
  category: 'categoryGuid',
} as const;

/** The move after a key that takes the value; null: another key. */
function moveOf({ key, shiftKey }: KeyboardEvent): Move | null {
  const by = shiftKey ? -1 : 1;
  if (key === 'Enter') return { go: 'by', rows: by, columns: 0 };
  return key === 'Tab' ? { go: 'edited', by } : null;
}

/** The field in place of a cell. Enter and Tab take the value and move on, Escape cancels. */
export function CellEditor({ commit, cancel, ...props }: CellEditorProps) {
  const { row, column, label, how } = props;
  const field = useRef<HTMLSelectElement & HTMLInputElement>(null);
  const isOver = useRef(false);
  useLayoutEffect(() => {
    field.current?.focus();
    if (column === 'modifiers' && how !== 'typed') field.current?.select();
    else if (how === 'clicked') field.current?.showPicker?.();
  }, []);

  const finish = (next: Move | null): void => {
    if (isOver.current || field.current === null) return;
    isOver.current = true;
    const { value } = field.current;
    if (column === 'modifiers') commit({ modifiers: modifiersIn(value) }, next);
    else if (value === '') cancel();
    else commit({ [FIELD[column]]: value }, next);
  };
  const press = (event: KeyboardEvent): void => {
    const isSave = (event.ctrlKey || event.metaKey) && isLetter(event, 's');
    if (isSave) {
      finish(null);
      return;
    }
    // Keys of the field do not reach the table.
    event.stopPropagation();
    const next = moveOf(event);
    if (next === null && event.key !== 'Escape') return;
    event.preventDefault();
    if (next !== null) finish(next);
    else {
      isOver.current = true;
      cancel();
    }
  };
  const shared = {
    ref: field,
    class: 'cell-field',
    'aria-label': label,
    onKeyDown: press,
    onBlur: () => finish(null),
  };
  if (column === 'modifiers')
    return (
      <input
        {...shared}
        autocomplete="off"
        spellcheck={false}
        placeholder={VALUES.Modifier.join(' ')}
        defaultValue={how === 'typed' ? '' : row.modifiers.join(' ')}
      />
    );
  const value = column === 'category' ? row.categoryGuid : row[column];
  return (
    <select {...shared} onChange={() => how === 'clicked' && finish(null)}>
      {value === '' && <option value="">{strings.notChosen}</option>}
      {choicesOf(props).map((choice) => (
        <option key={choice.value} value={choice.value} selected={choice.value === value}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}
