import { createHash, randomBytes } from 'node:crypto';
import type { Answer } from './ask.ts';
import type { TestService } from './service.ts';

export const DEPLOY_SECRET = 'the deploy secret of a test, long enough';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes the magic numbers of a format into random bytes. */
const MARKS: Record<'dll' | 'so' | 'zip', (bytes: Buffer) => void> = {
  dll: (bytes) => {
    bytes.write('MZ', 'latin1');
    bytes.writeUInt32LE(64, 0x3c);
    bytes.write('PE\0\0', 64, 'latin1');
  },
  so: (bytes) => void bytes.write('\x7fELF\x02\x01\x01', 'latin1'),
  zip: (bytes) => {
    bytes.write('PK\x03\x04', 'latin1');
    bytes.fill(0, bytes.length - 22);
    bytes.write('PK\x05\x06', bytes.length - 22, 'latin1');
  },
};

/** A unique binary of this many bytes (68 or more). */
export function binaryOf(size = 2000, format: keyof typeof MARKS = 'dll'): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(randomBytes(size));
  MARKS[format](Buffer.from(bytes.buffer));
  return bytes;
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
