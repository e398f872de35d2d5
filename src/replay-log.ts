import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type CommandAnswer, runCommand } from './command.ts';
import {
  isProven,
  loadLog,
  type MatchLog,
  matchLog,
  proveMatch,
  publicMatch,
} from './domains/matches/index.ts';
import { openDatabase } from './platform/database/database.ts';

/**
 * Proves a match as the page of an ended match does: plays its log again by the rules and compares. Reads what
 * `GET /matches/{matchGuid}/log` answered from a file, or the match from the database of the service.
 */

const HELP = `npm run replay-log -- <file|matchGuid> [match]
  file        the answer of GET /matches/{matchGuid}/log
  matchGuid   a match in the database that DATABASE_URL names, of the environment or of .env
  match       a file with the answer of GET /matches/{matchGuid}: compared with the end of the log

Exit code 0: everything the log claims holds. 1: something does not, or there is nothing to check.`;

/** A problem of the call, not of the program. It is printed in one line. */
class Problem extends Error {}

async function fromDatabase(matchGuid: string, url: string | undefined): Promise<MatchLog> {
  if (!url) throw new Problem('DATABASE_URL is not set; it names the database the match is in.');
  const database = openDatabase({ url, connections: 2 });
  try {
    const log = await loadLog(database, matchGuid).catch((error: unknown) => {
      throw new Problem('The match could not be read from the database.', { cause: error });
    });
    if (log === null) throw new Problem(`There is no match ${matchGuid} in this database.`);
    return log;
  } finally {
    await database.close();
  }
}

/** Reads a file that holds one response. @param what it is, for the message */
async function fromFile<T extends z.ZodType>(file: string, shape: T, what: string): Promise<z.output<T>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Problem(`${file} cannot be read.`, { cause: error });
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Problem(`${file} is not JSON.`, { cause: error });
  }
  const parsed = shape.safeParse(json);
  if (!parsed.success) throw new Problem(`${file} is not ${what}.\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

async function prove(
  source: string,
  shown: string | undefined,
  databaseUrl: string | undefined,
): Promise<CommandAnswer> {
  const log = await (z.guid().safeParse(source).success
    ? fromDatabase(source, databaseUrl)
    : fromFile(source, matchLog, 'the log of a match'));
  const match = shown === undefined ? null : await fromFile(shown, publicMatch, 'a match');
  const proof = proveMatch(log, { match });
  const lines = proof.checks.map(({ claim, problem }) =>
    problem === null ? `ok      ${claim}.` : `FAILED  ${claim}. ${problem}`,
  );
  const head = `Match ${log.matchGuid}: ${log.status}, ${log.events.length} events.`;
  return { exitCode: isProven(proof) ? 0 : 1, stdout: `${[head, ...lines].join('\n')}\n`, stderr: '' };
}

/**
 * Answers one call of the command.
 * @param args the arguments of the command
 * @param environment names the database
 */
export async function replayLog(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<CommandAnswer> {
  const [source, shown, ...others] = args;
  if (source === undefined || source.startsWith('-') || others.length > 0)
    return { exitCode: 1, stdout: '', stderr: `${HELP}\n` };
  try {
    return await prove(source, shown, environment.DATABASE_URL);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    return { exitCode: 1, stdout: '', stderr: `${error.message}${cause}\n` };
  }
}

if (import.meta.main) await runCommand(replayLog);
