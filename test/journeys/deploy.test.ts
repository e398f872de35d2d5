import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import { openNodes, type ServiceNode, type ServiceNodes } from '../harness/nodes.ts';
import { givenBackTo, outagesIn } from '../harness/outages.ts';
import { SocketPlayer } from '../harness/socket-player.ts';

/**
 * Two nodes restarted one after the other while matches run on both. With as many players as a machine of its own can
 * carry: `DEPLOY_PLAYERS=500 npx vitest run test/journeys/deploy.test.ts`.
 */

const PLAYERS = Number(process.env.DEPLOY_PLAYERS ?? 24);

let nodes: ServiceNodes;
const running: ServiceNode[] = [];
beforeAll(async () => {
  nodes = await openNodes({ JOIN_SECONDS: '600', DISCARD_SECONDS: '600', DRAIN_DELAY_SECONDS: '1' });
  for (let nth = 0; nth < 2; nth++) running.push(await nodes.start());
});
afterAll(() => nodes.stop());

interface RefusedHandshake extends Error {
  data?: { retryAfterMs: number | null };
}
/** How long a plugin waits that reached no node and was not told when to come again. */
const AGAIN_MS = 250;

/** A player who connects to the other node at the time that the notice names, and again when a refusal says so. */
class Roamer {
  readonly name: string;
  #token: string | undefined;
  /** The codes it was refused with. */
  readonly refusals: string[] = [];
  /** Milliseconds from the time the notice named to being served again, one for each restart. */
  readonly waits: number[] = [];
  at: number;
  player!: SocketPlayer;
  #coming: Promise<void> | undefined;

  constructor(name: string, at: number) {
    this.name = name;
    this.at = at;
  }

  async connect(): Promise<void> {
    const { url } = running[this.at] as ServiceNode;
    const { name } = this;
    // A plugin has its token before it is told to come again.
    this.#token ??= await nodes.gameToken(name);
    const known = { url, name, token: this.#token, pluginVersion: PLUGIN_VERSION };
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

  /** Waits until it was served again so often. */
  async isBack(times: number): Promise<void> {
    await expect.poll(() => this.waits.length, { timeout: 60_000 }).toBe(times);
  }
}

test('a deploy of two nodes, one after the other, ends no match and moves no limit', async () => {
  const roamers = Array.from({ length: PLAYERS }, (_, nth) => new Roamer(`R${nth}`, nth % 2));
  /** In groups of 20: this test is not about how many can come at once. */
  const each = async (work: (one: Roamer) => Promise<unknown>): Promise<void> => {
    for (let first = 0; first < PLAYERS; first += 20)
      await Promise.all(roamers.slice(first, first + 20).map(work));
  };
  await each((one) => one.connect());
  await each(({ player }) => player.do('joinQueue', { queueGuid: nodes.queueGuid }));
  const { prisma } = nodes.database;
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
  const [before, outages] = [await limits(), await outagesIn(nodes.database)];
  expect([...before.values()].every((limit) => limit.startsWith('awaiting_discards '))).toBe(true);

  for (const [nth, node] of running.entries()) {
    const leaving = roamers.filter(({ at }) => at === nth);
    const times = leaving.map(({ waits }) => waits.length + 1);
    expect(await node.process.terminate()).toBe(0);
    await Promise.all(leaving.map((one, at) => one.isBack(times[at] ?? 0)));
    // The players of the second node move to the first one: whether the second comes back changes nothing for them.
    if (nth === 0) await node.startAgain();
  }

  const waits = roamers.flatMap((one) => one.waits).sort((a, b) => a - b);
  const back = (share: number): number => Math.round(waits[Math.ceil(waits.length * share) - 1] ?? 0);
  const refusals = Object.groupBy(
    roamers.flatMap((one) => one.refusals),
    (code) => code,
  );
  const refused = Object.entries(refusals).map(([code, times]) => `${times?.length} ${code}`);
  // A run with more players is about these figures.
  process.stdout.write(
    `${PLAYERS} players back after ${back(0.5)} ms (median), ${back(0.99)} ms (99 %), ${back(1)} ms (all); refused: ${refused.join() || 'nobody'}\n`,
  );
  expect(waits.length).toBeGreaterThanOrEqual(PLAYERS);
  expect(await limits()).toEqual(before);
  expect(await outagesIn(nodes.database)).toEqual(outages);
  for (const matchGuid of before.keys()) expect(await givenBackTo(nodes.database, matchGuid)).toEqual([]);
  // The aims are 3 s for 99 % and 10 s for all, on a machine that does nothing else.
  const busy = process.env.DEPLOY_PLAYERS === undefined ? 3 : 1;
  expect(back(0.99), '99 % are back').toBeLessThan(3000 * busy);
  expect(back(1), 'all are back').toBeLessThan(10_000 * busy);
  await Promise.all(roamers.map(({ player }) => player.leave()));
}, 600_000);
