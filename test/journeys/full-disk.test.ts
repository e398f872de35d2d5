import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ environment: { RATE_LIMIT_FACTOR: '1' } });
});
afterAll(() => service.stop());

/** The code with which the player is refused. */
const refusal = (name: string): Promise<string> =>
  service.connect(name).then(
    () => 'connected',
    ({ message }: Error) => message,
  );
const database = async () =>
  (await service.request(null, 'GET', '/health/ready')).body.checks.database as unknown;

test('while the disk of the database is full, players are refused before they take a seat', async () => {
  const { pool } = service.database;
  await pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER test BEFORE INSERT OR UPDATE ON "PlayerConnection" EXECUTE FUNCTION refuse()`);
  // The first write that the server refuses shows it.
  const first = await service.connect('Anna');
  await first.until(() => first.disconnectReason !== null, 'the end of the connection');
  // More attempts than a player may connect in a minute: refused ones do not count. All at once, because the service tries
  // again ten seconds after the refused write.
  const attempts = Array.from({ length: 12 }, () => refusal('Anna'));
  const [check, ...refusals] = await Promise.all([database(), ...attempts]);
  expect(check).toEqual({ ok: true, message: 'its disk is full; writes are refused' });
  expect(new Set(refusals)).toEqual(new Set(['SERVICE_UNAVAILABLE']));
  await pool.query('DROP TRIGGER test ON "PlayerConnection"; DROP FUNCTION refuse()');
  await expect.poll(database, { timeout: 30_000 }).toEqual({ ok: true, message: null });
  const again = await service.connect('Anna');
  expect(await again.do('hello')).toMatchObject({ player: { username: 'Anna' } });
  again.leave();
});
