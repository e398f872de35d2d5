import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, newGuid } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { mapErrors } from './errors.ts';
import { type Asker, HostUnwell } from './gate.ts';
import { HostNonsense, keyOf, MANY, type MapHost } from './host.ts';
import { type FileHosts, maxScoreOf } from './rules.ts';
import type { HostMap, HostVersion, MapVersion } from './schemas.ts';
import * as store from './store.ts';

/**
 * From a key or a hash to the upload that is published now, asking the map host as seldom as possible: what
 * is known is not asked for, what somebody is asking for is waited for, and many are asked for at once.
 */

interface ResolverOptions {
  database: Pick<Database, 'prisma'>;
  clock: Clock;
  logger: FastifyBaseLogger;
  host: MapHost;
  files: FileHosts;
  /** How long a batch waits for turns, in milliseconds; left out: {@link BATCH_PATIENCE_MS}. */
  batchPatienceMs?: number | undefined;
}

/** What became of a question: the published upload, or why there is none. */
export type Resolved = MapVersion | ServiceError;

/** A mapper may publish another upload at any time; for this long the one we know is taken as current. */
const KEY_KNOWN_MS = 60_000;
/** Long enough for a row of impatient clicks, too short for somebody who waits for a map to be published. */
const UNKNOWN_KNOWN_MS = 3_000;
/** How long turns of the host are waited for. Two hundred single lookups take 21 s of them. */
const CURATOR_PATIENCE_MS = 10_000;
const BATCH_PATIENCE_MS = 24_000;
/** Lookups of single maps that are out at once. */
const ASK_AT_ONCE = 10;
/** Answers to these are stored, and told to whoever waits for them, some at a time. */
const LEARNT_AT_ONCE = 10;
/** Answers that are of no use before the rest of a batch is not even asked for. */
const NONSENSE_BORNE = 5;
/** A node that died while it was asking is waited for so long. */
const CLAIM_MS = 30_000;
/** How often it is looked whether another node has its answer. */
const LOOK_MS = 150;
/** A host that was seen to have no lookup of many is not asked for one for so long. */
const NO_MANY_MS = 10 * 60_000;

/** The answer to one question: a map, none, or why nobody can say. */
type Answer = MapVersion | null | HostUnwell | HostNonsense;
type Kind = 'ids' | 'hash';

const isHash = (asked: string): boolean => asked.length === 40;
const isFailure = (answer: Answer): answer is HostUnwell | HostNonsense => answer instanceof Error;

