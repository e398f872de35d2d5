import Papa from 'papaparse';
import { VALUES } from '../../contract.ts';

/** Reads what somebody pastes or opens as a file: keys, links, a playlist, or a table. */

/** A row as it was pasted. Missing values are empty. */
export interface PastedRow {
  /** In lower case. */
  key: string;
  /** In upper case. */
  hash: string;
  characteristic: string;
  difficulty: string;
  /** By name. */
  category: string;
  modifiers: readonly string[];
}

export interface Pasted {
  rows: readonly PastedRow[];
  /** Lines and songs in which no map was found. */
  unread: readonly string[];
  /** These as they were pasted, in a form that can be corrected and read again. */
  left: string;
}

/** The text of a file; null: it is no text in UTF-8, as the file of a spreadsheet. */
export function textOf(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

type MapName = Pick<PastedRow, 'key' | 'hash'>;

const BYTE_ORDER_MARK = '\uFEFF';
const HASH = /^[0-9a-f]{40}$/i;
const KEY = /^[0-9a-f]{1,8}$/i;
/** The path of a link before its key. */
const BEFORE_KEY = new Set(['maps', 'map', 'beatmap', 'id', 'key', 'ids', 'download']);

const hashName = (hash: string): MapName => ({ key: '', hash: hash.toUpperCase() });
const keyName = (key: string): MapName => ({ key: key.toLowerCase(), hash: '' });

/** The map of a link to the map host, one of its files, or an address such as `game://350a4`. */
function ofLink(text: string): MapName | null {
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, pathname } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  const parts = pathname.split('/').filter(Boolean);
  if (!isWeb) parts.unshift(hostname, 'key');
  const [last = '', before = ''] = parts.reverse();
  const bare = last.replace(/[.][a-z]+$/i, '');
  if (HASH.test(bare)) return hashName(bare);
  if (!isWeb && KEY.test(parts.at(-1) ?? '')) return keyName(parts.at(-1) ?? '');
  return BEFORE_KEY.has(before.toLowerCase()) && KEY.test(bare) ? keyName(bare) : null;
}

/** The map that a cell or a word names: a key, a hash, or a link. */
export function mapNamed(text: string): MapName | null {
  const word = text.trim().replace(/^(?:!bsr\s+|custom_level_)/i, '');
  if (HASH.test(word)) return hashName(word);
  if (KEY.test(word)) return keyName(word);
  return /[/:]/.test(word) && !/\s/.test(word) ? ofLink(word) : null;
}

/** A value of an enumeration, also in other upper and lower case and with `+` for `Plus`; else the text as it is. */
function enumerated(values: readonly string[], text: string): string {
  const wanted = text.trim().replace(/\+$/, 'Plus').replaceAll(/\s+/g, '').toLowerCase();
  return values.find((value) => value.toLowerCase() === wanted) ?? text.trim();
}

/** The first cell with a value of an enumeration; '': there is none. */
const valueAmong = (values: readonly string[], cells: readonly string[]): string =>
  cells.map((cell) => enumerated(values, cell)).find((value) => values.includes(value)) ?? '';

/** Codes of modifiers in a text. Unknown ones are left as they are. */
export const modifiersIn = (text: string): string[] => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[\s|,;/]+/)
      .filter(Boolean),
  ),
];

export const isModifier = (code: string): boolean => VALUES.Modifier.some((one) => one === code);

/** Removes the apostrophe that keeps a spreadsheet from executing a cell. */
const unquoted = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@])/, '');

/** The maps that cells name. */
const mapsNamed = (cells: readonly string[]): MapName[] => cells.map(mapNamed).filter((one) => one !== null);

/** The first key and the first hash. */
const joined = (names: readonly MapName[]): MapName => ({
  key: names.find(({ key }) => key !== '')?.key ?? '',
  hash: names.find(({ hash }) => hash !== '')?.hash ?? '',
});

/** The map of a row of a table with a header. Its columns are in any order; unknown ones are ignored. */
function rowsOfRecord(cells: readonly string[], names: readonly string[]): PastedRow[] {
  const cell = (name: string): string => unquoted(cells[names.indexOf(name)] ?? '');
  const found = mapsNamed(['hash', 'key', 'link', 'url'].map(cell));
  if (found.length === 0) return [];
  return [
    {
      ...joined(found),
      characteristic: enumerated(VALUES.Characteristic, cell('characteristic')),
      difficulty: enumerated(VALUES.Difficulty, cell('difficulty')),
      category: cell('category'),
      modifiers: modifiersIn(cell('modifiers')),
    },
  ];
}

