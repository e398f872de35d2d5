import { setTimeout as sleep } from 'node:timers/promises';
import { newGuid } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { mapErrors } from './errors.ts';
import { type Asker, HostUnavailable } from './gate.ts';
import { type Answer, createLookups, isFailure, type LookupsOptions } from './lookups.ts';
import { UnusableAnswer } from './requests.ts';
import type { MapVersion } from './schemas.ts';
import * as store from './store.ts';

/**
 * Resolves keys and hashes to the uploads that are published now, with few requests: answers are cached in the database
 * for all nodes, and concurrent look-ups of the same map share one request.
 */

interface ResolverOptions extends LookupsOptions {
  database: Database;
  /** How long a batch waits for turns, in milliseconds. Default: {@link BATCH_PATIENCE_MS}. */
  mapBatchPatienceMs?: number;
}

/** The published upload, or the refusal to answer with. */
export type Resolved = MapVersion | ServiceError;

/** A mapper may publish another upload at any time, so an answer is valid for this long. */
const KEY_VALID_MS = 60_000;
/** The same for "no such map": short, because a person may wait for the publication of a map. */
const UNKNOWN_VALID_MS = 3_000;
/** How long a turn of the gate is waited for. Two hundred single lookups take 21 s of turns. */
const CURATOR_PATIENCE_MS = 10_000;
const BATCH_PATIENCE_MS = 24_000;
/** The claim of a question expires after this time, in case its node died. */
const CLAIM_MS = 30_000;
/** How often a node looks for the answer of another node. */
const POLL_MS = 150;
/** A request that got its turn in time may still be under way for this long. */
const REQUEST_MS = 5_000;

