import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { reasonOf } from '../../platform/reason.ts';
import { wholeBody } from '../../platform/whole-body.ts';
import {
  candidatesOf,
  MOST_TRIED,
  readKeyDocument,
  type VerificationKey,
  writeKeyDocument,
} from './key-document.ts';
import { loadKeyDocument, saveKeyDocument } from './store.ts';

interface IdentityKeysOptions {
  /** Address of the public key of the identity provider. */
  publicKeyUrl: string;
  db: Db;
  clock: Clock;
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** The keys of the provider, and the JWKS of them that is stored. */
interface KeyDocument {
  body: string;
  keys: VerificationKey[];
}

export type IdentityKeys = Awaited<ReturnType<typeof openIdentityKeys>>;

const FETCH_TIMEOUT_MS = 5_000;
const LARGEST_DOCUMENT = 64 * 1024;
const REFRESH_INTERVAL_MS = 60_000;

/**
 * Fetches the keys of the identity provider. When it does not answer, the last good keys of the database are used and the
 * provider is asked again every minute.
 * @throws Error when there are no keys at all
 */
export async function openIdentityKeys({ publicKeyUrl, db, clock, logger }: IdentityKeysOptions) {
  let document: KeyDocument;
  let degraded = false;
  let generation = 0;
  let lastFetchAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;

  /** Stores the keys for later starts. When that fails, this process works with the keys in memory. */
  const save = (body: string): Promise<void> =>
    saveKeyDocument(db, publicKeyUrl, body, clock.now()).catch((error: unknown) =>
      logger.warn({ err: error }, 'the keys of the identity provider could not be stored'),
    );

  try {
    document = await fetchKeyDocument(publicKeyUrl);
    await save(document.body);
  } catch (error) {
    const body = await loadKeyDocument(db, publicKeyUrl);
    if (body === null)
      throw new Error(
        `The public key of the identity provider could not be read from IDP_PUBLIC_KEY_URL (${reasonOf(error)}), and none is stored from an earlier start.`,
        { cause: error },
      );
    document = documentOf(body);
    degraded = true;
    logger.warn(
      { err: error },
      'the identity provider does not answer: tokens are verified with stored keys',
    );
  }

  /** Called once for each document. */
  const warnOfMany = ({ keys }: KeyDocument): void => {
    if (keys.length > MOST_TRIED)
      logger.warn(
        { keys: keys.length, tried: MOST_TRIED },
        'the identity provider has more keys than are tried for a token without a kid',
      );
  };
  warnOfMany(document);

  async function fetchKeys() {
    try {
      const fetched = await fetchKeyDocument(publicKeyUrl);
      if (fetched.body !== document.body) {
        generation += 1;
        warnOfMany(fetched);
        logger.info('the identity provider has other keys now');
      }
      document = fetched;
      degraded = false;
      await save(fetched.body);
    } catch (error) {
      degraded = true;
      logger.warn({ err: error }, 'the keys of the identity provider could not be refreshed');
    }
  }

  /** Fetches the keys. @param everyMs the least time between two requests to the provider */
  async function fetchAgain(everyMs: number) {
    // The time since is negative after the clock was set back.
    if (fetching === null && Math.abs(clock.now() - lastFetchAt) >= everyMs) {
      lastFetchAt = clock.now();
      fetching = fetchKeys().finally(() => {
        fetching = null;
      });
    }
    await fetching;
  }

  const recovery = setInterval(() => {
    if (degraded) void fetchAgain(REFRESH_INTERVAL_MS);
  }, REFRESH_INTERVAL_MS).unref();

  return {
    /** The keys a token with this `kid` may be signed with. */
    candidates: (kid: string | undefined) => candidatesOf(document.keys, kid),
    /**
     * Fetches the keys after a signature failed, at most once a minute for tokens that anybody can send. Concurrent callers
     * share one request. The old keys stay in use until it succeeds.
     * @param tried the generation of the keys that did not fit
     * @param isFromProvider the token is an answer of the provider itself: its key has probably changed
     * @returns whether there are others now, also when another caller fetched them meanwhile
     */
    refresh: async (tried: number, isFromProvider = false) => {
      if (generation === tried) await fetchAgain(isFromProvider ? 0 : REFRESH_INTERVAL_MS);
      return generation !== tried;
    },
    /** Grows with every change of the keys, which invalidates cached tokens. */
    generation: () => generation,
    /** Whether the provider does not answer, so that tokens are verified with the last good keys. */
    isDegraded: () => degraded,
    close: () => clearInterval(recovery),
  };
}

/** @throws Error that describes the problem of the document */
function documentOf(text: string): KeyDocument {
  const keys = readKeyDocument(text);
  return { body: writeKeyDocument(keys), keys };
}

/** Fetches the provider's public keys. @throws Error that describes why there is no answer, or what is wrong with it */
export const fetchKeyDocument = async (publicKeyUrl: string): Promise<KeyDocument> =>
  documentOf(
    await download(publicKeyUrl).catch((cause: unknown) => {
      throw new Error(reasonOf(cause), { cause });
    }),
  );

/** @throws Error without a successful answer in time, or for one that is too large */
async function download(url: string): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/json, application/x-pem-file, text/plain' },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`it answered ${response.status}`);
  }
  const body = await wholeBody(response, LARGEST_DOCUMENT);
  if (body === null) throw new Error(`it answered more than ${LARGEST_DOCUMENT} bytes`);
  return body.toString('utf8');
}
