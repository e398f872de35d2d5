import { createHash } from 'node:crypto';
import type { Config } from '../../config.ts';
import { type Clock, isoTime, newGuid } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import type { ServiceError } from '../../platform/errors.ts';
import { commonErrors } from '../../platform/errors.ts';
import { decodeCursor, type PageQuery, toPage } from '../../platform/http/schemas.ts';
import { createHotFiles } from '../../platform/storage/hot-files.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { auditorOf } from '../audit/index.ts';
import { defaultFileName, FormatCheck, fileNameOf } from './binaries.ts';
import { releaseErrors } from './errors.ts';
import {
  byGameVersion,
  isAccepted,
  isSameVersion,
  notAccepted,
  type PluginVersions,
  pluginVersions,
} from './rules.ts';
import {
  type FormerRelease,
  historyKey,
  type PluginRelease,
  type ReleaseList,
  type ServerStatus,
} from './schemas.ts';
import { isSignedBy, readPublicKey, readSignature, SIGNED_HASH, type Signature } from './signature.ts';
import type { StoredRelease } from './store.ts';
import * as store from './store.ts';

export interface ReleasesOptions {
  config: Pick<Config, 'baseUrl' | 'pluginVersions' | 'releasePublicKeys' | 'maintenance'>;
  database: Database;
  storage: Storage;
  clock: Clock;
  /** Whether this node is about to stop. */
  isDraining(): boolean;
}

/** An upload. */
export interface Upload {
  gameVersion: string;
  pluginVersion: string;
  /** `Content-Disposition` as sent. */
  contentDisposition?: string;
  /** SHA-256 the file must have, lower-case hexadecimal. */
  sha256?: string;
  /** A `.minisig` file in base64. */
  signature?: string;
  body: AsyncIterable<Uint8Array>;
  /** Throws when the client has disconnected: nothing is published that nobody would hear of. */
  requireClient(): void;
}

/** A release to send, with its file. The file of a release never changes. */
export interface ReleaseFile {
  release: StoredRelease;
  bytes: Buffer;
}

export type Releases = ReturnType<typeof createService>;

const FOLDER = 'releases';
/** Memory for cached files: the current plugin of a few game versions. */
const HOT_BYTES = 128 * 1024 * 1024;
/** A release that another node published is served here after at most this time; one of this node at once. */
const MANIFEST_MS = 250;

const keyOf = (releaseGuid: string): string => `${FOLDER}/${releaseGuid}`;

