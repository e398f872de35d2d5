/**
 * Finds a person in texts that others wrote. A name is chosen freely and may be a word of the language: docs/privacy.md says
 * which texts are searched for what.
 */

/** The data that identified a person. */
export interface Identity {
  username: string;
  subject: string;
  platformId: string | null;
}

/** Replaces a name or an id. */
const GONE = '…';
/** Fewer characters are looked for in texts about the person alone: other texts have them without meaning the person. */
const SHORTEST = { name: 3, id: 6 };
/** Under these names JSON has texts of people; under others it has words of the service, such as a status. */
const WRITTEN = new Set(['comment', 'reason']);
/** Under these names entries of the audit log have a subject or platform id. */
const IDS = new Set(['platformId', 'refusedSubject']);
/** A result has a `reason` that is a code. */
const RESULT = 'result';

const LETTER = /[\p{L}\p{M}\p{N}_]/u;
/** Letters of scripts that write no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** Whether a text begins, and ends, with a letter that no other letter may precede, or follow. */
function edgesOf(text: string) {
  const letters = [...text];
  const isEdge = (letter = '') => LETTER.test(letter) && !UNSPACED.test(letter);
  return { begins: isEdge(letters[0]), ends: isEdge(letters.at(-1)) };
}

/** Finds a text where it is a whole word; a number where it is no part of a longer one. */
function wordOf(text: string, flags: string): RegExp {
  const { begins, ends } = edgesOf(text);
  const part = /^\d+$/.test(text) ? String.raw`\d` : LETTER.source;
  return new RegExp(`${begins ? `(?<!${part})` : ''}${escaped(text)}${ends ? `(?!${part})` : ''}`, flags);
}

/** Finds at least what `wordOf` finds, in texts and in JSON, as a regular expression of PostgreSQL without regard to case. */
function patternOf(text: string): string {
  const { begins, ends } = edgesOf(text);
  // A database may know upper and lower case of ASCII alone.
  const spelt = /^\p{ASCII}*$/u.test(text) ? [text] : [text, text.toLowerCase(), text.toUpperCase()];
  const written = [...new Set([...spelt, ...spelt.map((one) => JSON.stringify(one).slice(1, -1))])];
  const isNumber = /^\d+$/.test(text);
  // In JSON a letter stands for the end of a line and the like.
  const before = begins && !isNumber ? String.raw`(?:^|[^[:alnum:]_]|\\[bfnrt])` : '';
  const after = ends && !isNumber ? '(?:$|[^[:alnum:]_])' : '';
  return `${before}(?:${written.map(escaped).join('|')})${after}`;
}

const without = (text: string, found: readonly RegExp[]): string =>
  found.reduce((left, one) => left.replace(one, GONE), text);

/** Applies `change` to every text of people in a value, and `changeId` to the ids of an audit entry; left out: they stay. */
function changeTexts(value: unknown, change: (text: string) => string, changeId?: (id: string) => string) {
  const inner = (one: unknown, changed: ((text: string) => string) | undefined): unknown => {
    if (typeof one === 'string') return changed === undefined ? one : changed(one);
    if (Array.isArray(one)) return one.map((element) => inner(element, changed));
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([key, member]) => {
        if (key === RESULT) return [key, member];
        return [key, inner(member, WRITTEN.has(key) ? change : IDS.has(key) ? changeId : undefined)];
      }),
    );
  };
  return inner(value, change);
}

/**
 * How one person is found in texts, and taken out of them.
 * @param isWord the name is a word that many texts have: it is looked for in texts about the person alone
 */
export function mentionsOf({ username, subject, platformId }: Identity, isWord = false) {
  const ids = [subject, platformId ?? ''].filter((id) => id !== '');
  const long = ids.filter((id) => id.length >= SHORTEST.id);
  const isLong = [...username].length >= SHORTEST.name;
  const isNameSought = isLong && !isWord;
  const anywhere = (text: string) => new RegExp(escaped(text), 'giu');
  const ofPerson = [
    ...ids.map((id) => (long.includes(id) ? anywhere(id) : wordOf(id, 'gu'))),
    ...(username === '' ? [] : [isLong ? anywhere(username) : wordOf(username, 'gu')]),
  ];
  const sought = [...long, ...(isNameSought ? [username] : [])];
  const ofOthers = sought.map((text) => wordOf(text, 'giu'));
  const withoutId = (id: string): string => (ids.includes(id) ? GONE : id);
  return {
    /** A value without the person, out of a text about the person. A short name goes where it is spelt exactly so. */
    outOfAbout: (value: unknown) => changeTexts(value, (text) => without(text, ofPerson), withoutId),
    /** The same out of a text about something else, where the name is a whole word. */
    outOfOthers: (value: unknown) => changeTexts(value, (text) => without(text, ofOthers)),
    isNameSought,
    /** Matches texts about something else that may name the person; null: none is looked at. */
    pattern: sought.length === 0 ? null : sought.map(patternOf).join('|'),
  };
}
