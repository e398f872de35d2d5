import { createHash } from 'node:crypto';
import type { Config } from '../../config.ts';
import { type Clock, newGuid } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import { REMOVAL_MS, removeRecorded } from '../../platform/storage/removal.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { within } from '../../platform/within.ts';
import { auditorOf } from '../audit/index.ts';
import { defaultFileName, FormatCheck, fileNameOf } from './binaries.ts';
import { type Catalogue, keyOf } from './catalogue.ts';
import { releaseErrors } from './errors.ts';
import { isSameVersion } from './rules.ts';
import type { PluginRelease } from './schemas.ts';
import { isSignedBy, readPublicKey, readSignature, SIGNED_HASH } from './signature.ts';
import type { StoredRelease } from './store.ts';
import * as store from './store.ts';

export interface PublishingOptions {
  config: Pick<Config, 'releasePublicKeys'>;
  database: Database;
  storage: Storage;
  clock: Clock;
  catalogue: Pick<Catalogue, 'describe' | 'servedFor'>;
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
  /** Throws when the client has disconnected: a release without an answer to the pipeline is not published. */
  requireClient(): void;
}

/** Changes of the served releases, and the removal of unused files. */
export function createPublishing({ config, database, storage, clock, catalogue }: PublishingOptions) {
  const { prisma } = database;
  const { describe, servedFor } = catalogue;
  const publicKeys = config.releasePublicKeys.flatMap((line) => readPublicKey(line) ?? []);
  const auditRelease = auditorOf<PluginRelease>(
    clock,
    ({ gameVersion }) => `/plugin-releases/${gameVersion}`,
  );
  /** The actor is null: the build pipeline has no account. */
  const audit = (db: Db, action: string, before: StoredRelease | null, after: StoredRelease | null) =>
    auditRelease(db, { actorGuid: null }, action, before && describe(before), after && describe(after));

  const now = () => new Date(clock.now());

  /** Removes the files of uploads that became no release. */
  const discard = (...releaseGuids: string[]): Promise<void> =>
    removeRecorded(
      releaseGuids,
      (releaseGuid) => storage.delete(keyOf(releaseGuid)),
      (removed) => store.endUploads(prisma, removed),
    );

  /** The served release of a game version when its file is missing: publishing the same file again restores it. */
  const servedWithoutFile = async (gameVersion: string) => {
    const release = await store.servedFor(prisma, gameVersion);
    if (release === null || (await storage.has(keyOf(release.releaseGuid)))) return null;
    return release.releaseGuid;
  };

  /**
   * Serves a stored file from now on. Publishing the served release again changes nothing.
   * @returns the served release: this one, or the equal one that was served already
   */
  const serve = async (published: Omit<StoredRelease, 'servedFrom' | 'servedUntil'>) => {
    const lost = await servedWithoutFile(published.gameVersion);
    return inTransaction(database, ['PluginRelease'], async (db) => {
      await store.lockGameVersion(db, published.gameVersion);
      const before = await store.servedFor(db, published.gameVersion);
      if (before !== null && before.releaseGuid !== lost && isRepeated(before, published)) return before;
      const release = { ...published, servedFrom: now(), servedUntil: null };
      if (before !== null) await store.endServing(db, before.releaseGuid, release.servedFrom);
      await store.addRelease(db, release);
      await store.endUploads(db, [release.releaseGuid]);
      await audit(db, 'publishRelease', before, release);
      return release;
    });
  };

  const readSigned = (upload: Upload) => {
    if (upload.signature === undefined) {
      if (publicKeys.length > 0) throw releaseErrors.SIGNATURE_REQUIRED();
      return null;
    }
    const text = Buffer.from(upload.signature, 'base64').toString();
    const signature = existing(readSignature(text), () =>
      releaseErrors.SIGNATURE_INVALID({
        message: 'This is not a signature of the hash of a file in the format of minisign.',
      }),
    );
    return { signature, text };
  };

  /** @throws SIGNATURE_REQUIRED for a stored release that is not signed with one of the keys, if there are keys */
  const requireSigned = async ({ releaseGuid, signature }: StoredRelease) => {
    if (publicKeys.length === 0) return;
    const read = signature === null ? null : readSignature(signature);
    const file = read && (await storage.get(keyOf(releaseGuid)));
    const hash = createHash(SIGNED_HASH);
    for await (const chunk of file ?? []) hash.update(chunk);
    if (!read || !isSignedBy(publicKeys, read, hash.digest()))
      throw releaseErrors.SIGNATURE_REQUIRED({
        message:
          'This release is not signed with one of the configured keys. Publish its file again with a signature.',
      });
  };

  return {
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
      const accept = (written: { sha256: string }) => {
        if (upload.sha256 !== undefined && upload.sha256 !== written.sha256)
          throw releaseErrors.CHECKSUM_MISMATCH({
            message: `The file's SHA-256 is ${written.sha256}, not ${upload.sha256}.`,
          });
        if (signed && publicKeys.length > 0 && !isSignedBy(publicKeys, signed.signature, inspected.hash()))
          throw releaseErrors.SIGNATURE_INVALID();
        upload.requireClient();
      };
      const stored = storage.put(keyOf(releaseGuid), inspected.body, { accept });
      const { size, sha256 } = await stored.catch(async (error: unknown) => {
        // The object storage may have stored the file although its answer was lost. A failed removal is tried again later.
        await within(
          REMOVAL_MS,
          discard(releaseGuid).catch(() => {}),
        );
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
        uploadedAt: now(),
      });
      if (served.releaseGuid !== releaseGuid) await discard(releaseGuid);
      return describe(served);
    },

    /** Serves nothing for a game version any more; its files stay. @throws RELEASE_NOT_FOUND */
    withdraw: (gameVersion: string) =>
      inTransaction(database, ['PluginRelease'], async (db) => {
        await store.lockGameVersion(db, gameVersion);
        const before = await servedFor(gameVersion, db);
        await store.endServing(db, before.releaseGuid, now());
        await audit(db, 'withdrawRelease', before, null);
      }),

    /**
     * Serves an earlier plugin version again, also a withdrawn one: its latest upload when there are several.
     * @throws RELEASE_NOT_FOUND; SIGNATURE_REQUIRED when it is not signed with one of the configured keys
     */
    rollBack: async (gameVersion: string, pluginVersion: string): Promise<PluginRelease> => {
      const find = async (db: Db) => {
        const published = await store.loadPublished(db, gameVersion);
        return existing(
          published.find((one) => isSameVersion(one.pluginVersion, pluginVersion)),
          () =>
            releaseErrors.RELEASE_NOT_FOUND({
              message: `Plugin version ${pluginVersion} was never published for this game version.`,
            }),
        );
      };
      const found = await find(prisma);
      if (!(await storage.has(keyOf(found.releaseGuid))))
        throw releaseErrors.RELEASE_NOT_FOUND({ message: 'The file of this release is gone.' });
      await requireSigned(found);
      return inTransaction(database, ['PluginRelease'], async (db) => {
        await store.lockGameVersion(db, gameVersion);
        const before = await store.servedFor(db, gameVersion);
        // This may be another release than the checked one, published meanwhile: its signature was checked then.
        const again = await find(db);
        if (again.releaseGuid === before?.releaseGuid) return describe(before);
        const at = now();
        if (before !== null) await store.endServing(db, before.releaseGuid, at);
        await store.serveAgain(db, again.releaseGuid, at);
        await audit(db, 'rollBackRelease', before, again);
        return describe(again);
      });
    },

    /**
     * Removes files of uploads whose process died before a release named them.
     * @param ageMs least age: younger uploads may still be under way
     * @returns the number of removed files
     */
    removeUnfinished: async (ageMs: number) => {
      const unfinished = await store.uploadsBefore(prisma, clock.now() - ageMs);
      await discard(...unfinished);
      return unfinished.length;
    },
  };
}

const IDENTITY = ['pluginVersion', 'sha256', 'fileName', 'signature'] as const;
const isRepeated = (
  before: StoredRelease,
  release: Pick<StoredRelease, (typeof IDENTITY)[number]>,
): boolean => IDENTITY.every((member) => before[member] === release[member]);

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