/** Plugin releases, and the plugin versions that may play. */
export function createService(options: ReleasesOptions) {
  const { config, database, storage, clock, isDraining } = options;
  const { prisma } = database;
  const publicKeys = config.releasePublicKeys.flatMap((line) => readPublicKey(line) ?? []);
  const hotFiles = createHotFiles({ storage, maxBytes: HOT_BYTES });

  const describe = (release: StoredRelease): PluginRelease => ({
    gameVersion: release.gameVersion,
    pluginVersion: release.pluginVersion,
    fileName: release.fileName,
    sha256: release.sha256,
    size: release.size,
    uploadedAt: isoTime(release.uploadedAt),
    downloadUrl: `${config.baseUrl}/plugin-releases/${release.gameVersion}/download`,
  });

  const loadServed = async (): Promise<StoredRelease[]> =>
    (await store.loadServed(prisma)).sort((a, b) => byGameVersion(a.gameVersion, b.gameVersion));

  const versionsOf = (served: readonly StoredRelease[]): PluginVersions =>
    pluginVersions(
      config.pluginVersions,
      served.map((release) => release.pluginVersion),
    );

  /** The release that is served. @throws RELEASE_NOT_FOUND */
  const servedFor = async (gameVersion: string, db: Db = prisma): Promise<StoredRelease> => {
    const release = await store.servedFor(db, gameVersion);
    if (release === null) throw releaseErrors.RELEASE_NOT_FOUND();
    return release;
  };

  /** Requests at the same time share one query: downloads, handshakes and uploads are many, releases rare. */
  let manifest: { mark: number; seenAt: number; served: Promise<Map<string, StoredRelease>> } | null = null;
  const recent = async (): Promise<Map<string, StoredRelease>> => {
    const mark = database.changes.mark(['PluginRelease']);
    if (manifest?.mark !== mark || performance.now() - manifest.seenAt > MANIFEST_MS) {
      const served = store
        .loadServed(prisma)
        .then((releases) => new Map(releases.map((release) => [release.gameVersion, release])));
      manifest = { mark, seenAt: performance.now(), served };
    }
    const { served } = manifest;
    return served.catch((error: unknown) => {
      if (manifest?.served === served) manifest = null;
      throw error;
    });
  };
  const recentlyServed = async (gameVersion: string): Promise<StoredRelease> =>
    (await recent()).get(gameVersion) ?? servedFor(gameVersion);

  const versions = async (): Promise<PluginVersions> => versionsOf([...(await recent()).values()]);

  const auditRelease = auditorOf<PluginRelease>(
    clock,
    ({ gameVersion }) => `/plugin-releases/${gameVersion}`,
  );
  /** The actor is null: the build pipeline has no account. */
  const audit = (db: Db, action: string, before: StoredRelease | null, after: StoredRelease | null) =>
    auditRelease(db, { actorGuid: null }, action, before && describe(before), after && describe(after));

  /** The served release of a game version when its file is missing: publishing the same file again restores it. */
  const servedWithoutFile = async (gameVersion: string): Promise<string | null> => {
    const release = await store.servedFor(prisma, gameVersion);
    if (release === null || (await storage.head(keyOf(release.releaseGuid))) !== null) return null;
    return release.releaseGuid;
  };

  /**
   * Serves a stored file from now on. Publishing the served release again changes nothing.
   * @returns the served release: this one, or the equal one that was served already
   */
  const serve = async (
    published: Omit<StoredRelease, 'servedFrom' | 'servedUntil'>,
  ): Promise<StoredRelease> => {
    const lost = await servedWithoutFile(published.gameVersion);
    return inTransaction(database, async (db) => {
      await store.lockGameVersion(db, published.gameVersion);
      const before = await store.servedFor(db, published.gameVersion);
      if (before !== null && before.releaseGuid !== lost && isRepeated(before, published)) return before;
      const release = { ...published, servedFrom: clock.now(), servedUntil: null };
      if (before !== null) await store.endServing(db, before.releaseGuid, release.servedFrom);
      await store.addRelease(db, release);
      await store.endUpload(db, release.releaseGuid);
      await audit(db, 'publishRelease', before, release);
      return release;
    });
  };

  const readSigned = (upload: Upload): { signature: Signature; text: string } | null => {
    if (upload.signature === undefined) {
      if (publicKeys.length > 0) throw releaseErrors.SIGNATURE_REQUIRED();
      return null;
    }
    const text = Buffer.from(upload.signature, 'base64').toString();
    const signature = readSignature(text);
    if (signature === null)
      throw releaseErrors.SIGNATURE_INVALID({
        message: 'This is not a signature of the hash of a file in the format of minisign.',
      });
    return { signature, text };
  };

  return {
    versions,

    /** Game versions with a release. */
    gameVersions: async (): Promise<string[]> => [...(await recent()).keys()],

    list: async (): Promise<ReleaseList> => {
      const served = await loadServed();
      return { servedPluginVersion: versionsOf(served).served, releases: served.map(describe) };
    },

    status: async (): Promise<ServerStatus> => {
      const releases = await loadServed();
      const { accepted, served } = versionsOf(releases);
      return {
        online: true,
        status: isDraining() ? 'draining' : config.maintenance ? 'maintenance' : 'online',
        allowedGameVersions: releases.map((release) => release.gameVersion),
        acceptedPluginVersions: [...accepted],
        servedPluginVersion: served,
        time: isoTime(clock.now()),
      };
    },

    /**
     * Accepts a plugin version, or names the one to get.
     * @param running the version that the player's running match began with: it stays accepted for that match
     * @throws PLUGIN_VERSION_MISSING, PLUGIN_VERSION_NOT_ACCEPTED
     */
    requireAccepted: async (version: string | undefined, running: string | null = null): Promise<void> => {
      if (version === undefined || version === '') throw releaseErrors.PLUGIN_VERSION_MISSING();
      if (running !== null && isSameVersion(running, version)) return;
      if (isAccepted(await versions(), version)) return;
      // Another node may have published it a moment ago.
      const known = versionsOf(await store.loadServed(prisma));
      if (!isAccepted(known, version)) throw notAccepted(known, version);
    },

    /**
     * Publishes a binary for a game version and replaces the present one. The file is durable before its row is
     * written. Until the row is committed the former release is served.
     * @throws NOT_A_BINARY, CHECKSUM_MISMATCH, SIGNATURE_REQUIRED, SIGNATURE_INVALID, STORAGE_FULL,
     *   STORAGE_UNAVAILABLE, and what `body` throws
     */
    publish: async (upload: Upload): Promise<PluginRelease> => {
      const { gameVersion, pluginVersion } = upload;
      const signed = readSigned(upload);
      const releaseGuid = newGuid();
      const inspected = inspect(upload.body, signed !== null);
      await store.beginUpload(prisma, releaseGuid, clock.now());
      const accept = (written: { sha256: string }): void => {
        const refusal = refusalOf(upload, written.sha256);
        if (refusal !== null) throw refusal;
        if (signed && publicKeys.length > 0 && !isSignedBy(publicKeys, signed.signature, inspected.hash()))
          throw releaseErrors.SIGNATURE_INVALID();
        upload.requireClient();
      };
      const stored = storage.put(keyOf(releaseGuid), inspected.body, { accept });
      const { size, sha256 } = await stored.catch(async (error: unknown) => {
        // The object storage may have stored the file although its answer was lost. A failed removal is tried again later.
        await storage
          .delete(keyOf(releaseGuid))
          .then(() => store.endUpload(prisma, releaseGuid))
          .catch(() => {});
        throw error;
      });
      // After a failure it is unknown whether the row was committed, so the file stays. Without a row it is removed later.
      const served = await serve({
        releaseGuid,
        gameVersion,
        pluginVersion,
        fileName:
          fileNameOf(upload.contentDisposition ?? '') ??
          defaultFileName(pluginVersion, gameVersion, inspected.extension()),
        sha256,
        size,
        signature: signed?.text ?? null,
        uploadedAt: clock.now(),
      });
      if (served.releaseGuid !== releaseGuid) {
        await storage.delete(keyOf(releaseGuid));
        await store.endUpload(prisma, releaseGuid);
      }
      return describe(served);
    },

    /** Serves nothing for a game version any more; its files stay. @throws RELEASE_NOT_FOUND */
    withdraw: (gameVersion: string): Promise<void> =>
      inTransaction(database, async (db) => {
        await store.lockGameVersion(db, gameVersion);
        const before = await servedFor(gameVersion, db);
        await store.endServing(db, before.releaseGuid, clock.now());
        await audit(db, 'withdrawRelease', before, null);
      }),

    /**
     * Serves an earlier plugin version again, also a withdrawn one: its latest upload when there are several.
     * @throws RELEASE_NOT_FOUND
     */
    rollBack: async (gameVersion: string, pluginVersion: string): Promise<PluginRelease> => {
      const find = async (db: Db): Promise<StoredRelease> => {
        const published = await store.loadPublished(db, gameVersion);
        const found = published.find((one) => isSameVersion(one.pluginVersion, pluginVersion));
        if (found === undefined)
          throw releaseErrors.RELEASE_NOT_FOUND({
            message: `Plugin version ${pluginVersion} was never published for this game version.`,
          });
        return found;
      };
      const { releaseGuid } = await find(prisma);
      if ((await storage.head(keyOf(releaseGuid))) === null)
        throw releaseErrors.RELEASE_NOT_FOUND({ message: 'The file of this release is gone.' });
      return inTransaction(database, async (db) => {
        await store.lockGameVersion(db, gameVersion);
        const before = await store.servedFor(db, gameVersion);
        const again = await find(db);
        if (again.releaseGuid === before?.releaseGuid) return describe(before);
        const now = clock.now();
        if (before !== null) await store.endServing(db, before.releaseGuid, now);
        await store.serveAgain(db, again.releaseGuid, now);
        await audit(db, 'rollBackRelease', before, again);
        return describe(again);
      });
    },

    /** A page of the releases of a game version, newest upload first. */
    history: async (gameVersion: string, { limit, cursor }: PageQuery) => {
      const [after] = cursor === undefined ? [] : decodeCursor(cursor, historyKey);
      const rows = await store.loadPublished(prisma, gameVersion, { after, limit: limit + 1 });
      const { items, nextCursor } = toPage(rows, limit, ({ releaseGuid }) => [releaseGuid]);
      return { items: items.map(asHistory), nextCursor };
    },

    /** What is served for a game version. @throws RELEASE_NOT_FOUND */
    served: recentlyServed,

    /**
     * The served release of a game version with its file: both of one release, whatever is published meanwhile.
     * @throws RELEASE_NOT_FOUND, STORAGE_UNAVAILABLE
     */
    file: async (gameVersion: string): Promise<ReleaseFile> => {
      const release = await recentlyServed(gameVersion);
      const bytes = await hotFiles.read(keyOf(release.releaseGuid));
      if (bytes === null) throw releaseErrors.RELEASE_NOT_FOUND();
      if (bytes.length !== release.size)
        throw commonErrors.STORAGE_UNAVAILABLE({
          cause: new Error(`${keyOf(release.releaseGuid)} has ${bytes.length} bytes, not ${release.size}`),
        });
      return { release, bytes };
    },

    /**
     * Removes files of uploads whose process died before a release named them.
     * @param ageMs least age: younger uploads may still be under way
     * @returns the number of removed files
     */
    removeLitter: async (ageMs: number): Promise<number> => {
      const litter = await store.uploadsBefore(prisma, clock.now() - ageMs);
      for (const releaseGuid of litter) {
        await storage.delete(keyOf(releaseGuid));
        await store.endUpload(prisma, releaseGuid);
      }
      return litter.length;
    },
  };
}

