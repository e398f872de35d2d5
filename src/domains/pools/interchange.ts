import Papa from 'papaparse';
import { commonErrors, invalidField } from '../../platform/errors.ts';
import { BOUNDS } from '../../platform/limits.ts';
import type { Bplist, PoolMap, PoolWithMaps } from './schemas.ts';

/** A pool as a table (CSV, RFC 4180) and as a playlist. An exported file can be imported again. */

/** A row of a file as written. A missing value is empty. */
export interface FileRow {
  key: string;
  hash: string;
  characteristic: string;
  difficulty: string;
  /** By name. */
  category: string;
  modifiers: string[];
}

const COLUMNS = [
  'key',
  'hash',
  'name',
  'characteristic',
  'difficulty',
  'category',
  'modifiers',
  // For people who read the table. An import ignores these columns.
  'durationSeconds',
  'maxScore',
];
/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

const categoryNames = ({ categories }: PoolWithMaps) =>
  new Map(categories.map(({ categoryGuid, name }) => [categoryGuid, name]));

/**
 * The maps of a pool as a table. Anybody can write a map name, so a cell that a spreadsheet would execute (it begins
 * with `=`, `+`, `-` or `@`) gets an apostrophe in front.
 */
export function toCsv(pool: PoolWithMaps): string {
  const names = categoryNames(pool);
  const data = pool.maps.map((map) => [
    map.key,
    map.hash,
    map.name,
    map.characteristic,
    map.difficulty,
    names.get(map.categoryGuid) ?? '',
    map.modifiers.join(' '),
    String(map.durationSeconds),
    String(map.maxScore),
  ]);
  const table = Papa.unparse({ fields: COLUMNS, data }, { escapeFormulae: true });
  return `${BYTE_ORDER_MARK}${table}\r\n`;
}

/** The maps of a pool as a playlist. Category and modifiers of a song are in its `customData`. */
export function toBplist(pool: PoolWithMaps) {
  const names = categoryNames(pool);
  const songOf = (map: PoolMap) => ({
    hash: map.hash,
    key: map.key,
    songName: map.name,
    levelid: `custom_level_${map.hash}`,
    difficulties: [{ characteristic: map.characteristic, name: map.difficulty }],
    customData: { category: names.get(map.categoryGuid) ?? '', modifiers: map.modifiers },
  });
  return {
    playlistTitle: `${pool.season.name} – ${pool.name} (${pool.status}, revision ${pool.revision})`,
    playlistAuthor: 'Competitive Match Service',
    playlistDescription: `The pool ${pool.name} as it is being curated.`,
    image: '',
    songs: pool.maps.map(songOf),
  };
}

/** Many more than any tool writes. */
const MOST_COLUMNS = 100;

const refuse = (message: string) => invalidField('body', message);

/** @throws VALIDATION_FAILED when a file has no rows, or more than a batch may have */
function requireRows(count: number): void {
  const most = BOUNDS.batch.value;
  if (count > 0 && count <= most) return;
  throw commonErrors.VALIDATION_FAILED({
    message: `The file has ${count} rows; 1 to ${most} can be imported.`,
    details: { fields: [{ path: 'body', message: `must have 1 to ${most} rows` }] },
  });
}

/** Removes the apostrophe that {@link toCsv} or a spreadsheet put in front. */
const bare = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@])/, '');

/** Some tools write `expertPlus`; the map host writes `ExpertPlus`. */
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Reads a table with commas, semicolons or tabs, any line ends and any order of columns. Unknown columns are ignored.
 * @throws VALIDATION_FAILED when the text is no table with the required columns, each once, or a row has cells without a
 *   column, as an unquoted list of modifiers; when it has no rows, or too many
 */
export function rowsOfCsv(text: string): FileRow[] {
  // Without the parser's `header`: it renames repeated columns in a time that grows with the square of their number.
  const { data, errors } = Papa.parse<string[]>(text, {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t'],
  });
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) throw refuse(`has a quotation mark in row ${(quotes.row ?? 0) + 1} that is not closed`);
  const [header = [], ...rows] = data;
  if (header.length > MOST_COLUMNS)
    throw refuse(`has ${header.length} columns; at most ${MOST_COLUMNS} are read`);
  const columns = header.map((name) => name.trim().toLowerCase());
  if (!columns.includes('key') && !columns.includes('hash')) throw refuse('needs a column `key` or `hash`');
  if (!columns.includes('difficulty')) throw refuse('needs a column `difficulty`');
  const repeated = columns.find((name, at) => COLUMNS.includes(name) && columns.indexOf(name) !== at);
  if (repeated !== undefined) throw refuse(`has the column \`${repeated}\` twice`);
  const wide = rows.findIndex((cells) => cells.slice(columns.length).some((cell) => cell.trim() !== ''));
  // The header is the first row.
  if (wide >= 0) throw refuse(`has more cells in row ${wide + 2} than there are columns`);
  requireRows(rows.length);
  return rows.map((cells) => {
    const cell = (name: string) => bare(cells[columns.indexOf(name)] ?? '');
    return {
      key: cell('key'),
      hash: cell('hash'),
      characteristic: capital(cell('characteristic')) || 'Standard',
      difficulty: capital(cell('difficulty')),
      category: cell('category'),
      modifiers: cell('modifiers')
        .split(/[\s|,;/]+/)
        .filter(Boolean),
    };
  });
}

/**
 * Reads a playlist of any tool: one row for each marked difficulty, or one row for a song without any.
 * @throws VALIDATION_FAILED when it has no rows, or too many
 */
export function rowsOfBplist({ songs }: Bplist): FileRow[] {
  const rows = songs.flatMap(({ key, hash: named, levelid, difficulties, customData }) => {
    const hash = named || /^custom_level_([0-9a-f]{40})/i.exec(levelid ?? '')?.[1];
    const marked = difficulties?.length ? difficulties : [{ characteristic: null, name: '' }];
    return marked.map(({ characteristic, name }) => ({
      // The hash names one upload exactly.
      key: hash ? '' : (key ?? ''),
      hash: hash ?? '',
      characteristic: capital(characteristic ?? '') || 'Standard',
      difficulty: capital(name),
      category: customData?.category ?? '',
      modifiers: customData?.modifiers ?? [],
    }));
  });
  requireRows(rows.length);
  return rows;
}
