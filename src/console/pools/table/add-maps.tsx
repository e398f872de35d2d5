import { useState } from 'preact/hooks';
import { Name } from '../../../pages/parts/name.ts';
import { notify } from '../../parts/notices.tsx';
import { strings } from './strings.ts';

const texts = strings.add;

interface AddMapsProps {
  /** Whether the categories are known, so that they can be found by name. */
  isReady: boolean;
  /** Adds the maps of a text. @returns how many, and the lines in which none was found */
  add(text: string): { rows: number; unread: readonly string[] };
}

/** A field for keys, links, a playlist or a table. Lines that could not be read stay in it. */
export function AddMaps({ isReady, add }: AddMapsProps) {
  const [text, setText] = useState('');
  const [unread, setUnread] = useState<readonly string[]>([]);
  const take = (pasted: string, isOfField: boolean): void => {
    const found = add(pasted);
    if (found.rows > 0) notify(texts.done(found.rows));
    setUnread(found.unread);
    if (isOfField) setText(found.unread.join('\n'));
  };
  return (
    <section aria-label={texts.title} class="pool-add">
      <label class="wide-field">
        {texts.label}
        <textarea rows={3} value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <div class="actions">
        <button type="button" disabled={!isReady || text.trim() === ''} onClick={() => take(text, true)}>
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
              void file?.text().then((content) => take(content, false));
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
