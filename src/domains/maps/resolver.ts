import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { mapErrors } from './errors.ts';
import type { MapHost } from './host.ts';
import { type FileHosts, maxScoreOf } from './rules.ts';
import type { HostMap, HostVersion, MapVersion } from './schemas.ts';
import * as store from './store.ts';

/** From a key to the upload that is published under it now, asking the map host as seldom as possible. */

interface ResolverOptions {
  database: Pick<Database, 'prisma'>;
  clock: Clock;
  host: MapHost;
  files: FileHosts;
}

/** A mapper may publish another upload at any time; for this long the one we know is taken as current. */
const KEY_KNOWN_MS = 5 * 60_000;
/** Questions to the host at once for one batch. */
const ASK_AT_ONCE = 4;

export function createResolver({ database: { prisma }, clock, host, files }: ResolverOptions) {
  /** Questions under way: who asks for the same key meanwhile waits for the same answer. */
  const asking = new Map<string, Promise<MapVersion>>();

  const ask = async (key: string): Promise<MapVersion> => {
    const map = await host.mapOf(key);
    const published = map?.versions.find((version) => version.state === 'Published');
    if (!map || !published || map.deletedAt) {
      await store.forgetKey(prisma, key);
      throw mapErrors.MAP_NOT_FOUND({ message: `The map host publishes no map ${key}.` });
    }
    const version = toVersion(key, map, published, files);
    await store.saveVersion(prisma, version, clock.now());
    return version;
  };

  const resolveFresh = (key: string): Promise<MapVersion> => {
    const underWay = asking.get(key);
    if (underWay) return underWay;
    const answer = ask(key).finally(() => asking.delete(key));
    asking.set(key, answer);
    return answer;
  };

  const resolve = async (key: string): Promise<MapVersion> =>
    (await store.findVersionOfKey(prisma, key, clock.now() - KEY_KNOWN_MS)) ?? resolveFresh(key);

  return {
    /**
     * The upload published under a key, as known for at most five minutes.
     * @param key lower-case hexadecimal
     * @throws MAP_NOT_FOUND, UPSTREAM_UNAVAILABLE
     */
    resolve,

    /** The same, but asking the host whatever is known. @throws MAP_NOT_FOUND, UPSTREAM_UNAVAILABLE */
    resolveFresh,

    /** Many keys; what went wrong stands in the place of the upload. Gives up once the host is unwell. */
    resolveAll: async (keys: readonly string[]): Promise<Map<string, MapVersion | ServiceError>> => {
      const answers = new Map<string, MapVersion | ServiceError>();
      const waiting = [...new Set(keys)];
      let unwell: ServiceError | undefined;
      const work = async () => {
        for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
          try {
            answers.set(key, unwell ?? (await resolve(key)));
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
            answers.set(key, error);
            if (error.code === 'UPSTREAM_UNAVAILABLE') unwell = error;
          }
        }
      };
      await Promise.all(Array.from({ length: ASK_AT_ONCE }, work));
      return answers;
    },
  };
}

/** Names are shown and stored as one line. */
const clean = (text: string | null | undefined): string => (text ?? '').replace(/\p{Cc}+/gu, ' ').trim();

function toVersion(key: string, map: HostMap, published: HostVersion, files: FileHosts): MapVersion {
  const hash = published.hash.toUpperCase();
  const songName = clean(map.metadata?.songName);
  const name = clean(map.name) || songName || key;
  /** An address that names another hash would hand out another map. */
  const isOfThisHash = (address: string) => address.toUpperCase().includes(hash);
  const { downloadURL, coverURL } = published;
  return {
    key,
    hash,
    name,
    songName: songName || name,
    levelAuthorName: clean(map.metadata?.levelAuthorName),
    durationSeconds: Math.round(map.metadata?.duration ?? 0),
    difficulties: (published.diffs ?? []).map(({ characteristic, difficulty, notes, maxScore }) => ({
      characteristic: clean(characteristic),
      difficulty: clean(difficulty),
      maxScore: maxScore ?? maxScoreOf(notes ?? 0),
    })),
    coverUrl: coverURL && files.allows(coverURL) ? coverURL : null,
    downloadUrl:
      downloadURL && files.allows(downloadURL) && isOfThisHash(downloadURL)
        ? downloadURL
        : files.fileOf(hash),
  };
}
