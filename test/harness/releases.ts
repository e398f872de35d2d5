import { createHash, randomBytes } from 'node:crypto';
import type { TestService } from './service.ts';

export const DEPLOY_SECRET = 'the deploy secret of a test, long enough';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A binary of this many bytes that is like no other: a PE file by its beginning, unless told otherwise. */
export function binaryOf(size = 2000, begin = 'MZ'): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(randomBytes(size));
  bytes.set(Buffer.from(begin, 'latin1'));
  return bytes;
}

export interface Answer {
  status: number;
  body: any;
  headers: Headers;
}

/** Sends a request of the pipeline, with its secret unless other headers are given. */
export async function deploy(
  service: Pick<TestService, 'url'>,
  method: string,
  path: string,
  { body, headers }: { body?: BodyInit; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const answer = await fetch(`${service.url}/internal/plugin-releases/${path}`, {
    method,
    body,
    headers: { authorization: `Bearer ${DEPLOY_SECRET}`, ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers };
}

/** Uploads a binary as the pipeline does. A header that is null is left out. */
export function upload(
  service: Pick<TestService, 'url'>,
  gameVersion: string,
  pluginVersion: string,
  { bytes = binaryOf(), headers = {} }: { bytes?: BodyInit; headers?: Record<string, string | null> } = {},
): Promise<Answer> {
  const all: Record<string, string | null> = {
    'content-type': 'application/octet-stream',
    'x-service-plugin-version': pluginVersion,
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return deploy(service, 'PUT', gameVersion, { body: bytes, headers: Object.fromEntries(sent) });
}
