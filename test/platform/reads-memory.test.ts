import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createChanges } from '../../src/platform/database/changes.ts';
import { prepareAnswer } from '../../src/platform/http/prepared.ts';
import { createPublicReads, type PublicReads } from '../../src/platform/http/reads.ts';
import { inOwnMemory } from '../../src/platform/own-memory.ts';

/** The memory that cached responses take. */

const BOUND_BYTES = 64 * 1024 * 1024;
const LIFETIME_MS = 30_000;

let reads: PublicReads;
let app: FastifyInstance;
beforeEach(async () => {
  reads = createPublicReads({ changes: createChanges(), clock: { now: () => Date.now() } });
  app = Fastify();
  app.decorateRequest('principal', null).decorateReply('validUntil', null);
  app.addHook('onRoute', reads.cache);
  app.get<{ Params: { size: string } }>(
    '/:size/:number',
    { config: { reads: ['Player'] } },
    async ({ params }) => 'x'.repeat(Number(params.size)),
  );
  await app.ready();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

/** @returns the cached response */
const cache = async (url: string) => {
  expect((await app.inject(url)).statusCode).toBe(200);
  const cached = reads.find(url);
  if (cached === null) throw new Error(`${url} is not cached`);
  return cached;
};

const wholeOf = ({ buffer }: Buffer) => buffer.byteLength;

describe('a cached response', () => {
  test.each(['', 'text', 'Großvater 🎵', Buffer.from('bytes')])('keeps no memory but its own', (kept) => {
    const own = inOwnMemory(kept);
    expect(own.equals(Buffer.from(kept))).toBe(true);
    expect(wholeOf(own)).toBe(own.byteLength);
  });

  test('holds its own bytes alone, and so does its prepared form', async () => {
    const { body, headers } = await cache('/144/1');
    expect([body.byteLength, wholeOf(body)]).toEqual([144, 144]);
    const { start } = prepareAnswer({ status: 200, headers: Object.entries(headers).flat(), body });
    expect(wholeOf(start)).toBe(start.byteLength);
  });

  test('leaves the memory when its time is over and another one comes', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const isGone = async (kept: WeakRef<object>) => {
      // A WeakRef that was read keeps its object alive until the current task ends.
      await new Promise((resolve) => setImmediate(resolve));
      collect();
      return kept.deref() === undefined;
    };
    const first = new WeakRef(await cache('/144/1'));
    await cache('/144/2');
    expect(await isGone(first)).toBe(false);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + LIFETIME_MS + 1);
    await cache('/144/3');
    expect(await isGone(first)).toBe(true);
  });
});

test('responses stay within the bound with what is made of them', async () => {
  const urls = Array.from({ length: 1000 }, (_, number) => `/32000/${number}`);
  for (const url of urls) await app.inject(url);
  let bytes = 0;
  let count = 0;
  for (const url of urls) {
    const found = reads.find(url);
    if (found === null) continue;
    count += 1;
    const { start } = prepareAnswer({ status: 200, headers: [], body: found.body });
    bytes += found.body.buffer.byteLength + start.buffer.byteLength;
  }
  expect(count).toBeGreaterThan(500);
  expect(bytes).toBeLessThan(BOUND_BYTES);
});
