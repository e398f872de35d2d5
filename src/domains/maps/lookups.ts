import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { type Asker, HostUnavailable } from './gate.ts';
import { keyOf, MANY, type MapHost } from './host.ts';
import { UnusableAnswer } from './requests.ts';
import { type FileHosts, isHash, versionOf } from './rules.ts';
import type { HostMap, MapVersion } from './schemas.ts';

/**
 * Asks the map host for keys and hashes: many in one request as far as the host supports that, the rest one by one.
 */

export interface LookupsOptions {
  clock: Clock;
  logger: FastifyBaseLogger;
  host: MapHost;
  files: FileHosts;
}

/** The published upload, null when there is no such map, or why the host gave no usable answer. */
export type Answer = MapVersion | null | HostUnavailable | UnusableAnswer;
type Kind = 'hash' | 'ids';

/** Requests for single maps under way at once. */
const ASK_AT_ONCE = 10;
/** After this many unusable answers to single requests the rest is not requested. */
const MOST_UNUSABLE = 5;
/** A host without a lookup of many maps is not asked for one again for this long. */
const NO_MANY_MS = 10 * 60_000;

const kindOf = (question: string): Kind => (isHash(question) ? 'hash' : 'ids');

export const isFailure = (answer: Answer): answer is HostUnavailable | UnusableAnswer =>
  answer instanceof Error;

/** @returns a function that looks up keys and hashes and passes on the answers as they arrive */
export function createLookups({ clock, logger, host, files }: LookupsOptions) {
  const noManyUntil: Record<Kind, number> = { hash: 0, ids: 0 };

  const published = (question: string, map: HostMap | null): Answer => {
    const version = map?.versions.find(({ state }) => state === 'Published');
    if (!map || !version || map.deletedAt) return null;
    const key = isHash(question) ? keyOf(map) : question;
    if (!/^[0-9a-f]{1,8}$/.test(key)) return new UnusableAnswer('the map host answered a map without a key');
    return versionOf(key, map, version, files);
  };

  /** One request for many maps. @returns the answers it settles: none when the host does not support the request */
  const askMany = async (
    kind: Kind,
    questions: readonly string[],
    asker: Asker,
  ): Promise<Map<string, Answer>> => {
    try {
      const maps = await host.mapsOf(kind, questions, asker);
      return new Map([...maps].map(([question, map]) => [question, published(question, map)]));
    } catch (error) {
      // After a 5xx a request for one map shows whether the whole host is down.
      const isRefused =
        error instanceof UnusableAnswer ||
        (error instanceof HostUnavailable && error.status >= 500 && error.retryInMs === null);
      if (isRefused) return new Map();
      throw error;
    }
  };

  /** @param learn called with the answers as they arrive, with every question once */
  return async function lookUp(
    questions: readonly string[],
    asker: Asker,
    learn: (answers: ReadonlyMap<string, Answer>) => Promise<void>,
  ): Promise<void> {
    const open = new Set(questions);
    const settle = async (answers: ReadonlyMap<string, Answer>) => {
      for (const question of answers.keys()) open.delete(question);
      await learn(answers);
    };

    const refusedMany = new Set<Kind>();
    try {
      for (const kind of ['hash', 'ids'] as const) {
        const asked = questions.filter((question) => kindOf(question) === kind);
        if (asked.length < 2 || clock.now() < noManyUntil[kind]) continue;
        while (asked.length > 0 && !refusedMany.has(kind)) {
          const answers = await askMany(kind, asked.splice(0, MANY), asker);
          if (answers.size > 0) await settle(answers);
          else refusedMany.add(kind);
        }
      }
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
      return settle(new Map([...open].map((question) => [question, error])));
    }

    let unavailable: HostUnavailable | undefined;
    let unusable = 0;
    const askOne = async (question: string): Promise<Answer> => {
      try {
        return published(question, await host.mapOf(question, asker));
      } catch (error) {
        if (error instanceof HostUnavailable) unavailable = error;
        else if (!(error instanceof UnusableAnswer)) throw error;
        else if (++unusable >= MOST_UNUSABLE)
          unavailable = new HostUnavailable('the map host gives no usable answers');
        return error;
      }
    };
    const left = [...open];
    const askNext = async () => {
      const question = left.shift();
      if (question === undefined) return;
      const answer = unavailable ?? (await askOne(question));
      const kind = kindOf(question);
      // The host answers, so it refused the request for many because it does not support it.
      if (answer !== null && !isFailure(answer) && refusedMany.delete(kind)) {
        noManyUntil[kind] = clock.now() + NO_MANY_MS;
        logger.warn({ kind }, 'the map host looks up one map at a time');
      }
      await settle(new Map([[question, answer]]));
    };
    // The first request alone shows whether the host answers.
    await askNext();
    const work = async () => {
      while (left.length > 0) await askNext();
    };
    await Promise.all(Array.from({ length: ASK_AT_ONCE }, work));
  };
}
