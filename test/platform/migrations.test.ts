import { expect, onTestFinished, test, vi } from 'vitest';
import { migrate } from '../../src/platform/database/migrations.ts';
import { cloneDatabase, emptyDatabase } from '../harness/database.ts';

test('two nodes that start at once on an empty database apply every migration once', async () => {
  const { url, drop } = await emptyDatabase();
  onTestFinished(drop);
  const applied = await Promise.all([migrate(url), migrate(url)]);
  expect(applied.map((names) => names.length > 0).sort()).toEqual([false, true]);
});

test('no timer is left behind that keeps the process from ending', async () => {
  const { url, drop } = await emptyDatabase();
  onTestFinished(drop);
  const [started, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  onTestFinished(() => void vi.restoreAllMocks());
  await migrate(url);
  const ended = new Set(cleared.mock.calls.map(([timer]) => timer));
  const left = started.mock.results.filter(({ value }) => value.hasRef() && !ended.has(value));
  expect(left).toHaveLength(0);
});

test.each([
  ['that was edited after it ran', `UPDATE _prisma_migrations SET checksum = repeat('0', 64)`, /were edited/],
  ['that failed', 'UPDATE _prisma_migrations SET finished_at = NULL, logs = $$failed$$', /failed before/],
  [
    'of a newer version',
    `INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at, applied_steps_count)
     VALUES ('newer', '99990101000000_newer', repeat('0', 64), now(), 1)`,
    /does not know/,
  ],
])('a database with a migration %s is refused', async (_what, change, refusal) => {
  const database = await cloneDatabase();
  onTestFinished(database.drop);
  expect(await migrate(database.url)).toEqual([]);
  await database.pool.query(change);
  await expect(migrate(database.url)).rejects.toThrow(refusal);
});
