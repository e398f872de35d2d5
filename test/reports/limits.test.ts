import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { ask } from '../harness/ask.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** How many reports a person may file. */

const HOUR = 3_600_000;
const MOST = 40;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ environment: { RATE_LIMIT_FACTOR: '2' } });
});
afterAll(() => service.stop());

test('a person may file 20 reports within 24 hours, times the factor, also when the reports come at once', async () => {
  const token = await service.gameToken('Anna');
  const { body: me } = await ask(`${service.url}/auth/me`, 'GET', { token });
  const reporterGuid: string = me.playerGuid;
  const { prisma } = service.database;
  const other = newGuid();
  /** A match that both have joined, and nothing else of it. */
  const match = async (): Promise<string> => {
    const matchGuid = newGuid();
    const seat = (playerGuid: string) => ({ playerGuid, joined: true });
    await prisma.match.create({
      data: {
        matchGuid,
        queueGuid: newGuid(),
        seasonGuid: newGuid(),
        poolGuid: newGuid(),
        redGuid: reporterGuid,
        blueGuid: other,
        status: 'completed',
        version: 1,
        rulesVersion: 2,
        state: { endedAt: Date.now(), seats: { red: seat(reporterGuid), blue: seat(other) } },
        rated: true,
        startedAt: new Date(),
        endedAt: new Date(),
      },
    });
    return matchGuid;
  };
  const file = async (matchGuid: string) => {
    const about = { matchGuid, playerGuid: other, reason: 'other' };
    const { status, body, headers } = await ask(`${service.url}/reports`, 'POST', { token, body: about });
    return { status, code: body.error?.code, wait: Number(headers.get('retry-after')) };
  };
  const rowOf = async (at: number) => ({
    reportGuid: newGuid(),
    matchGuid: await match(),
    reporterGuid,
    playerGuid: other,
    reason: 'other',
    status: 'open',
    at: new Date(at),
  });
  const now = Date.now();
  const old = Array.from({ length: 5 }, () => rowOf(now - 25 * HOUR));
  const recent = Array.from({ length: MOST - 2 }, (_, nth) => rowOf(now - 2 * HOUR - nth));
  await prisma.report.createMany({ data: await Promise.all([...old, ...recent]) });

  const matches = await Promise.all(Array.from({ length: 5 }, match));
  const answers = await Promise.all(matches.map(file));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429, 429]);
  for (const [index, { status, code, wait }] of answers.entries()) {
    // A report that has been filed is answered, whatever the limit.
    if (status === 201) expect((await file(matches[index] as string)).status).toBe(200);
    else {
      expect(code).toBe('RATE_LIMITED');
      expect(wait).toBeGreaterThan(21.9 * 3600);
      expect(wait).toBeLessThanOrEqual(22 * 3600);
    }
  }
});
