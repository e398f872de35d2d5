import { useState } from 'preact/hooks';
import { Name } from '../../../pages/parts/name.ts';
import { pressable } from '../../../pages/parts/press.ts';
import { useKept } from '../../parts/kept.ts';
import { notify } from '../../parts/notices.tsx';
import { type Pasted, textOf } from './pasted.ts';
import { strings } from './strings.ts';

const texts = strings.add;

/** Where a text comes from: the field itself, or somewhere else on the page. */
type From = 'field' | 'page' | 'file';

/** The lines in which no map was found: those that are left in the field, or those of a file. */
interface Note {
  unread: readonly string[];
  of: 'field' | 'file' | 'noText';
}

const NO_NOTE: Note = { unread: [], of: 'field' };

export type Adding = ReturnType<typeof useAdding>;

/**
 * Takes texts with maps, wherever they come from. Lines that cannot be read are kept in the field, and told.
 * @param add adds the maps of a text, and returns what was read in it
 */
export function useAdding(poolGuid: string, add: (text: string) => Pasted) {
  const [text, setText] = useKept(`pool-adding/${poolGuid}`, '');
  const [note, setNote] = useState(NO_NOTE);
  const take = (pasted: string | null, from: From): void => {
    if (pasted === null) {
      setNote({ unread: [], of: 'noText' });
      return;
    }
    const found = add(pasted);
    if (found.rows.length > 0) notify(texts.done(found.rows.length));
    if (from === 'page') {
      // The field keeps its text, and the notes about it stay.
      setText((before) => [before, found.left].filter((one) => one !== '').join('\n'));
      setNote((before) => ({
        unread: [...(before.of === 'field' ? before.unread : []), ...found.unread],
        of: 'field',
      }));
      return;
    }
    setNote({ unread: found.unread, of: from });
    if (from === 'field') setText(found.left);
  };
  return { text, setText, note, take };
}

interface AddMapsProps {
  /** Whether the categories are known, so that they can be found by name. */
  isReady: boolean;
  adding: Adding;
}

/** A field for keys, links, a playlist or a table. Lines that could not be read stay in it. */
export function AddMaps({ isReady, adding }: AddMapsProps) {
  const { text, setText, note, take } = adding;
  const { unread, of } = note;
  return (
    <section aria-label={texts.title} class="pool-add">
      <label class="wide-field">
        {texts.label}
        <textarea rows={3} value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <div class="actions">
        <button type="button" {...pressable(isReady && text.trim() !== '', () => take(text, 'field'))}>
          {texts.button}
        </button>
        <label>
          {texts.file}{' '}
          <input
            type="file"
            disabled={!isReady}
            accept=".bplist,.json,.csv,.txt,.tsv"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              void file?.arrayBuffer().then((bytes) => take(textOf(bytes), 'file'));
              currentTarget.value = '';
            }}
          />
        </label>
      </div>
      {of === 'noText' && (
        <p class="warning" role="alert">
          {texts.noText}
        </p>
      )}
      {unread.length > 0 && (
        <div class="warning" role="alert">
          <p>{of === 'file' ? texts.unreadOfFile(unread.length) : texts.unread(unread.length)}</p>
          <ul>
            {unread.slice(0, 10).map((line, at) => (
              <li key={`${at}/${line}`}>
                <Name text={line} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
