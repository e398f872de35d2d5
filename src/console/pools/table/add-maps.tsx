import { useCallback, useState } from 'preact/hooks';
import { Name } from '../../../pages/parts/name.ts';
import { useKept } from '../../parts/kept.ts';
import { notify } from '../../parts/notices.tsx';
import type { Pasted } from './pasted.ts';
import { strings } from './strings.ts';

const texts = strings.add;

/** Adds the maps of a text. @returns what was read in it */
type Add = (text: string) => Pasted;

/** Where a text comes from: the field itself, or somewhere else on the page. */
type From = 'field' | 'page' | 'file';

export type Adding = ReturnType<typeof useAdding>;

/** Takes texts with maps, wherever they come from. Lines that cannot be read are kept in the field, and told. */
export function useAdding(poolGuid: string, add: Add) {
  const [text, setText] = useKept(`pool-adding/${poolGuid}`, '');
  const [unread, setUnread] = useState<readonly string[]>([]);
  const take = useCallback(
    (pasted: string, from: From): void => {
      const found = add(pasted);
      if (found.rows.length > 0) notify(texts.done(found.rows.length));
      if (from === 'page') {
        // The field keeps its text, and the notes about it stay.
        setText((before) => [before, found.left].filter((one) => one !== '').join('\n'));
        setUnread((before) => [...before, ...found.unread]);
        return;
      }
      setUnread(found.unread);
      if (from === 'field') setText(found.left);
    },
    [add],
  );
  const takeFromPage = useCallback((pasted: string) => take(pasted, 'page'), [take]);
  return { text, setText, unread, take, takeFromPage };
}

interface AddMapsProps {
  /** Whether the categories are known, so that they can be found by name. */
  isReady: boolean;
  adding: Adding;
}

/** A field for keys, links, a playlist or a table. Lines that could not be read stay in it. */
export function AddMaps({ isReady, adding }: AddMapsProps) {
  const { text, setText, unread, take } = adding;
  return (
    <section aria-label={texts.title} class="pool-add">
      <label class="wide-field">
        {texts.label}
        <textarea rows={3} value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <div class="actions">
        <button type="button" disabled={!isReady || text.trim() === ''} onClick={() => take(text, 'field')}>
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
              void file?.text().then((content) => take(content, 'file'));
              currentTarget.value = '';
            }}
          />
        </label>
      </div>
      {unread.length > 0 && (
        <div class="warning" role="alert">
          <p>{texts.unread(unread.length)}</p>
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
