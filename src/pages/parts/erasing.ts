import { h } from 'preact';
import type { NamedPlayer } from './name.ts';
import { plain } from './text.ts';

/** Describes an erasure, in the same words for the person and for staff. */
export const erasing = {
  title: 'Export and erasure',
  export: 'Download all that is kept (JSON)',
  exportText:
    'One file with everything that the service keeps of this person. It has no data of other people.',
  erase: 'Erase …',
  goes: 'This goes, at once:',
  going: [
    'name, picture and platform id, and the account that is signed in with',
    'roles, the place in a queue, the connection of the game, and every login',
    'the files of replays, and comments written in reports and reviews',
    'the name and the platform id wherever staff or opponents wrote them about this person',
  ],
  stays: 'This stays:',
  staying: [
    'matches, ratings and their proofs, shown as “Erased player” without a picture',
    'bans and penalties: they go on to count for a person who signs in with the same account or platform id',
    'in the audit log, that and when the person was erased, and by whom',
  ],
  final: 'It cannot be undone. A person who signs in with the same account later is a new player.',
  confirm: (name: string | null) =>
    name === null
      ? 'To go on, type the id of the player'
      : `To go on, type the name “${name}” or the id of the player`,
  now: 'Erase now',
  keep: 'Keep everything',
};

/** The name as it can be read and typed; null: there is nothing to read. */
const readable = ({ username }: NamedPlayer): string | null => plain(username, 100, '') || null;

/** The question that names the text to type before an erasure. */
export const confirmationOf = (person: NamedPlayer): string => erasing.confirm(readable(person));

/** Whether somebody typed the name or the id of the person. */
export function isConfirmed(typed: string, person: NamedPlayer): boolean {
  const text = plain(typed.normalize('NFC'), 100, '');
  return (
    text !== '' && (text.toLowerCase() === person.playerGuid || text === readable(person)?.normalize('NFC'))
  );
}

/**
 * Whether the public profile of a person shows that they are erased. It proves nothing about a person who had that name before.
 * @param now the profile as it is read now
 */
export const isErasedNow = (now: Partial<NamedPlayer>, before: NamedPlayer): boolean =>
  now.username === 'Erased player' && before.username !== now.username;

/** The key by which the tab keeps that its visitor was erased, until the next page has told it. */
const ERASED = 'erased';

/**
 * Goes to the own page of a visitor who was erased, which says so. It is another document: nothing of the old one, with its
 * name, is left in the window.
 */
export function leaveErased(): void {
  sessionStorage.setItem(ERASED, '');
  location.replace('me');
}

/** Whether this tab comes from the erasure of its visitor. It says so once. */
export function comesErased(): boolean {
  const isErased = sessionStorage.getItem(ERASED) !== null;
  sessionStorage.removeItem(ERASED);
  return isErased;
}

const List = ({ items }: { items: readonly string[] }) =>
  h(
    'ul',
    null,
    items.map((text) => h('li', { key: text }, text)),
  );

/** Lists the data that go and those that stay, and says that this is final. */
export const ErasureWords = () =>
  h(
    'div',
    null,
    h('p', null, erasing.goes),
    h(List, { items: erasing.going }),
    h('p', null, erasing.stays),
    h(List, { items: erasing.staying }),
    h('p', null, h('strong', null, erasing.final)),
  );