/** The columns of a table without a header, recognised by their values. */
function valuesOf(cells: readonly string[], categories: readonly string[]): Omit<PastedRow, 'key' | 'hash'> {
  const known = new Set(categories.map((name) => name.toLowerCase()));
  return {
    characteristic: valueAmong(VALUES.Characteristic, cells),
    difficulty: valueAmong(VALUES.Difficulty, cells),
    category: cells.find((cell) => known.has(cell.toLowerCase())) ?? '',
    modifiers: cells.map(modifiersIn).find((codes) => codes.every(isModifier)) ?? [],
  };
}

/** The maps of a line: one with values beside it, or any number of keys and links. */
function rowsOfLine(cells: readonly string[], categories: readonly string[]): PastedRow[] {
  const values = valuesOf(cells, categories);
  const named = mapsNamed(cells);
  const { key, hash } = joined(named);
  const isOneMap = (key !== '' && hash !== '') || values.difficulty !== '' || values.characteristic !== '';
  if (named.length > 0) return (isOneMap ? [{ key, hash }] : named).map((one) => ({ ...one, ...values }));
  const words = cells.flatMap((cell) => cell.split(/\s+/)).map(mapNamed);
  return words.every((one) => one !== null) ? words.map((one) => ({ ...one, ...values })) : [];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
type Members = Record<string, unknown>;
const members = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

/** A playlist: one row for each marked difficulty, or one for a song without any. */
function readPlaylist(playlist: unknown): Pasted {
  const rows: PastedRow[] = [];
  const unread: string[] = [];
  const songs: unknown[] = [];
  for (const given of list(members(playlist).songs)) {
    const song = members(given);
    const hash = mapNamed(text(song.hash))?.hash || mapNamed(text(song.levelid).slice(0, 53))?.hash || '';
    const key = mapNamed(text(song.key))?.key ?? '';
    if (hash === '' && key === '') {
      unread.push(text(song.songName) || JSON.stringify(given));
      songs.push(given);
      continue;
    }
    const { category, modifiers } = members(song.customData);
    const marked = list(song.difficulties).map(members);
    for (const { characteristic, name } of marked.length === 0 ? [{} as Members] : marked)
      rows.push({
        key,
        hash,
        characteristic: enumerated(VALUES.Characteristic, text(characteristic)),
        difficulty: enumerated(VALUES.Difficulty, text(name)),
        category: text(category),
        modifiers: modifiersIn(list(modifiers).map(text).join(' ')),
      });
  }
  return { rows, unread, left: songs.length === 0 ? '' : JSON.stringify({ songs }) };
}

/** Lines without anything in them. */
const EMPTY_LINES = /^(?:(?:[^\S\n]|[,;])*\n)+/;

/** The lines of a table or a list, in cells and as they were pasted. A line may have line ends within quotation marks. */
function linesOf(pasted: string): { cells: string[]; line: string }[] {
  const lines: { cells: string[]; line: string }[] = [];
  let at = 0;
  Papa.parse<string[]>(pasted, {
    skipEmptyLines: 'greedy',
    delimitersToGuess: ['\t', ';', ','],
    newline: '\n',
    step: ({ data, meta }) => {
      const line = pasted.slice(at, meta.cursor).replace(EMPTY_LINES, '').replace(/\n$/, '');
      lines.push({ cells: data, line });
      at = meta.cursor;
    },
  });
  return lines;
}

/** A table or a list. The first line may name the columns. */
function readLines(pasted: string, categories: readonly string[]): Pasted {
  const lines = linesOf(pasted);
  const names = (lines[0]?.cells ?? []).map((name) => name.trim().toLowerCase());
  const isTable = names.includes('key') || names.includes('hash') || names.includes('link');
  const header = isTable ? lines.splice(0, 1) : [];
  const rows: PastedRow[] = [];
  const unread: string[] = [];
  for (const { cells, line } of lines) {
    const found = isTable
      ? rowsOfRecord(cells, names)
      : rowsOfLine(cells.map(unquoted).filter(Boolean), categories);
    if (found.length === 0) unread.push(line);
    rows.push(...found);
  }
  // Without its header a row that is corrected would be read in another way.
  const left = unread.length === 0 ? [] : [...header.map(({ line }) => line), ...unread];
  return { rows, unread, left: left.join('\n') };
}

/** The value of a text in JSON; undefined: it is none. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * Reads keys and links (one or several in a line), a playlist (JSON), or a table with commas, semicolons or tabs, with or
 * without a header. A text without any map is left whole.
 * @param categories names of the categories there are, to recognise them in a table without a header
 */
export function readPasted(pasted: string, categories: readonly string[] = []): Pasted {
  const all = pasted.replace(BYTE_ORDER_MARK, '').replaceAll(/\r\n?/g, '\n').trim();
  const found = all.startsWith('{') ? readPlaylist(parsed(all)) : readLines(all, categories);
  if (found.rows.length > 0 || all === '') return found;
  return { rows: [], unread: found.unread.length === 0 ? [all] : found.unread, left: all };
}
