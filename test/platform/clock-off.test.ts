import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { joinNodes } from '../../src/platform/node.ts';
import { createServiceClock } from '../../src/platform/service-clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** A machine whose clock somebody sets: a warning from a second on, out of service from thirty on. */

const PATIENCE = { timeout: 20_000 };

describe('a node', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await cloneDatabase();
  });
  afterAll(() => database.drop());

  test.each([1, -1])(
    'warns once that its clock is off, and says when it is right again (%i)',
    async (sign) => {
      let aheadMs = 0;
      const lines: { level: number; msg: string; aheadMs?: number }[] = [];
      const clock = createServiceClock({ now: () => Date.now() + aheadMs });
      let beats = 0;
      const observe = clock.observe.bind(clock);
      const node = await joinNodes({
        database,
        databaseUrl: database.url,
        clock: {
          ...clock,
          observe: (reading) => {
            observe(reading);
            beats += 1;
          },
        },
        life: { isNobodyInService: async () => true, markInService: async () => undefined },
        rulesVersion: 2,
        doneUntil: async () => Date.now(),
        logger: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
        onRevived: async () => undefined,
        onForgotten: async () => undefined,
      });
      const about = () => lines.filter(({ msg }) => msg.includes('clock of this machine'));
      /** Until the next heartbeat but one is over. */
      const beat = async (): Promise<void> => {
        const before = beats;
        await expect.poll(() => beats, PATIENCE).toBeGreaterThan(before + 1);
      };
      try {
        aheadMs = sign * 500;
        await beat();
        expect(about()).toEqual([]);
        aheadMs = sign * 1500;
        await beat();
        await beat();
        expect(about()).toMatchObject([{ level: 40, msg: expect.stringMatching(/is not the database’s/) }]);
        const told = about()[0]?.aheadMs ?? 0;
        expect(Math.sign(told)).toBe(sign);
        expect(Math.abs(told)).toBeGreaterThan(1000);
        aheadMs = 0;
        await beat();
        expect(about().slice(1)).toMatchObject([{ level: 30, msg: expect.stringMatching(/is right again/) }]);
      } finally {
        await node.stop();
        await database.prisma.serviceNode.deleteMany();
      }
    },
  );
});

describe('the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  afterEach(() => void vi.restoreAllMocks());

  const readiness = async () => {
    const { status, body } = await service.request(null, 'GET', '/health/ready');
    return { status, clock: body.checks.clock };
  };

  test.each([1, -1])(
    'is ready though the clock is off by seconds, and not from thirty on (%i)',
    async (sign) => {
      const now = Date.now.bind(Date);
      let aheadMs = 0;
      vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
      await expect
        .poll(readiness, PATIENCE)
        .toMatchObject({ status: 200, clock: { ok: true, message: null } });
      aheadMs = sign * 20_000;
      const off = { message: expect.stringMatching(/^the clock of this machine is -?\d+ ms ahead$/) };
      await expect.poll(readiness, PATIENCE).toMatchObject({ status: 200, clock: { ok: true, ...off } });
      aheadMs = sign * 40_000;
      await expect.poll(readiness, PATIENCE).toMatchObject({ status: 503, clock: { ok: false, ...off } });
      aheadMs = 0;
      await expect
        .poll(readiness, PATIENCE)
        .toMatchObject({ status: 200, clock: { ok: true, message: null } });
    },
  );
});
