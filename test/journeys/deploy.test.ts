import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/local/postgres.ts';
import { givenBackTo, outagesIn } from '../harness/outages.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/process.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { SocketPlayer } from '../harness/socket-player.ts';

/**
 * Two nodes restarted one after the other while matches run on both. With as many players as a machine of its own can
 * carry: `DEPLOY_PLAYERS=500 npx vitest run test/journeys/deploy.test.ts`.
 */

const PLAYERS = Number(process.env.DEPLOY_PLAYERS ?? 24);

let seeded: TestService;
let queueGuid: string;
const running: { url: string; environment: Record<string, string>; process: ServiceProcess }[] = [];

beforeAll(async () => {
  seeded = await startTestService({
    environment: { JOIN_SECONDS: '600', DISCARD_SECONDS: '600', DRAIN_DELAY_SECONDS: '1' },
  });
  ({ queueGuid } = await seeded.openQueue());
  await seeded.service.stop();
  for (let nth = 0; nth < 2; nth++) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const environment = { ...seeded.environment, PORT: String(port), BASE_URL: url };
    running.push({ url, environment, process: await startServiceProcess(environment) });
  }
});
afterAll(async () => {
  for (const { process } of running) await process.kill();
  seeded.service.stop = async () => undefined;
  await seeded.stop();
});

interface RefusedHandshake extends Error {
  data?: { retryAfterMs: number | null };
}
/** How long a plugin waits that found nobody there and was not told when to come again. */
const AGAIN_MS = 250;

/**
 * A player who does as told: connects to the other node when the time has come that the notice named, and again when
 * a refusal says so.
 */
class Roamer {
  readonly name: string;
  #token: string | undefined;
  /** What it was refused with, by its codes. */
  readonly refusals: string[] = [];
  /** Milliseconds between when it was told to try and being served again, one for each restart. */
  readonly waits: number[] = [];
  at: number;
  player!: SocketPlayer;
  #coming: Promise<void> | undefined;

  constructor(name: string, at: number) {
    this.name = name;
    this.at = at;
  }

  async connect(): Promise<void> {
    const { url } = running[this.at] as (typeof running)[number];
    const { name } = this;
    // A plugin has its token before it is told to come again.
    this.#token ??= await seeded.identityProvider.gameToken({
      platformId: platformIdOf(name),
      username: name,
    });
    const known = { url, name, token: this.#token, pluginVersion: '1.0.0' };
    for (;;) {
      const answer = await SocketPlayer.connect(known).catch((error: unknown) => error as RefusedHandshake);
      if (answer instanceof SocketPlayer) {
        this.player = answer;
        break;
      }
      this.refusals.push(answer.message);
      await sleep(answer.data?.retryAfterMs ?? AGAIN_MS);
    }
    this.player.socket.on('serverNotice', ({ type, retryAfterMs }) => {
      if (type === 'draining') this.#coming ??= this.#move(performance.now() + retryAfterMs);
    });
  }

  async #move(tryAt: number): Promise<void> {
    const old = this.player;
    await sleep(tryAt - performance.now());
    this.at = 1 - this.at;
    await this.connect();
    await this.player.do('hello');
    this.waits.push(performance.now() - tryAt);
    old.leave();
    this.#coming = undefined;
  }

  /** Resolves once it was served again so often. */
  async isBack(times: number): Promise<void> {
    await expect.poll(() => this.waits.length, { timeout: 60_000 }).toBe(times);
  }
}

test('a deploy of two nodes, one after the other, costs nobody a match and moves no limit', async () => {
  const roamers = Array.from({ length: PLAYERS }, (_, nth) => new Roamer(`R${nth}`, nth % 2));
  /** In small crowds: how many can come at once is not the question here. */
  const each = async (work: (one: Roamer) => Promise<unknown>): Promise<void> => {
    for (let first = 0; first < PLAYERS; first += 20)
      await Promise.all(roamers.slice(first, first + 20).map(work));
  };
  await each((one) => one.connect());
  await each(({ player }) => player.do('joinQueue', { queueGuid }));
  const { prisma } = seeded.database;
  await expect
    .poll(() => prisma.match.count({ where: { endedAt: null } }), { timeout: 120_000 })
    .toBe(PLAYERS / 2);
  await each(async ({ player }) => {
    await player.until(() => player.match !== undefined, 'being matched', 60_000);
    await player.do('joinMatch', { matchGuid: player.match.matchGuid });
  });
  const limits = async () =>
    new Map(
      (await prisma.match.findMany({ where: { endedAt: null } })).map(({ matchGuid, state, status }) => [
        matchGuid,
        `${status} ${(state as any).deadlineAt}`,
      ]),
    );
  const [before, outages] = [await limits(), await outagesIn(seeded.database)];
  expect([...before.values()].every((limit) => limit.startsWith('awaiting_discards '))).toBe(true);

  for (const [nth, node] of running.entries()) {
    const leaving = roamers.filter(({ at }) => at === nth);
    const times = leaving.map(({ waits }) => waits.length + 1);
    expect(await node.process.terminate()).toBe(0);
    await Promise.all(leaving.map((one, at) => one.isBack(times[at] ?? 0)));
    node.process = await startServiceProcess(node.environment);
  }

  const waits = roamers.flatMap((one) => one.waits).sort((a, b) => a - b);
  const back = (share: number): number => Math.round(waits[Math.ceil(waits.length * share) - 1] ?? 0);
  const refusals = Object.groupBy(
    roamers.flatMap((one) => one.refusals),
    (code) => code,
  );
  const refused = Object.entries(refusals).map(([code, times]) => `${times?.length} ${code}`);
  // The figures are what a run with more players is for.
  process.stdout.write(
    `${PLAYERS} players back after ${back(0.5)} ms (median), ${back(0.99)} ms (99 %), ${back(1)} ms (all); refused: ${refused.join() || 'nobody'}\n`,
  );
  expect(waits.length).toBeGreaterThanOrEqual(PLAYERS);
  expect(await limits()).toEqual(before);
  expect(await outagesIn(seeded.database)).toEqual(outages);
  for (const matchGuid of before.keys()) expect(await givenBackTo(seeded.database, matchGuid)).toEqual([]);
  expect(back(0.99), 'of a hundred ninety-nine are back in 3 s').toBeLessThan(3000);
  expect(back(1), 'all are back in 10 s').toBeLessThan(10_000);
  await Promise.all(roamers.map(({ player }) => player.leave()));
}, 600_000);
