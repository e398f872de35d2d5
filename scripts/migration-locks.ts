import { statementsOf } from '../src/platform/database/schema-engine.ts';

/** Finds the locks that a migration takes on tables which older nodes still use. */

interface Rule {
  statement: RegExp;
  locks: string;
}

/**
 * Statements on a table that is there already, the more dangerous first. Source: PostgreSQL's chapter 13.3 on explicit
 * locking, and the notes of ALTER TABLE and CREATE INDEX.
 */
const RULES: Rule[] = [
  {
    statement: /^ALTER TABLE (?:ONLY )?"(\w+)"[\s\S]*\b(?:TYPE|SET NOT NULL|ADD (?:PRIMARY KEY|UNIQUE))\b/,
    locks: 'reads and writes wait while every row is looked at or written again',
  },
  {
    statement: /^ALTER TABLE (?:ONLY )?"(\w+)"(?![\s\S]*NOT VALID)[\s\S]*\bADD CONSTRAINT\b/,
    locks: 'reads and writes wait while every row is checked',
  },
  {
    statement: /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)[^(]*ON "(\w+)"/,
    locks: 'writes wait while the index is built',
  },
  { statement: /^(?:ALTER|DROP) TABLE (?:ONLY )?"(\w+)"/, locks: 'reads and writes wait for a moment' },
  { statement: /^DROP INDEX "([^_"]+)/, locks: 'reads and writes wait for a moment' },
  {
    statement: /^(?:UPDATE|DELETE FROM) "(\w+)"/,
    locks: 'writes of the same rows wait until the migration ends',
  },
  { statement: /^INSERT INTO "(?:\w+)"[\s\S]*\bFROM "(\w+)"/, locks: 'the table is read as a whole' },
  {
    statement: /^(?:LOCK TABLE|TRUNCATE(?: TABLE)?|CREATE TRIGGER [\s\S]* ON) "(\w+)"/,
    locks: 'the table is locked',
  },
];

/** The comment that says which lock a statement takes, and for how long. */
const EXPLANATION = /^-- Locks "\w+": \S/m;

/**
 * The statements of a migration on tables it does not create itself that have no comment `-- Locks "Table": …` above them.
 * @param sql of one migration
 * @returns a line for each, with what the statement makes others wait for
 */
export function unexplainedLocks(sql: string): string[] {
  const created = new Set([...sql.matchAll(/^CREATE TABLE "(\w+)"/gm)].map(([, table]) => table));
  return statementsOf(sql).flatMap((part) => {
    const text = part.replaceAll(/^--.*$/gm, '').trim();
    for (const { statement, locks } of RULES) {
      const table = statement.exec(text)?.[1];
      if (table === undefined) continue;
      if (created.has(table) || EXPLANATION.test(part)) return [];
      return [`${text.split('\n')[0]} … (${locks})`];
    }
    return [];
  });
}
