import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import { addressOf } from '../parts/link.tsx';
import { PersonOf } from '../players/person.tsx';
import type { Json } from './difference.ts';
import { type Place, referenceOf } from './places.ts';
import { strings } from './strings.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const LONGEST = 500;

export const addressOfPlace = ({ path, parameters, query }: Place): string =>
  addressOf(path, parameters as never, query);

/** A value of an audit entry: people by their names, things with a link, times as people read them. */
export function Value({ member, value }: { member: string | undefined; value: Json | undefined }) {
  if (value === undefined) return <span class="quiet">{strings.none}</span>;
  const reference = referenceOf(member, value);
  if (reference !== null && 'person' in reference) return <PersonOf playerGuid={reference.person} />;
  if (reference !== null)
    return (
      <a href={addressOfPlace(reference.place)}>
        <code>{value as string}</code>
      </a>
    );
  if (typeof value === 'string' && INSTANT.test(value)) return <Time at={value} />;
  if (typeof value === 'string')
    return <bdi>{value === '' ? JSON.stringify(value) : plain(value, LONGEST)}</bdi>;
  if (value === null || typeof value !== 'object') return <code>{String(value)}</code>;
  return (
    <code>
      <bdi>{plain(JSON.stringify(value), LONGEST)}</bdi>
    </code>
  );
}