export function createResolver(options: ResolverOptions) {
  const { clock, logger, host, files, batchPatienceMs = BATCH_PATIENCE_MS } = options;
  const { prisma } = options.database;
  /** Questions under way on this node: who asks the same meanwhile waits for the same answer. */
  const underWay = new Map<string, Promise<Answer>>();
  /** When a lookup that the host was seen not to have is tried again. */
  const noManyUntil: Record<Kind, number> = { ids: 0, hash: 0 };

  const published = (asked: string, map: HostMap | null): Answer => {
    const version = map?.versions.find(({ state }) => state === 'Published');
    if (!map || !version || map.deletedAt) return null;
    const key = isHash(asked) ? keyOf(map) : asked;
    if (!/^[0-9a-f]{1,8}$/.test(key)) return new HostNonsense('the map host answered a map without a key');
    return toVersion(key, map, version, files);
  };

  /** One lookup of many. @returns what it settled; null: the host does not do this */
  const askMany = async (
    kind: Kind,
    asked: ReadonlyMap<string, string>,
    asker: Asker,
  ): Promise<Map<string, Answer> | null> => {
    const names = [...new Set(asked.values())];
    try {
      const maps = await (kind === 'ids' ? host.mapsOf(names, asker) : host.mapsOfHashes(names, asker));
      const settled = new Map<string, Answer>();
      for (const [question, name] of asked) {
        const map = maps.get(name);
        if (map === undefined) continue;
        // Asked by the hash a key had: only the map itself can say that there is none under the key.
        if (name !== question && (map === null || keyOf(map) !== question)) continue;
        settled.set(question, published(question, map));
      }
      return settled;
    } catch (error) {
      if (error instanceof HostNonsense) return null;
      // It broke over this question, or is down: a lookup of one map shows which.
      if (error instanceof HostUnwell && (error.status ?? 0) >= 500 && error.retryInMs === null) return null;
      throw error;
    }
  };

  /** Lookups of single maps, the first of them alone: it shows whether there is any use in the others. */
  const askSingly = async (
    questions: readonly string[],
    asker: Asker,
    learn: (question: string, answer: Answer) => Promise<void>,
  ): Promise<void> => {
    const left = [...questions];
    let unwell: HostUnwell | undefined;
    let nonsense = 0;
    const answerTo = async (question: string): Promise<Answer> => {
      try {
        const map = await (isHash(question) ? host.mapOfHash(question, asker) : host.mapOf(question, asker));
        return published(question, map);
      } catch (error) {
        if (error instanceof HostUnwell) unwell = error;
        else if (!(error instanceof HostNonsense)) throw error;
        else if (++nonsense >= NONSENSE_BORNE) unwell = new HostUnwell('the map host answers nonsense');
        return error;
      }
    };
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        await learn(next, unwell ?? (await answerTo(next)));
    };
    const first = left.shift();
    if (first !== undefined) await learn(first, await answerTo(first));
    await Promise.all(Array.from({ length: ASK_AT_ONCE }, work));
  };

  /**
   * Asks for many: together as far as the host can, the rest one by one.
   * @param learn told the answers as they come, some at a time
   */
  const lookUp = async (
    questions: readonly string[],
    asker: Asker,
    learn: (answers: ReadonlyMap<string, Answer>) => Promise<void>,
  ): Promise<void> => {
    const open = new Set(questions);
    /** Lookups of many that were of no use, and are known not to be there once a single one is. */
    const useless = new Map<Kind, Set<string>>();
    const tell = async (answers: ReadonlyMap<string, Answer>): Promise<void> => {
      for (const question of answers.keys()) open.delete(question);
      if (answers.size > 0) await learn(answers);
    };

    /** @param names to ask by, for each question */
    const together = async (kind: Kind, names: ReadonlyMap<string, string>): Promise<void> => {
      if (names.size < 2 || clock.now() < noManyUntil[kind]) return;
      const left = [...names];
      while (left.length > 0) {
        const asked = new Map(left.splice(0, MANY));
        const settled = await askMany(kind, asked, asker);
        if (settled?.size) await tell(settled);
        else {
          useless.set(kind, new Set(asked.keys()));
          return;
        }
      }
    };

    try {
      const [hashes, keys] = [questions.filter(isHash), questions.filter((question) => !isHash(question))];
      await together('hash', new Map(hashes.map((hash) => [hash, hash])));
      await together('ids', new Map(keys.map((key) => [key, key])));
      // Some hosts look up many hashes, but not many keys: that will do for maps that were seen before.
      const unsettled = keys.filter((key) => open.has(key));
      if (unsettled.length > 1 && (useless.has('ids') || clock.now() < noManyUntil.ids))
        await together('hash', await store.lastHashes(prisma, unsettled));
    } catch (error) {
      if (!(error instanceof HostUnwell)) throw error;
      return tell(new Map([...open].map((question) => [question, error])));
    }

    let learnt = new Map<string, Answer>();
    const flush = async (): Promise<void> => {
      const answers = learnt;
      learnt = new Map();
      await tell(answers);
    };
    await askSingly([...open], asker, async (question, answer) => {
      learnt.set(question, answer);
      if (learnt.size >= LEARNT_AT_ONCE) await flush();
      if (answer === null || isFailure(answer)) return;
      for (const [kind, asked] of useless) {
        if (!asked.has(question)) continue;
        useless.delete(kind);
        noManyUntil[kind] = clock.now() + NO_MANY_MS;
        logger.warn({ kind }, 'the map host looks up one map at a time; so we ask');
      }
    });
    await flush();
  };

  /** Asks for what nobody on this node asks for; told each answer once it is stored. */
  const ask = async (
    questions: readonly string[],
    asker: Asker,
    freshness: store.Freshness,
    settle: (question: string, answer: Answer) => void,
  ): Promise<void> => {
    const claimGuid = newGuid();
    const open = new Set(questions);
    const close = (answers: ReadonlyMap<string, Answer>): void => {
      for (const [question, answer] of answers) if (open.delete(question)) settle(question, answer);
    };
    const closeAll = (answer: Answer) => close(new Map([...open].map((question) => [question, answer])));

    while (open.size > 0) {
      // An answer is as old as its question: many are answered one after the other.
      const askedAt = clock.now();
      const mine = await store.claimQuestions(prisma, [...open], claimGuid, CLAIM_MS);
      try {
        // Another node may have answered between our look and our claim.
        close(await store.findKnown(prisma, [...open], freshness));
        await lookUp(
          mine.filter((question) => open.has(question)),
          asker,
          async (answers) => {
            const given = [...answers].filter(
              (entry): entry is [string, MapVersion | null] => !isFailure(entry[1]),
            );
            await store.saveAnswers(prisma, new Map(given), askedAt);
            close(answers);
          },
        );
      } finally {
        if (mine.length > 0) await store.releaseQuestions(prisma, claimGuid);
      }
      if (open.size === 0) return;
      // The rest is being asked for by other nodes.
      if (performance.now() > asker.deadline) closeAll(new HostUnwell('another node is still asking'));
      else await sleep(LOOK_MS);
    }
  };

  /** Waits no longer than the asker wants to, also for what was asked for by somebody with more patience. */
  const within = (answer: Promise<Answer>, { deadline }: Asker): Promise<Answer> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Answer>((resolve) => {
      timer = setTimeout(
        () => resolve(new HostUnwell('the map host takes too long')),
        // A request that had its turn in time may still be out then.
        Math.max(0, deadline - performance.now()) + 5_000,
      );
    });
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  };

  /** Asks the host, whatever is known. */
  const answersTo = async (
    questions: readonly string[],
    asker: Asker,
    freshness: store.Freshness,
  ): Promise<Map<string, Answer>> => {
    const fresh = questions.filter((question) => !underWay.has(question));
    const settlers = new Map(fresh.map((question) => [question, Promise.withResolvers<Answer>()]));
    for (const [question, { promise }] of settlers) {
      // Whoever waits for it is told; nobody may be.
      promise.catch(() => undefined);
      underWay.set(question, promise);
    }
    const waitedFor = questions.map((question) => [question, underWay.get(question)] as const);
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
      waitedFor.map(
        async ([question, answer]) => [question, answer ? await within(answer, asker) : null] as const,
      ),
    );
    // Nothing of ours is left behind when this node stops.
    if (answers.every(([question]) => !settlers.has(question) || !underWay.has(question))) await asking;
    return new Map(answers);
  };

  const toResolved = (asked: string, answer: Answer): Resolved => {
    if (answer === null)
      return mapErrors.MAP_NOT_FOUND({ message: `The map host publishes no map ${asked}.` });
    if (answer instanceof HostNonsense)
      return commonErrors.UPSTREAM_UNAVAILABLE({
        message: `The map host gave no usable answer for map ${asked}. Nothing was stored; try again later.`,
        cause: answer,
      });
    if (answer instanceof HostUnwell) {
      const seconds = answer.retryInMs === null ? null : Math.max(1, Math.ceil(answer.retryInMs / 1000));
      return commonErrors.UPSTREAM_UNAVAILABLE({
        message:
          'The map host gave no usable answer. Nothing was stored; try again ' +
          (seconds === null ? 'later.' : `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`),
        cause: answer,
        ...(seconds !== null && { headers: { 'retry-after': String(seconds) } }),
      });
    }
    return answer;
  };

  /** @param waitMs how long what is known now has to stay true */
  const lately = (waitMs = 0): store.Freshness => ({
    since: clock.now() - KEY_KNOWN_MS + waitMs,
    unknownSince: clock.now() - UNKNOWN_KNOWN_MS,
  });
  const fromNowOn = (): store.Freshness => ({ since: clock.now(), unknownSince: clock.now() });
  const askerOf = (rank: Asker['rank'], patienceMs: number, signal?: AbortSignal): Asker => ({
    rank,
    deadline: performance.now() + patienceMs,
    ...(signal && { signal }),
  });

  /**
   * Many keys (lower-case hexadecimal) or hashes (upper case), as known for at most a minute. What went
   * wrong stands in the place of the upload: MAP_NOT_FOUND or UPSTREAM_UNAVAILABLE. A hash is answered with
   * what is published of the map that has or had it: compare.
   */
  const resolveAll = async (asked: readonly string[]): Promise<Map<string, Resolved>> => {
    const questions = [...new Set(asked)];
    let freshness = lately();
    let known = await store.findKnown(prisma, questions, freshness);
    // The rest takes its time, and what is known is older by then.
    if (known.size > 0 && known.size < questions.length) {
      freshness = lately(batchPatienceMs);
      known = await store.findKnown(prisma, questions, freshness);
    }
    const open = questions.filter((question) => !known.has(question));
    const asker =
      open.length === 1 ? askerOf('curator', CURATOR_PATIENCE_MS) : askerOf('batch', batchPatienceMs);
    const answers = await answersTo(open, asker, freshness);
    return new Map(
      questions.map((question) => [
        question,
        toResolved(question, known.get(question) ?? answers.get(question) ?? null),
      ]),
    );
  };

  const orThrow = (resolved: Resolved): MapVersion => {
    if (resolved instanceof Error) throw resolved;
    return resolved;
  };

  return {
    resolveAll,

    /** One of them. @throws MAP_NOT_FOUND, UPSTREAM_UNAVAILABLE */
    resolve: async (asked: string): Promise<MapVersion> =>
      orThrow((await resolveAll([asked])).get(asked) ?? mapErrors.MAP_NOT_FOUND()),

    /** The same, but asking the host whatever is known. @throws MAP_NOT_FOUND, UPSTREAM_UNAVAILABLE */
    resolveFresh: async (asked: string): Promise<MapVersion> => {
      const asker = askerOf('curator', CURATOR_PATIENCE_MS);
      const answers = await answersTo([asked], asker, fromNowOn());
      return orThrow(toResolved(asked, answers.get(asked) ?? null));
    },

    /**
     * What is published under keys that were not looked at for a while: asked for after everybody else, and
     * given up with the signal.
     * @returns hash, null for what is published no more, nothing for what could not be learnt;
     *   `isDown`: the host could not be asked at all, or not to the end
     */
    checkKeys: async (
      keys: readonly string[],
      signal: AbortSignal,
    ): Promise<{ hashes: Map<string, string | null>; isDown: boolean }> => {
      const answers = await answersTo(keys, askerOf('check', BATCH_PATIENCE_MS, signal), fromNowOn());
      const all = [...answers];
      return {
        hashes: new Map(
          all.flatMap(([key, answer]) => (isFailure(answer) ? [] : [[key, answer?.hash ?? null] as const])),
        ),
        isDown: all.some(([, answer]) => answer instanceof HostUnwell),
      };
    },
  };
}

