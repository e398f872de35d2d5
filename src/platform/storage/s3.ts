import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { newGuid } from '../clock.ts';
import { BOUNDS } from '../limits.ts';
import { reasonOf } from '../reason.ts';
import { refuseFailure, statusOf } from './failures.ts';
import type { FileStore, Written } from './file-store.ts';

export interface S3Options {
  bucket: string;
  /** Address of an S3-compatible service; undefined: AWS. */
  endpoint: string | undefined;
  region: string;
  /** Undefined: those that the SDK finds, such as the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Puts the bucket into the path (`/bucket/key`) instead of the host name. */
  pathStyle: boolean;
}

const CONNECT_MS = 5_000;
/** Time for the beginning of an answer. With all attempts it is less than proxies and clients wait. */
const ANSWER_MS = 10_000;
/** Time for the answer to a write after its last byte: the storage may have to copy a large file first. */
const STORED_MS = 30_000;
/** How long a start waits for the bucket. */
const START_MS = 5_000;
/** Time-out without a byte in either direction. A download stands still with its reader, who is cut off before this. */
const IDLE_MS = 2 * BOUNDS.unread.value;
/** A download has its connection until everything is read. The default lets fifty slow readers stop everybody else. */
const AGENT = { maxSockets: Number.POSITIVE_INFINITY };
/** The usual cause, by the status with which the bucket refuses one of the first requests. The answer to a HEAD has no text. */
const MEANINGS: Record<number, string> = {
  301: ': S3_REGION is another than that of the bucket',
  400: ': S3_REGION is another than that of the bucket, or the key is malformed',
  403: ': the key is wrong, lacks a right to the bucket, or the clock of this machine is wrong',
  404: ': there is no such bucket',
};
/** Attempts of a request. The SDK repeats none that has a stream as its body. */
const MOST_ATTEMPTS = 2;

/** Whether the connection broke before an answer. The bucket may close an idle one in the moment in which it is used again. */
const isBroken = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes(String((error as { code?: unknown }).code));

/** Whether the configuration is wrong: a later attempt would fail in the same way. */
function isWrong(cause: unknown): boolean {
  const status = statusOf(cause);
  if (status !== undefined) return status < 500 && status !== 429;
  const { name, code } = cause as { name?: string; code?: string };
  return name === 'CredentialsProviderError' || code === 'ENOTFOUND';
}

const missingIsNull = (error: unknown): null => (statusOf(error) === 404 ? null : refuseFailure(error));

/**
 * Files as objects of a bucket. One request creates a whole object or none.
 * @param onAway called when the bucket does not answer or has failed: running matches do not need it, so a start goes on
 * @throws Error, with a message for operators, when the configuration of the bucket is wrong
 */
export async function openBucket(
  { bucket, ...options }: S3Options,
  onAway: (error: Error) => void,
): Promise<FileStore> {
  // Loaded only when it is used: it is larger than the rest of the service.
  const { S3Client, PutObjectCommand, GetObjectCommand, ...s3 } = await import('@aws-sdk/client-s3');
  const client: S3Client = new S3Client({
    region: options.region,
    ...(options.endpoint && { endpoint: options.endpoint }),
    ...(options.credentials && { credentials: options.credentials }),
    forcePathStyle: options.pathStyle,
    maxAttempts: MOST_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_MS,
      httpAgent: AGENT,
      httpsAgent: AGENT,
    },
    // The default writes to the console. Failures are thrown anyway.
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    // The newer checksums are trailers, which services other than AWS refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const tryOut = async (): Promise<void> => {
    const soon = { abortSignal: AbortSignal.timeout(START_MS) };
    const probe = { Bucket: bucket, Key: `nodes/${newGuid()}` };
    await client.send(new s3.HeadBucketCommand({ Bucket: bucket }), soon);
    await client.send(new PutObjectCommand({ ...probe, Body: '' }), soon);
    await client.send(new s3.DeleteObjectCommand(probe), soon);
  };
  await tryOut().catch((cause: unknown) => {
    const status = statusOf(cause);
    const reason = status ? `it answers ${status}${MEANINGS[status] ?? ''}` : reasonOf(cause);
    const error = new Error(`S3_BUCKET cannot be used: ${reason}`, { cause });
    if (!isWrong(cause)) return onAway(error);
    client.destroy();
    throw error;
  });

  const put = async (file: string, key: string, size: number): Promise<void> => {
    const body = createReadStream(file);
    const ended = new AbortController();
    let late: NodeJS.Timeout | undefined;
    // The SDK does not listen, and an error without a listener ends the process.
    body.once('error', (error) => ended.abort(error));
    body.once('end', () => {
      late = setTimeout(() => ended.abort(), STORED_MS);
    });
    try {
      const { ETag: tag } = await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentLength: size }),
        // Its answer begins when everything is sent, however long that takes.
        { requestTimeout: 0, abortSignal: ended.signal },
      );
      // A proxy in front of the bucket may answer 200 by itself.
      if (tag === undefined)
        throw new Error('The object storage answered without the ETag of a stored file.');
    } catch (error) {
      throw body.errored ?? error;
    } finally {
      clearTimeout(late);
      body.destroy();
    }
  };

  return {
    place: async (file: string, key: string, { size }: Written) => {
      for (let attempt = 1; ; attempt++)
        try {
          return await put(file, key, size);
        } catch (error) {
          if (attempt === MOST_ATTEMPTS || !isBroken(error)) refuseFailure(error);
        }
    },

    get: async (key, range) => {
      const answer = await client
        .send(
          new GetObjectCommand({
            Bucket: bucket,
            Key: key,
            ...(range && { Range: `bytes=${range.start}-${range.end}` }),
          }),
        )
        .catch(missingIsNull);
      if (answer === null) return null;
      const { Body: body, ContentLength: length } = answer;
      if (!(body instanceof Readable)) throw new Error('The object storage answered without a body.');
      if (range && length !== range.end - range.start + 1) {
        body.destroy();
        refuseFailure(
          new Error(`The object storage answered ${length} bytes to bytes=${range.start}-${range.end}.`),
        );
      }
      return body;
    },

    has: async (key) => {
      const asked = client.send(new s3.HeadObjectCommand({ Bucket: bucket, Key: key }));
      return (await asked.catch(missingIsNull)) !== null;
    },

    delete: async (key) => {
      await client.send(new s3.DeleteObjectCommand({ Bucket: bucket, Key: key })).catch(missingIsNull);
    },

    close: () => client.destroy(),
  };
}
