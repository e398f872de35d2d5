import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { S3Options } from '../../src/platform/storage/s3.ts';

/** A server that speaks S3, with one bucket, and how to reach it. */
export interface ObjectStorage {
  options: S3Options & { endpoint: string };
  /** The variables that point the service at it. */
  environment: Record<string, string>;
  /** Takes the requests that have come: `GET /matches/replays/…`. */
  takeRequests(): string[];
  /** The keys of all objects in a folder. */
  keysIn(folder: string): Promise<string[]>;
  stop(): Promise<void>;
}

const BUCKET = 'matches';
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export async function startObjectStorage(): Promise<ObjectStorage> {
  const directory = await mkdtemp(path.join(tmpdir(), 'object-storage-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    // It signs requests about a whole bucket over another path than the SDK sends.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port }: AddressInfo = await server.run();
  const requests: string[] = [];
  server.httpServer.on('request', ({ method, url }) => requests.push(`${method} ${url}`));
  const options = {
    bucket: BUCKET,
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: CREDENTIALS,
    pathStyle: true,
  };
  return {
    options,
    environment: {
      S3_BUCKET: options.bucket,
      S3_ENDPOINT: options.endpoint,
      S3_REGION: options.region,
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    takeRequests: () => requests.splice(0),
    keysIn: async (folder) => {
      const client = new S3Client({ ...options, forcePathStyle: true });
      try {
        const list = new ListObjectsV2Command({ Bucket: BUCKET, Prefix: `${folder}/` });
        const { Contents = [] } = await client.send(list);
        return Contents.map(({ Key = '' }) => Key);
      } finally {
        client.destroy();
      }
    },
    stop: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
