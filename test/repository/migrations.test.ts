import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { unexplainedLocks } from '../../scripts/migration-locks.ts';

test.each([
  'CREATE INDEX "Match_status_idx" ON "Match"("status");',
  'CREATE UNIQUE INDEX "Match_key" ON "Match"("status");',
  'ALTER TABLE "Match" ALTER COLUMN "status" TYPE INTEGER;',
  'ALTER TABLE "Match" ALTER COLUMN "status" SET NOT NULL;',
  'ALTER TABLE "Match" ADD CONSTRAINT "Match_ok" CHECK (true);',
  'ALTER TABLE "Match" ADD COLUMN "more" INTEGER;',
  'DROP TABLE "Match";',
  'DROP INDEX "Match_status_idx";',
  'UPDATE "Match" SET "status" = \'x\';',
  'DELETE FROM "Match";',
  'INSERT INTO "Other" SELECT * FROM "Match";',
  'LOCK TABLE "Match";',
])('a statement needs a comment that says what it locks: %s', (statement) => {
  expect(unexplainedLocks(`-- A comment.\n${statement}\n`)).toHaveLength(1);
  expect(unexplainedLocks(`-- AlterTable\n-- Locks "Match": writes, a second.\n${statement}\n`)).toEqual([]);
  expect(unexplainedLocks(`-- Locks "Match": writes, a second.\nSELECT 1;\n${statement}\n`)).toHaveLength(1);
  expect(unexplainedLocks(`CREATE TABLE "Match" ("status" TEXT);\n${statement}\n`)).toEqual([]);
});

test('an index that is built beside writes needs no explanation', () => {
  expect(unexplainedLocks('CREATE INDEX CONCURRENTLY "Match_status_idx" ON "Match"("status");')).toEqual([]);
});

test('every migration says what it locks and for how long', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const files = globSync('prisma/migrations/*/migration.sql', { cwd: root });
  expect(files.length).toBeGreaterThan(10);
  const found = files.flatMap((file) =>
    unexplainedLocks(readFileSync(path.join(root, file), 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});