export function createResolver(options: ResolverOptions) {
  const { clock, mapBatchPatienceMs: batchPatienceMs = BATCH_PATIENCE_MS } = options;
  const { prisma } = options.database;
  const lookUp = createLookups(options);
  /** Questions under way on this node, with the promise of their answers. */
  const underWay = new Map<string, Promise<Answer>>();

  /** Asks questions that are not under way on this node. @param settle called with each answer once it is stored */
  const ask = async (
    questions: readonly string[],
    asker: Asker,
    freshness: store.Freshness,
    settle: (question: string, answer: Answer) => void,
  ) => {
    const claimGuid = newGuid();
    const open = new Set(questions);
    const close = (answers: ReadonlyMap<string, Answer>) => {
      for (const [question, answer] of answers) if (open.delete(question)) settle(question, answer);
    };
    while (open.size > 0) {
      // The age of an answer counts from its question: a batch takes many seconds.
      const askedAt = clock.now();
      const claimed = await store.claimQuestions(prisma, [...open], claimGuid, CLAIM_MS);
      try {
        // Another node may have stored its answer before the claim.
        close(await store.findKnown(prisma, [...open], freshness));
        await lookUp(
          claimed.filter((question) => open.has(question)),
          asker,
          async (answers) => {
            const usable = [...answers].filter(
              (entry): entry is [string, MapVersion | null] => !isFailure(entry[1]),
            );
            await store.saveAnswers(prisma, new Map(usable), askedAt);
            close(answers);
          },
        );
      } finally {
        if (claimed.length > 0) await store.releaseQuestions(prisma, claimGuid);
      }
      if (open.size === 0) return;
      // Other nodes hold the claims of the rest.
      if (performance.now() <= asker.deadline) await sleep(POLL_MS);
      else close(new Map([...open].map((one) => [one, new HostUnavailable('another node is still asking')])));
    }
  };

  /** The answer to a question under way. Who began to ask may have a later deadline than this asker. */
  const answerTo = async (question: string, { deadline }: Asker): Promise<Answer> => {
    const answer = underWay.get(question) as Promise<Answer>;
    const found = await within(Math.max(0, deadline - performance.now()) + REQUEST_MS, answer);
    return found === 'too long' ? new HostUnavailable('the map host takes too long') : found;
  };

  /** Asks the host, or waits for a running request for the same map. */
  const answersTo = async (questions: readonly string[], asker: Asker, freshness: store.Freshness) => {
    const fresh = questions.filter((question) => !underWay.has(question));
    const settlers = new Map(fresh.map((question) => [question, Promise.withResolvers<Answer>()]));
    for (const [question, { promise }] of settlers) underWay.set(question, promise);
    const asking = ask(fresh, asker, freshness, (question, answer) => {
      underWay.delete(question);
      settlers.get(question)?.resolve(answer);
    }).catch((error: unknown) => {
      for (const [question, { promise, reject }] of settlers) {
        if (underWay.get(question) === promise) underWay.delete(question);
        reject(error);
      }
    });
    const answers = await Promise.all(
      questions.map(async (question) => [question, await answerTo(question, asker)] as const),
    );
    // Waits until the claims are released, so that a stop of this node leaves none behind.
    if (fresh.every((question) => !underWay.has(question))) await asking;
    return new Map(answers);
  };

  /** @param waitMs how long the answers must stay valid from now on */
  const recent = (waitMs = 0): store.Freshness => ({
    since: clock.now() - KEY_VALID_MS + waitMs,
    unknownSince: clock.now() - UNKNOWN_VALID_MS,
  });
  const fromNowOn = (): store.Freshness => ({ since: clock.now(), unknownSince: clock.now() });
  const askerOf = (rank: Asker['rank'], patienceMs: number): Asker => ({
    rank,
    deadline: performance.now() + patienceMs,
  });

  return {
    /**
     * Resolves many keys (lower-case hexadecimal) or hashes (upper case), as of a minute ago at most. A hash is resolved
     * to the published upload of its map, which may have another hash.
     * @param options with `isFresh` cached answers are not used
     * @returns the upload, MAP_NOT_FOUND or UPSTREAM_UNAVAILABLE for each
     */
    resolveAll: async (asked: readonly string[], { isFresh = false } = {}) => {
      const questions = [...new Set(asked)];
      let freshness = isFresh ? fromNowOn() : recent();
      let known = await store.findKnown(prisma, questions, freshness);
      // Known answers must still be valid when the others arrive.
      if (!isFresh && known.size > 0 && known.size < questions.length) {
        freshness = recent(batchPatienceMs);
        known = await store.findKnown(prisma, questions, freshness);
      }
      const open = questions.filter((question) => !known.has(question));
      const asker =
        open.length === 1 ? askerOf('curator', CURATOR_PATIENCE_MS) : askerOf('batch', batchPatienceMs);
      const answers = new Map<string, Answer>([...known, ...(await answersTo(open, asker, freshness))]);
      return new Map(
        questions.map((question) => [question, resolvedOf(question, answers.get(question) ?? null)]),
      );
    },

    /**
     * Checks which uploads are published under keys, after everybody else who waits for the host.
     * @param signal aborts the check
     * @returns `hashes`: of each answered key, null when no upload is published; `failed`: the keys whose own requests got
     *   no usable answer. The others could not be asked.
     */
    checkKeys: async (keys: readonly string[], signal: AbortSignal) => {
      const asker = { ...askerOf('check', BATCH_PATIENCE_MS), signal };
      const hashes = new Map<string, string | null>();
      const failed: string[] = [];
      for (const [key, answer] of await answersTo(keys, asker, fromNowOn())) {
        if (!isFailure(answer)) hashes.set(key, answer?.hash ?? null);
        else if (answer instanceof UnusableAnswer) failed.push(key);
      }
      return { hashes, failed };
    },
  };
}

/** Whether a refusal says that the map host could not be asked. It concerns no single map. */
export const isMapHostAway = ({ cause }: ServiceError): boolean => cause instanceof HostUnavailable;

function resolvedOf(asked: string, answer: Answer): Resolved {
  if (answer === null) return mapErrors.MAP_NOT_FOUND({ message: `The map host publishes no map ${asked}.` });
  if (answer instanceof UnusableAnswer)
    return commonErrors.UPSTREAM_UNAVAILABLE({
      message: `The map host gave no usable answer for map ${asked}. Nothing was stored; try again later.`,
      cause: answer,
    });
  if (!(answer instanceof HostUnavailable)) return answer;
  const seconds = answer.retryInMs === null ? null : Math.max(1, Math.ceil(answer.retryInMs / 1000));
  const when = seconds === null ? 'later' : `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return commonErrors.UPSTREAM_UNAVAILABLE({
    message: `The map host cannot be asked now. Nothing was stored; try again ${when}.`,
    cause: answer,
    ...(seconds !== null && { headers: { 'retry-after': String(seconds) } }),
  });
}
