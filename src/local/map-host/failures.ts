import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MapAnswer } from './answer.ts';

/**
 * How the host can fail:
 * - `down`: the connection is closed without an answer; `slow`: the right answer, but late
 * - `nonsense`: 200 with a web page; `invalid`: 200 with JSON of another form
 * - `error`: 503; `rate_limited`: 429 with `Retry-After`; `redirect`: 302 to another origin
 * - `huge`: 200 with a body that never ends
 * - `wrong_hash`: maps come with a hash that is not theirs
 * - `foreign_files`: addresses in the answer are on a host that has nothing to do with this one
 */
export type FailureMode =
  | 'down'
  | 'slow'
  | 'nonsense'
  | 'invalid'
  | 'error'
  | 'rate_limited'
  | 'redirect'
  | 'huge'
  | 'wrong_hash'
  | 'foreign_files';

export interface FailureOptions {
  /** For `slow`: how late, in milliseconds. */
  delayMs?: number;
  /** For `rate_limited`: in whole seconds. */
  retryAfterSeconds?: number;
  /** For `redirect`: the origin to send clients to. */
  redirectTo?: string;
}

export interface Failure extends Required<FailureOptions> {
  mode: FailureMode;
}

export const failureOf = (mode: FailureMode, options: FailureOptions): Failure => ({
  mode,
  delayMs: 30_000,
  retryAfterSeconds: 2,
  redirectTo: 'http://elsewhere.invalid',
  ...options,
});

/** A host no allow-list names; `.invalid` never resolves (RFC 2606). */
const FOREIGN_FILES = 'https://files.elsewhere.invalid';

/** The folder of files that an answer names under this failure. */
export const filesUnder = (failure: Failure | null, files: string): string =>
  failure?.mode === 'foreign_files' ? FOREIGN_FILES : files;

/** The same map with hashes that are not its own, and the addresses of those. */
export function withWrongHashes(map: MapAnswer): MapAnswer {
  const wrong = (hash: string) => createHash('sha1').update(`not ${hash}`).digest('hex');
  return {
    ...map,
    versions: map.versions.map((version) => {
      const renamed = (address: string | undefined) => address?.replace(version.hash, wrong(version.hash));
      return {
        ...version,
        hash: wrong(version.hash),
        ...(version.downloadURL && {
          downloadURL: renamed(version.downloadURL),
          coverURL: renamed(version.coverURL),
        }),
      };
    }),
  };
}

type Answer = [status: number, headers: Record<string, string | number>, body?: string];
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The answer of a failure in place of the right one. */
function answerOf({ mode, retryAfterSeconds, redirectTo }: Failure, url: string): Answer | undefined {
  const after = {
    'Retry-After': retryAfterSeconds,
    'Rate-Limit-Remaining': 0,
    'Rate-Limit-Reset': Math.ceil(Date.now() / 1000) + retryAfterSeconds,
  };
  const answers: Partial<Record<FailureMode, Answer>> = {
    nonsense: [200, { 'Content-Type': 'text/html' }, '<!doctype html><title>Welcome</title>'],
    invalid: [200, JSON_TYPE, '{"docs":[],"versions":"none"}'],
    error: [503, { 'Content-Type': 'text/plain' }, 'Service Unavailable'],
    rate_limited: [429, { ...JSON_TYPE, ...after }, '{"error":"Too Many Requests"}'],
    redirect: [302, { Location: new URL(url, redirectTo).href }],
  };
  return answers[mode];
}

/**
 * Answers in place of the host, unless the right answer is a part of the failure.
 * @returns false when the right answer is still to be given
 */
export async function answerWithFailure(
  failure: Failure,
  url: string,
  response: ServerResponse,
): Promise<boolean> {
  const answer = answerOf(failure, url);
  if (answer) {
    const [status, headers, body] = answer;
    response.writeHead(status, headers).end(body);
  } else if (failure.mode === 'down') response.destroy();
  else if (failure.mode === 'huge') {
    response.writeHead(200, JSON_TYPE);
    await pipeline(Readable.from(endlessAnswer()), response);
  } else return false;
  return true;
}

/** The beginning of a map whose name has no end: a reader must stop by itself. */
function* endlessAnswer() {
  yield '{"id":"1","name":"';
  const chunk = 'a'.repeat(64 * 1024);
  while (true) yield chunk;
}
