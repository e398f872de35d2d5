import { useLayoutEffect, useRef } from 'preact/hooks';
import { VALUES } from '../../contract.ts';
import type { Option } from '../../parts/select.tsx';
import type { EditedColumn, Opening } from './cursor.ts';
import { type Category, HARDEST, type Values } from './edits.ts';
import { isLetter } from './keys.ts';
import { modifiersIn } from './pasted.ts';
import { difficultiesOf, type RowView } from './rows.ts';
import { strings } from './strings.ts';

/** Where the keyboard goes after a value was chosen. */
export type After = 'stay' | 'down' | 'up' | 'right' | 'left';

interface CellEditorProps {
  row: RowView;
  column: EditedColumn;
  label: string;
  how: Opening;
  /** In their order. */
  categories: readonly Category[];
  commit(values: Partial<Values>, after: After): void;
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
  const there = difficultiesOf(row.lookup)?.filter(({ playable }) => playable);
  const isThere = (value: string): boolean =>
    there === undefined ||
    there.some((one) =>
      column === 'characteristic'
        ? one.characteristic === value
        : one.characteristic === row.characteristic && one.difficulty === value,
    );
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

function afterKey({ key, shiftKey }: KeyboardEvent): After | null {
  if (key === 'Enter') return shiftKey ? 'up' : 'down';
  if (key === 'Tab') return shiftKey ? 'left' : 'right';
  return null;
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

  const finish = (after: After): void => {
    if (isOver.current || field.current === null) return;
    isOver.current = true;
    const { value } = field.current;
    if (column === 'modifiers') commit({ modifiers: modifiersIn(value) }, after);
    else if (value === '') cancel();
    else commit({ [FIELD[column]]: value }, after);
  };
  const press = (event: KeyboardEvent): void => {
    const isSave = (event.ctrlKey || event.metaKey) && isLetter(event, 's');
    if (isSave) {
      finish('stay');
      return;
    }
    // Keys of the field do not reach the table.
    event.stopPropagation();
    const after = afterKey(event);
    if (after === null && event.key !== 'Escape') return;
    event.preventDefault();
    if (after !== null) finish(after);
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
    onBlur: () => finish('stay'),
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
    <select {...shared} onChange={() => how === 'clicked' && finish('stay')}>
      {value === '' && <option value="">{strings.notChosen}</option>}
      {choicesOf(props).map((choice) => (
        <option key={choice.value} value={choice.value} selected={choice.value === value}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}
