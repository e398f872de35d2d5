import Papa from 'papaparse';
import { invalidField } from '../../platform/errors.ts';
import type { Bplist, PoolMap, PoolWithMaps } from './schemas.ts';

/**
 * A pool as files for the tools curators have: a table for spreadsheets (CSV, RFC 4180) and a playlist. What
 * is exported can be imported again.
 */

/** A line of a file, as it was written; what it lacks is empty. */
export interface FileRow {
  key: string;
  hash: string;
  characteristic: string;
  difficulty: string;
  /** By name. */
  category: string;
  modifiers: string[];
}

const COLUMNS = ['key', 'hash', 'name', 'characteristic', 'difficulty', 'category', 'modifiers'] as const;
/** Shown to whoever reads the table; what they say on import counts for nothing. */
const INFORMATION = ['durationSeconds', 'maxScore'] as const;
/** So that spreadsheets take it for UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

const categoryNames = ({ categories }: PoolWithMaps) =>
  new Map(categories.map(({ categoryGuid, name }) => [categoryGuid, name]));

/**
 * The maps of a pool as a table. A cell that a spreadsheet would calculate (`=`, `+`, `-`, `@` in front) begins
 * with an apostrophe instead: map names are written by strangers.
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
  const table = Papa.unparse({ fields: [...COLUMNS, ...INFORMATION], data }, { escapeFormulae: true });
  return `${BYTE_ORDER_MARK}${table}\r\n`;
}

/** The maps of a pool as a playlist, with what playlists do not know under `customData` of each song. */
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

const refuse = (message: string) => invalidField('body', message);

/** The apostrophe of {@link toCsv}, or one that a spreadsheet kept. */
const bare = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@])/, '');

/** Tools write `expertPlus` where the map host writes `ExpertPlus`. */
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Reads a table: commas, semicolons or tabs, any line ends, the columns in any order; unknown ones are left
 * aside.
 * @throws VALIDATION_FAILED when it is no table with the columns that are needed
 */
export function rowsOfCsv(text: string): FileRow[] {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(
    text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text,
    {
      header: true,
      skipEmptyLines: 'greedy',
      delimitersToGuess: [',', ';', '\t'],
      transformHeader: (name) => name.trim().toLowerCase(),
    },
  );
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) throw refuse(`has a quotation mark in line ${(quotes.row ?? 0) + 2} that is not closed`);
  const columns = new Set(meta.fields);
  if (!columns.has('key') && !columns.has('hash')) throw refuse('needs a column `key` or `hash`');
  if (!columns.has('difficulty')) throw refuse('needs a column `difficulty`');
  return data.map((cells) => {
    const cell = (name: string) => bare(cells[name] ?? '');
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

/** Reads a playlist of whatever tool: one row for each difficulty it marks; a song without any is a row too. */
export const rowsOfBplist = ({ songs }: Bplist): FileRow[] =>
  songs.flatMap(({ key, hash: named, levelid, difficulties, customData }) => {
    const hash = named || /^custom_level_([0-9a-f]{40})/i.exec(levelid ?? '')?.[1];
    const marked = difficulties?.length ? difficulties : [{ characteristic: null, name: '' }];
    return marked.map(({ characteristic, name }) => ({
      // The hash says exactly which upload was meant.
      key: hash ? '' : (key ?? ''),
      hash: hash ?? '',
      characteristic: capital(characteristic ?? '') || 'Standard',
      difficulty: capital(name),
      category: customData?.category ?? '',
      modifiers: customData?.modifiers ?? [],
    }));
  });
