import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { createDoubts } from './doubts.ts';
import { type Asker, HostUnavailable, NoTurn } from './gate.ts';
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
type Learn = (answers: ReadonlyMap<string, Answer>) => Promise<void>;

/** Requests for single maps under way at once. */
const ASK_AT_ONCE = 10;
/** After this many failed single requests in a row the rest is not requested. */
const MOST_FAILURES = 5;
/** A host without a lookup of many maps is not asked for one again for this long. */
const NO_MANY_MS = 10 * 60_000;

const kindOf = (question: string): Kind => (isHash(question) ? 'hash' : 'ids');

export const isFailure = (answer: unknown): answer is HostUnavailable | UnusableAnswer =>
  answer instanceof HostUnavailable || answer instanceof UnusableAnswer;

/** Whether no request can be sent now: the failure says nothing about what was asked. */
const cannotAsk = (error: HostUnavailable): boolean => error instanceof NoTurn || error.retryInMs !== null;

/** @returns a function that looks up keys and hashes and passes on the answers as they arrive */
export function createLookups({ clock, logger, host, files }: LookupsOptions) {
  const noManyUntil: Record<Kind, number> = { hash: 0, ids: 0 };
  const doubts = createDoubts(clock);

  const published = (question: string, map: HostMap | null): Answer => {
    const version = map?.versions.find(({ state }) => state === 'Published');
    if (!map || !version || map.deletedAt) return null;
    const key = isHash(question) ? keyOf(map) : question;
    if (!/^[0-9a-f]{1,8}$/.test(key)) return new UnusableAnswer('the map host answered a map without a key');
    return versionOf(key, map, version, files);
  };

  /** One request for many maps. @returns the answers it settles: none when the request failed */
  const askMany = async (
    kind: Kind,
    questions: readonly string[],
    asker: Asker,
  ): Promise<Map<string, Answer>> => {
    try {
      const maps = await host.mapsOf(kind, questions, asker);
      const answers = new Map([...maps].map(([question, map]) => [question, published(question, map)]));
      for (const [question, answer] of answers) if (!isFailure(answer)) doubts.answered(question);
      return answers;
    } catch (error) {
      if (error instanceof HostUnavailable && cannotAsk(error)) throw error;
      // One map may be the cause. Requests for single maps show it.
      if (isFailure(error)) return new Map();
      throw error;
    }
  };

  /** Asks for one map. A failure of a request that was sent concerns this map, as far as one request can show. */
  const askOne = async (question: string, asker: Asker): Promise<Answer> => {
    try {
      const map = await host.mapOf(question, { ...asker, saysNothing: doubts.failsAlone(question) });
      const answer = published(question, map);
      if (!isFailure(answer)) doubts.answered(question);
      return answer;
    } catch (error) {
      if (!isFailure(error)) throw error;
      if (error instanceof HostUnavailable && cannotAsk(error)) return error;
      doubts.failed(question);
      return error instanceof UnusableAnswer ? error : new UnusableAnswer(error.message, { cause: error });
    }
  };

  /**
   * Asks for single maps until the host cannot be asked.
   * @param isWell the host has just answered for others
   * @returns all answers
   */
  const askSingly = async (questions: readonly string[], isWell: boolean, asker: Asker, settle: Learn) => {
    const answers = new Map<string, Answer>();
    const left = [...questions];
    let unavailable: HostUnavailable | undefined;
    let failuresInARow = 0;
    const ask = async (question: string) => {
      const answer = unavailable ?? (await askOne(question, asker));
      if (answer instanceof HostUnavailable) unavailable = answer;
      if (!isFailure(answer)) failuresInARow = 0;
      else if (!doubts.failsAlone(question)) failuresInARow += 1;
      if (failuresInARow >= MOST_FAILURES)
        unavailable ??= new HostUnavailable('the map host gives no usable answers');
      answers.set(question, answer);
    };
    const tell = (question: string) => settle(new Map([[question, answers.get(question) ?? null]]));

    const firstTwo = left.splice(0, 2);
    await Promise.all(firstTwo.map(ask));
    const failsForHost = (question: string) => {
      const answer = answers.get(question);
      return isFailure(answer) && answer.cause instanceof HostUnavailable && !doubts.failsAlone(question);
    };
    if (!isWell && firstTwo.length === 2 && firstTwo.every(failsForHost)) {
      // Further requests would open the circuit breaker.
      unavailable = new HostUnavailable('the map host does not answer');
      for (const question of firstTwo) answers.set(question, unavailable);
    }
    await Promise.all(firstTwo.map(tell));

    const work = async () => {
      for (let question = left.shift(); question !== undefined; question = left.shift()) {
        await ask(question);
        await tell(question);
      }
    };
    await Promise.all(Array.from({ length: ASK_AT_ONCE }, work));
    return answers;
  };

  /** @param learn called with the answers as they arrive, with every question once */
  return async function lookUp(questions: readonly string[], asker: Asker, learn: Learn): Promise<void> {
    const open = new Set(questions);
    const settle: Learn = async (answers) => {
      for (const question of answers.keys()) open.delete(question);
      await learn(answers);
    };

    const refusedMany = new Set<Kind>();
    try {
      for (const kind of ['hash', 'ids'] as const) {
        const asked = questions.filter(
          (question) => kindOf(question) === kind && !doubts.isDoubted(question),
        );
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

    const isWell = open.size < questions.length;
    const isLast = (question: string) => Number(doubts.isDoubted(question));
    const inOrder = [...open].sort((one, other) => isLast(one) - isLast(other));
    const singles = [...(await askSingly(inOrder, isWell, asker, settle))];
    for (const kind of refusedMany) {
      const answers = singles.filter(([question]) => kindOf(question) === kind).map(([, answer]) => answer);
      // A map that fails may be the reason why the request for many was refused.
      if (answers.every(isFailure) || answers.some((one) => one instanceof UnusableAnswer)) continue;
      noManyUntil[kind] = clock.now() + NO_MANY_MS;
      logger.warn({ kind }, 'the map host looks up one map at a time');
    }
  };
}
