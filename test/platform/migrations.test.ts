import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { migrate } from '../../src/platform/database/migrations.ts';

test('two nodes that start at once on an empty database apply every migration once', async () => {
  const admin = new pg.Client({ connectionString: inject('postgresAdminUrl') });
  await admin.connect();
  await admin.query('CREATE DATABASE matches_two_nodes');
  const url = inject('postgresAdminUrl').replace(/\/[^/]*$/, '/matches_two_nodes');
  const applied = await Promise.all([migrate(url), migrate(url)]);
  expect(applied.map((names) => names.length > 0).sort()).toEqual([false, true]);
  await admin.query('DROP DATABASE matches_two_nodes WITH (FORCE)');
  await admin.end();
});
