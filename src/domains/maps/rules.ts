import { cutName } from '../../platform/names.ts';
import { mapErrors } from './errors.ts';
import {
  CHARACTERISTICS,
  DIFFICULTIES,
  type HostDifficulty,
  type HostMap,
  type HostVersion,
  type LookedUpMap,
  type MapVersion,
} from './schemas.ts';

/** A hash has forty characters, a key eight at most. */
export const isHash = (asked: string): boolean => asked.length === 40;

/**
 * Maximum score of `notes` plain notes, for uploads where the map host gives none. A note is worth 115,
 * times a multiplier that becomes 2, 4 and 8 after 1, 5 and 13 notes without a mistake.
 *
 * 1 note: 115. 5 notes: 115 + 4 × 230 = 1035. 13 notes: 1035 + 8 × 460 = 4715. 430 notes: 388,355.
 */
export function maxScoreOf(notes: number): number {
  if (notes <= 1) return 115 * Math.max(0, notes);
  if (notes <= 5) return 115 + 230 * (notes - 1);
  if (notes <= 13) return 1035 + 460 * (notes - 5);
  return 4715 + 920 * (notes - 13);
}

/**
 * Finds a difficulty of an upload. Both names must be spelled as by the host.
 * @throws DIFFICULTY_NOT_FOUND, which names the existing ones
 * @throws MAP_NOT_PLAYABLE for a light show or a map without a duration
 */
export function chooseDifficulty(
  version: MapVersion,
  wanted: { characteristic: string; difficulty: string },
) {
  const found = version.difficulties.find(
    (one) => one.characteristic === wanted.characteristic && one.difficulty === wanted.difficulty,
  );
  if (found === undefined) {
    const there = version.difficulties.map((one) => `${one.characteristic} ${one.difficulty}`).join(', ');
    throw mapErrors.DIFFICULTY_NOT_FOUND({
      message: `Map ${version.key} has no ${wanted.characteristic} ${wanted.difficulty}. It has: ${there || 'nothing'}.`,
    });
  }
  if (!isPlayable(version, found)) throw mapErrors.MAP_NOT_PLAYABLE();
  return { ...found, durationSeconds: version.durationSeconds };
}

/** Whether a player can score: a light show has no score, and some uploads have no duration. */
const isPlayable = ({ durationSeconds }: MapVersion, { maxScore }: HostDifficulty): boolean =>
  durationSeconds > 0 && maxScore > 0;

/** A map as an addition to a pool would take it, with all its difficulties. */
export function lookedUp(version: MapVersion): LookedUpMap {
  const { key, hash, name, durationSeconds, coverUrl } = version;
  const difficulties = version.difficulties.map((one) => {
    const { characteristic, difficulty } = one;
    const playable = isPlayable(version, one);
    return { characteristic, difficulty, maxScore: playable ? one.maxScore : 0, playable };
  });
  return { key, hash, name, durationSeconds, coverUrl, difficulties };
}

/** The hosts that a download or a cover may lead to. */
export type FileHosts = ReturnType<typeof fileHosts>;

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/**
 * @returns the name as in a parsed address, with a leading dot any sub-domain of it; and the port, null for the default one of
 *   the scheme
 */
function allowedHost(entry: string) {
  const [, dot = '', host = '', port = null] = /^(\.?)(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return { name: dot + new URL(`http://${host}`).hostname, port: port && String(Number(port)) };
}

/**
 * @param hosts `host` or `host:port`, a leading `.` is any sub-domain; at least one
 * @param mapHostUrl with http, as on a laptop, files may be http too; otherwise they must be https
 */
export function fileHosts(hosts: readonly string[], mapHostUrl: string) {
  const scheme = new URL(mapHostUrl).protocol === 'http:' ? 'http:' : 'https:';
  const allowed = hosts.map(allowedHost);
  const [first] = hosts.map((host) => host.toLowerCase());

  const isAllowed = (url: URL) => {
    if (url.protocol !== 'https:' && url.protocol !== scheme) return false;
    if (url.username !== '' || url.password !== '') return false;
    const port = url.port || DEFAULT_PORTS[url.protocol];
    return allowed.some(
      ({ name, port: wanted }) =>
        (wanted === null ? url.port === '' : wanted === port) &&
        (name.startsWith('.') ? url.hostname.endsWith(name) && url.hostname !== name : url.hostname === name),
    );
  };

  return {
    /**
     * Normalises an address, so that it can stand in a header: the host in lower case and in ASCII.
     * @returns null when the host is not allowed
     */
    accept: (address: string) => {
      if (!URL.canParse(address)) return null;
      const url = new URL(address);
      return isAllowed(url) ? url.href : null;
    },
    /** The address of a file that the map host does not name. */
    fileOf: (hash: string) =>
      `${scheme}//${first?.startsWith('.') ? `cdn${first}` : first}/${hash.toLowerCase()}.zip`,
  };
}

/** The type of a picture by its first bytes, whatever its name or header says; null for anything else. */
export function pictureType(bytes: Buffer): 'image/jpeg' | 'image/png' | 'image/webp' | null {
  const textAt = (at: number, length: number) => bytes.toString('latin1', at, at + length);
  if (textAt(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (textAt(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  return textAt(0, 4) === 'RIFF' && textAt(8, 4) === 'WEBP' ? 'image/webp' : null;
}

const LONGEST_NAME = 1000;

/** A name as one line, without characters that PostgreSQL cannot store. */
const clean = (text: string | null | undefined): string =>
  cutName(
    (text ?? '')
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
    LONGEST_NAME,
  );

const characteristics: ReadonlySet<string> = new Set(CHARACTERISTICS);
const difficulties: ReadonlySet<string> = new Set(DIFFICULTIES);

/** An upload as the map host describes it, in the words of this service. @param key as asked for, or the map's own */
export function versionOf(key: string, map: HostMap, published: HostVersion, files: FileHosts): MapVersion {
  const hash = published.hash.toUpperCase();
  const songName = clean(map.metadata?.songName);
  const name = clean(map.name) || songName || key;
  const { downloadURL, coverURL } = published;
  const download = downloadURL ? files.accept(downloadURL) : null;
  return {
    key,
    hash,
    name,
    songName: songName || name,
    levelAuthorName: clean(map.metadata?.levelAuthorName),
    durationSeconds: Math.max(0, Math.round(map.metadata?.duration ?? 0)),
    difficulties: (published.diffs ?? [])
      .filter((one) => characteristics.has(one.characteristic) && difficulties.has(one.difficulty))
      .map(({ characteristic, difficulty, notes, maxScore }) => ({
        characteristic,
        difficulty,
        maxScore: maxScore ?? maxScoreOf(notes ?? 0),
      })),
    coverUrl: coverURL ? files.accept(coverURL) : null,
    downloadUrl: download !== null && isFileOf(download, hash) ? download : files.fileOf(hash),
  };
}

/** Whether the path of an address names this hash: any other file would be another map. */
const isFileOf = (address: string, hash: string): boolean =>
  new RegExp(`(^|[^0-9A-F])${hash}([^0-9A-F]|$)`).test(new URL(address).pathname.toUpperCase());
