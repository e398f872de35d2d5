import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { PlayEvent } from '../src/domains/matches/match-events.ts';
import { play } from '../src/domains/matches/play.ts';
import type { MatchState } from '../src/domains/matches/state.ts';
import { commitStatement, commitSteps, commitValues, type StoredStep } from '../src/domains/matches/store.ts';
import { withMaps } from '../src/domains/matches/stored-state.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { type Claim, keepBusy, measure, processors, speedRatio, type Variant } from './harness.ts';
import { type Arena, askInParallel, IN_FLIGHT, mustBeMatch } from './matches-arena.ts';
import { messageOf } from './thin-client.ts';

const PGBENCH = 'pgbench -M prepared';
const STORE = 'the store';
const WHOLE = 'the whole way';

/** A player says by turns that the download runs and that it failed: accepted without end. */
const said = ['downloading', 'failed'] as const;
const saying = (times: number): PlayEvent => ({
  type: 'setReady',
  seat: 'red',
  roundNumber: 1,
  state: said[times % 2] ?? 'failed',
});

interface Copy {
  state: MatchState;
  version: number;
  steps: readonly [StoredStep, ...StoredStep[]];
}

/** Matches like the real ones that nobody plays: for statements without the service. */
async function copyMatches({ pool, prisma }: Database, matches: Arena['matches']): Promise<Copy[]> {
  const { rows } = await pool.query<{ state: MatchState }>(
    `INSERT INTO "Match" SELECT (jsonb_populate_record(match, jsonb_build_object(
       'matchGuid', copy.guid, 'state', match.state || jsonb_build_object('matchGuid', copy.guid)))).*
     FROM "Match" AS match, LATERAL (SELECT gen_random_uuid() AS guid, match."matchGuid") AS copy
     WHERE match."matchGuid" = ANY($1::uuid[]) RETURNING state`,
    [matches.map(({ matchGuid }) => matchGuid)],
  );
  return (await withMaps(prisma, rows)).map(({ state }) => {
    const played = play(state, saying(0), Date.now());
    if (played.kind !== 'changed') throw new Error('Nothing to store.');
    return { state, version: state.version, steps: played.steps };
  });
}

/** The same as the service stores it: the next version follows from the one before. */
const store = (database: Database, copies: readonly Copy[]): Variant => ({
  name: STORE,
  start: async () => ({
    round: (forMs) =>
      keepBusy(copies, forMs, async (copy) => {
        const [step] = copy.steps;
        const state = { ...step.state, version: copy.version + 1 };
        const next: [StoredStep] = [{ ...step, state }];
        if (!(await commitSteps(database, copy.version, next, Date.now(), state.deadlineAt)))
          throw new Error('A change was not stored.');
        copy.version += 1;
      }),
    stop: async () => undefined,
  }),
});

/** The store's own SQL with pgbench's words for its parameters; the values are the store's own, too. */
function scriptOf({ state, steps }: Copy): { script: string; variables: Record<string, string> } {
  const { text, values = [] } = commitStatement.query(
    ...commitValues(state.version, steps, Date.now(), state.deadlineAt),
  );
  const changing = new Map([
    [1, ':guid'],
    [2, ':version'],
    [4, ':next'],
  ]);
  const variables: Record<string, string> = {};
  const statement = text.replace(/\$(\d+)/g, (_all, digits: string) => {
    const number = Number(digits);
    const changes = changing.get(number);
    if (changes !== undefined) return changes;
    const value = values[number - 1];
    // A variable of pgbench cannot be null.
    if (value === null || value === undefined) return 'NULL';
    variables[`p${number}`] = String(value);
    return `:p${number}`;
  });
  const script = `\\if :begins
SELECT "matchGuid" AS guid, version FROM "Match" WHERE "matchGuid" = ANY(:guids::uuid[])
  ORDER BY "matchGuid" OFFSET :client_id LIMIT 1 \\gset
\\set begins 0
\\endif
\\set next :version + 1
${statement};
\\set version :next
`;
  return { script, variables };
}

const run = promisify(execFile);