const isRepeated = (
  before: StoredRelease,
  release: Pick<StoredRelease, 'pluginVersion' | 'sha256' | 'fileName' | 'signature'>,
): boolean =>
  (['pluginVersion', 'sha256', 'fileName', 'signature'] as const).every(
    (member) => before[member] === release[member],
  );

const refusalOf = ({ sha256 }: Upload, found: string): ServiceError | null =>
  sha256 !== undefined && sha256 !== found
    ? releaseErrors.CHECKSUM_MISMATCH({ message: `The file's SHA-256 is ${found}, not ${sha256}.` })
    : null;

const asHistory = ({ releaseGuid: _, signature, ...release }: StoredRelease): FormerRelease => ({
  ...release,
  signed: signature !== null,
  uploadedAt: isoTime(release.uploadedAt),
  servedFrom: isoTime(release.servedFrom),
  servedUntil: release.servedUntil === null ? null : isoTime(release.servedUntil),
});

/** Inspects a file while it is stored: its format, as soon as enough bytes came, and the hash that a signature covers. */
function inspect(body: AsyncIterable<Uint8Array>, isSigned: boolean) {
  const hash = isSigned ? createHash(SIGNED_HASH) : null;
  const check = new FormatCheck();
  return {
    body: (async function* () {
      for await (const chunk of body) {
        if (!check.write(chunk)) throw releaseErrors.NOT_A_BINARY();
        hash?.update(chunk);
        yield chunk;
      }
      if (check.end() === null) throw releaseErrors.NOT_A_BINARY();
    })(),
    /** To be called after the last byte. */
    extension: (): string => check.end() ?? '',
    hash: (): Buffer => hash?.digest() ?? Buffer.alloc(0),
  };
}
