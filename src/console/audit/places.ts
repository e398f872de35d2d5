import { PATHS } from '../paths.ts';

/** Where the console shows what an audit entry speaks of. */

export const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A view, its parameters, and its query. */
export interface Place {
  path: (typeof PATHS)[keyof typeof PATHS];
  parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

const at = (
  path: Place['path'],
  parameters: Place['parameters'] = {},
  query: Place['query'] = {},
): Place => ({ path, parameters, query });

const VIEWS: Readonly<Record<string, (guid: string) => Place>> = {
  pools: (poolGuid) => at(PATHS.pool, { poolGuid }),
  queues: (queueGuid) => at(PATHS.queue, { queueGuid }),
  matches: (matchGuid) => at(PATHS.match, { matchGuid }),
  players: (playerGuid) => at(PATHS.player, { playerGuid }),
  'replay-reviews': (guid) => at(PATHS.reviews, {}, { at: guid }),
  reports: (guid) => at(PATHS.reports, {}, { at: guid }),
  seasons: () => at(PATHS.seasons),
  'map-categories': () => at(PATHS.seasons),
};

/** A target of the audit log: its kind, its id, and the view that shows it; null: no view does. */
export function placeOf(target: string): { kind: string; guid: string; place: Place | null } {
  const [, kind = '', guid = ''] = target.split('/');
  const view = Object.hasOwn(VIEWS, kind) && GUID.test(guid) ? VIEWS[kind] : undefined;
  return { kind, guid, place: view?.(guid) ?? null };
}

/** Members that hold the guid of a person. Every other `…Guid` is of a thing. */
const PEOPLE =
  /^(?:playerGuid|actor|(?:submitted|created|lifted|granted|resolved|reviewed|added|decided)By(?:Guid)?|(?:winner|reviewer|reporter|picker|red|blue|actor)Guid)$/;

/** Members that hold the guid of a thing with a view. */
const THINGS: Readonly<Record<string, string>> = {
  poolGuid: 'pools',
  queueGuid: 'queues',
  matchGuid: 'matches',
};

/** The person or thing that a value refers to; null: neither. */
export function referenceOf(
  member: string | undefined,
  value: unknown,
): { person: string } | { place: Place } | null {
  if (member === undefined || typeof value !== 'string' || !GUID.test(value)) return null;
  if (PEOPLE.test(member)) return { person: value };
  const kind = Object.hasOwn(THINGS, member) ? THINGS[member] : undefined;
  const place = kind === undefined ? null : placeOf(`/${kind}/${value}`).place;
  return place === null ? null : { place };
}
