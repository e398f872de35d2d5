import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { addressOf } from '../parts/link.tsx';
import { PATHS } from '../paths.ts';
import { PersonOf } from '../players/person.tsx';
import { type Difference, differencesOf, type Json } from './difference.ts';
import { placeOf } from './places.ts';
import { strings } from './strings.ts';
import { addressOfPlace, Value } from './value.tsx';

type Entry = Shapes['AuditEntry'];

/** The thing of an entry, with the view that shows it and the way to its other entries. */
function Target({ target }: { target: string }) {
  const { kind, guid, place } = placeOf(target);
  const shown = plain(target, 200);
  const text = kind === 'players' && place !== null ? <PersonOf playerGuid={guid} /> : <code>{shown}</code>;
  return (
    <>
      {place === null || kind === 'players' ? text : <a href={addressOfPlace(place)}>{text}</a>}{' '}
      <a class="quiet" href={addressOf(PATHS.audit, {}, { target })}>
        {strings.onlyThis}
        <span class="unseen">: {shown}</span>
      </a>
    </>
  );
}

function Row({ difference: { kind, path, before, after } }: { difference: Difference }) {
  const member = path.findLast((name) => !/^\d+$/.test(name));
  return (
    <tr data-difference={kind}>
      <th scope="row" class="difference-cell">
        <bdi>{path.length === 0 ? strings.whole : path.map((name) => plain(name, 80)).join(' › ')}</bdi>{' '}
        <span class="quiet">{strings.kinds[kind]}</span>
      </th>
      <td class="difference-cell">
        <Value member={member} value={before} />
      </td>
      <td class="difference-cell">
        <Value member={member} value={after} />
      </td>
    </tr>
  );
}

/** The differences between before and after. */
function Differences({ entry: { before, after } }: { entry: Entry }) {
  const [old, young] = [(before ?? null) as Json, (after ?? null) as Json];
  if (old === null && young === null) return <p class="quiet">{strings.nothingKept}</p>;
  const differences = differencesOf(old, young);
  if (differences.length === 0) return <p class="quiet">{strings.same}</p>;
  return (
    <>
      {old === null && <p class="quiet">{strings.created}</p>}
      {young === null && <p class="quiet">{strings.gone}</p>}
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">{strings.member}</th>
              <th scope="col">{strings.before}</th>
              <th scope="col">{strings.after}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((difference, at) => (
              <Row key={at} difference={difference} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** One entry of the audit log. */
export const EntryView = ({ entry }: { entry: Entry }) => (
  <li data-action={entry.action}>
    <p>
      <strong>{plain(entry.action, 100)}</strong> {strings.byWhom}{' '}
      {entry.actor === null ? strings.service : <PersonOf playerGuid={entry.actor} />} ·{' '}
      <Time at={entry.at} />
    </p>
    <p>
      <Target target={entry.target} />
    </p>
    <Differences entry={entry} />
  </li>
);
