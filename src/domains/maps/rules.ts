import { mapErrors } from './errors.ts';
import type { MapVersion } from './schemas.ts';

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

/** What of an upload is played: one difficulty of one characteristic. */
export interface ChosenDifficulty {
  characteristic: string;
  difficulty: string;
  durationSeconds: number;
  maxScore: number;
}

/**
 * Finds a difficulty of an upload. Both names are compared exactly, as the host spells them.
 * @throws DIFFICULTY_NOT_FOUND, with what there is
 * @throws MAP_NOT_PLAYABLE for a light show or a map without a duration
 */
export function chooseDifficulty(
  version: MapVersion,
  wanted: { characteristic: string; difficulty: string },
): ChosenDifficulty {
  const found = version.difficulties.find(
    (one) => one.characteristic === wanted.characteristic && one.difficulty === wanted.difficulty,
  );
  if (found === undefined) {
    const there = version.difficulties.map((one) => `${one.characteristic} ${one.difficulty}`).join(', ');
    throw mapErrors.DIFFICULTY_NOT_FOUND({
      message: `Map ${version.key} has no ${wanted.characteristic} ${wanted.difficulty}. It has: ${there || 'nothing'}.`,
    });
  }
  if (version.durationSeconds <= 0 || found.maxScore <= 0) throw mapErrors.MAP_NOT_PLAYABLE();
  return { ...found, durationSeconds: version.durationSeconds };
}

/** Where files may lie: the addresses an answer of the map host may make us hand out. */
export interface FileHosts {
  /**
   * An address as it may be handed out, in its one spelling: without anything that does not belong into a
   * header, the host in lower case and in ASCII.
   * @returns null for one that may not
   */
  accept(address: string): string | null;
  /** Where the file of a hash lies when the answer does not say so. */
  fileOf(hash: string): string;
}

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

interface AllowedHost {
  /** As a parsed address spells it; with a leading dot any sub-domain of it. */
  name: string;
  /** Null: the one that belongs to the scheme. */
  port: string | null;
}

function allowedHost(entry: string): AllowedHost {
  const [, dot = '', host = '', port = null] = /^(\.?)(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return { name: dot + new URL(`http://${host}`).hostname, port: port && String(Number(port)) };
}

/**
 * @param hosts `host` or `host:port`, a leading `.` is any sub-domain; at least one
 * @param mapHostUrl http allows http for files too: a map host on a laptop; else they must be https
 */
export function fileHosts(hosts: readonly string[], mapHostUrl: string): FileHosts {
  const scheme = new URL(mapHostUrl).protocol === 'http:' ? 'http:' : 'https:';
  const allowed = hosts.map(allowedHost);
  const [first] = hosts.map((host) => host.toLowerCase());

  const isAllowed = (url: URL): boolean => {
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
    accept: (address) => {
      if (!URL.canParse(address)) return null;
      const url = new URL(address);
      return isAllowed(url) ? url.href : null;
    },
    fileOf: (hash) =>
      `${scheme}//${first?.startsWith('.') ? `cdn${first}` : first}/${hash.toLowerCase()}.zip`,
  };
}