const pgbench = (databaseUrl: string, database: Database, copies: readonly Copy[]): Variant => ({
  name: PGBENCH,
  start: async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'matches-pgbench-'));
    const file = path.join(folder, 'commit.sql');
    const [copy] = copies;
    if (copy === undefined) throw new Error('There is no match to change.');
    const { script, variables } = scriptOf(copy);
    await writeFile(file, script);
    const guids = copies.map(({ state }) => state.matchGuid);
    const versions = async (): Promise<number> => {
      const { rows } = await database.pool.query<{ sum: number }>(
        'SELECT sum(version)::int AS sum FROM "Match" WHERE "matchGuid" = ANY($1::uuid[])',
        [guids],
      );
      return rows[0]?.sum ?? 0;
    };
    const defined = { ...variables, begins: '1', guids: `{${guids.join()}}` };
    // A session like the store's: that a statement may be timed out has its price as well.
    const { rows: sessions } = await database.pool.query<{ options: string }>(
      `SELECT string_agg(format('-c %s=%s', name, setting), ' ') AS options FROM pg_settings
       WHERE name IN ('TimeZone', 'statement_timeout', 'idle_in_transaction_session_timeout')`,
    );
    const env = { ...process.env, PGOPTIONS: sessions[0]?.options };
    return {
      round: async (forMs) => {
        const before = await versions();
        const { stdout } = await run(
          'pgbench',
          [
            ...['-n', '-M', 'prepared', '-c', String(IN_FLIGHT), '-j', '1'],
            ...['-T', String(Math.ceil(forMs / 1000))],
            ...Object.entries(defined).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
            ...['-f', file, databaseUrl],
          ],
          { env },
        );
        const done = Number(/actually processed: (\d+)/.exec(stdout)?.[1]);
        if ((await versions()) !== before + done) throw new Error('pgbench did not store every change.');
        return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
      },
      stop: () => rm(folder, { recursive: true }),
    };
  },
});

/** A command from the socket to the acknowledgement, with the update of both players. */
export const wholeWay = (matches: Arena['matches']): Variant => ({
  name: WHOLE,
  start: async () => {
    const messages = matches.map(({ matchGuid }) =>
      said.map((state) => messageOf('setReady', { matchGuid, roundNumber: 1, state })),
    );
    const sent = matches.map(() => 0);
    const received = () =>
      matches
        .flatMap(({ players }) => players)
        .reduce((sum, player) => sum + player.received('matchUpdated'), 0);
    return {
      round: async (forMs) => {
        const before = received();
        const { rate, answered } = await askInParallel(
          matches.map(({ players: [player] }) => player),
          forMs,
          (client) => {
            const times = sent[client] ?? 0;
            sent[client] = times + 1;
            return messages[client]?.[times % 2] as Buffer;
          },
          mustBeMatch,
        );
        // Updates are sent before the acknowledgement, over other connections: the last ones may be on their way.
        for (let waited = 0; received() - before < 2 * answered; waited += 10) {
          if (waited > 2000) throw new Error(`${answered} changes gave ${received() - before} updates.`);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        return rate;
      },
      stop: async () => undefined,
    };
  },
});

const hasPgbench = (): Promise<boolean> =>
  run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );

/**
 * Gives PostgreSQL the first processor and its clients the last one, where the service is already: otherwise the
 * system moves them about, and a variant's luck with that is part of what is measured.
 * @returns gives everybody all processors again
 */
async function pinApart({ pool }: Database): Promise<() => Promise<void>> {
  const pin = async (processors: string, pids: readonly number[]): Promise<void> => {
    for (const pid of pids) await run('taskset', ['-apc', processors, String(pid)]);
  };
  const { all, first, last } = processors();
  const { rows } = await pool.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
  const pids = rows.map(({ pid }) => pid);
  try {
    // Sessions begun later are on the processors of the process that listens for them.
    const status = await readFile(`/proc/${pids[0]}/status`, 'utf8');
    const listening = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
    await pin(first, [listening, ...pids]);
    await pin(last, [process.pid]);
  } catch (error) {
    console.log(`\nNobody is pinned to a processor: ${(error as Error).message}`);
  }
  return () => pin(all, [process.pid]).catch(() => undefined);
}

/** One accepted command: its statement alone, and all that is around it. */
export async function benchCommands({ databaseUrl, matches }: Arena): Promise<Claim[]> {
  if (!(await hasPgbench())) {
    console.log('\nAccepted commands: pgbench is not installed, there is nothing to compare with.');
    return [];
  }
  const database = openDatabase({ url: databaseUrl });
  const unpin = await pinApart(database);
  try {
    const rates = await measure(`One accepted command, ${IN_FLIGHT} in flight`, [
      pgbench(databaseUrl, database, await copyMatches(database, matches)),
      store(database, await copyMatches(database, matches)),
      wholeWay(matches),
    ]);
    return [
      {
        text: 'the statement of a command, of pgbench',
        measured: speedRatio(rates, STORE, PGBENCH),
        atLeast: 0.8,
      },
      {
        text: 'a command the whole way, of pgbench',
        measured: speedRatio(rates, WHOLE, PGBENCH),
        atLeast: 0.5,
      },
    ];
  } finally {
    await unpin();
    await database.close();
  }
}
