import { Name } from '../../../pages/parts/name.ts';
import type { PoolMap } from './edits.ts';
import { type CategoryNames, shownValue } from './notes.tsx';
import type { Meanwhile } from './rows.ts';
import { strings } from './strings.ts';

const texts = strings.meanwhile;

const MapLine = ({ map, names, text }: { map: PoolMap; names: CategoryNames; text?: string }) => (
  <li>
    <Name text={map.name} /> <span class="quiet">{map.key}</span> {map.characteristic} {map.difficulty}
    {' · '}
    {text ?? shownValue('categoryGuid', map.categoryGuid, names)}
  </li>
);

interface MeanwhileProps {
  meanwhile: Meanwhile | null;
  names: CategoryNames;
  known(): void;
}

/** The changes that somebody else has made in the pool since it was read here. */
export function MeanwhileNote({ meanwhile, names, known }: MeanwhileProps) {
  if (meanwhile === null) return null;
  const { added, removed, changed } = meanwhile;
  const lists = [['added', added] as const, ['removed', removed] as const].filter(
    ([, maps]) => maps.length > 0,
  );
  return (
    <section class="panel" role="alert" aria-label={texts.title} data-meanwhile="">
      <h2>{texts.title}</h2>
      <p>{texts.what}</p>
      {lists.map(([kind, maps]) => (
        <div key={kind}>
          <h3>{texts[kind]}</h3>
          <ul>
            {maps.map((map) => (
              <MapLine key={map.mapGuid} map={map} names={names} />
            ))}
          </ul>
        </div>
      ))}
      {changed.length > 0 && (
        <>
          <h3>{texts.changed}</h3>
          <ul>
            {changed.map(({ before, after, fields }) => (
              <MapLine
                key={after.mapGuid}
                map={before}
                names={names}
                text={fields
                  .map((field) =>
                    texts.change(
                      field,
                      shownValue(field, before[field], names),
                      shownValue(field, after[field], names),
                    ),
                  )
                  .join(', ')}
              />
            ))}
          </ul>
        </>
      )}
      <button type="button" onClick={known}>
        {texts.known}
      </button>
    </section>
  );
}