/** Names are shown and stored as one line, of characters that can be stored. */
const clean = (text: string | null | undefined): string =>
  (text ?? '')
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();

function toVersion(key: string, map: HostMap, published: HostVersion, files: FileHosts): MapVersion {
  const hash = published.hash.toUpperCase();
  const songName = clean(map.metadata?.songName);
  const name = clean(map.name) || songName || key;
  const { downloadURL, coverURL } = published;
  const download = downloadURL ? files.accept(downloadURL) : null;
  return {
    key,
    hash,
    name,
    songName: songName || name,
    levelAuthorName: clean(map.metadata?.levelAuthorName),
    durationSeconds: Math.max(0, Math.round(map.metadata?.duration ?? 0)),
    difficulties: (published.diffs ?? []).map(({ characteristic, difficulty, notes, maxScore }) => ({
      characteristic: clean(characteristic),
      difficulty: clean(difficulty),
      maxScore: maxScore ?? maxScoreOf(notes ?? 0),
    })),
    coverUrl: coverURL ? files.accept(coverURL) : null,
    downloadUrl: download !== null && isFileOf(download, hash) ? download : files.fileOf(hash),
  };
}

/** An address whose path does not name the hash would hand out another map. */
const isFileOf = (address: string, hash: string): boolean =>
  new RegExp(`(^|[^0-9A-F])${hash}([^0-9A-F]|$)`).test(new URL(address).pathname.toUpperCase());
