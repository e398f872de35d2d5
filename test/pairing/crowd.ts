import pino from 'pino';
import { shareConnections } from '../../src/domains/connections/store.ts';
import { createService, type PairingOptions } from '../../src/domains/pairing/service.ts';
import { pluginVersions } from '../../src/domains/releases/rules.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { cloneDatabase } from '../harness/database.ts';
import { START } from '../matches/game.ts';
import { openMatches } from '../matches/service.ts';

/** A node with one open queue, whose players are all connected to it. */
export async function openCrowd() {
  const database = await cloneDatabase();
  const { prisma } = database;
  const lease = { task: 'pairing', nodeGuid: newGuid(), epoch: 1 };
  await prisma.lease.create({ data: lease });
  const [seasonGuid, poolGuid, queueGuid, categoryGuid] = [newGuid(), newGuid(), newGuid(), newGuid()];
  const at = new Date(START);
  await prisma.season.create({
    data: { seasonGuid, name: 'Season', startsAt: at, endsAt: new Date(START + 86_400_000) },
  });
  await prisma.mapCategory.create({ data: { categoryGuid, name: 'Category', position: 1 } });
  await prisma.pool.create({
    data: {
      poolGuid,
      seasonGuid,
      name: 'Pool',
      status: 'published',
      revision: 1,
      createdAt: at,
      publishedAt: at,
      maps: {
        create: Array.from({ length: 20 }, (_, nth) => ({
          mapGuid: newGuid(),
          categoryGuid,
          key: nth.toString(16),
          hash: nth.toString(16).toUpperCase().padStart(40, '0'),
          name: `Map ${nth}`,
          songName: `Map ${nth}`,
          levelAuthorName: 'Author',
          characteristic: 'Standard',
          difficulty: 'ExpertPlus',
          modifiers: [],
          durationSeconds: 120,
          maxScore: 1_000_000,
          coverUrl: null,
          downloadUrl: 'https://maps.example/1',
          stale: false,
          addedAt: at,
          addedByGuid: newGuid(),
        })),
      },
    },
  });
  const pairing = { initialGap: 150, gapPerSecond: 10, maxGap: null };
  await prisma.queue.create({
    data: {
      queueGuid,
      name: 'Queue',
      poolGuid,
      status: 'open',
      rules: { maxDiscards: 2, pairing, replaysRequired: false },
      createdAt: at,
      updatedAt: at,
    },
  });

  /** The players who were told that they left the queue for a match, in order. */
  const matched: string[] = [];
  const errors: unknown[] = [];
  /** @param about replaces parts of the node */
  const open = (about: (matches: ReturnType<typeof openMatches>) => Partial<PairingOptions> = () => ({})) => {
    const matches = openMatches(database);
    return createService({
      config: { maintenance: false, rematchMs: 600_000 } as PairingOptions['config'],
      database,
      clock: { now: () => START },
      logger: { ...pino({ level: 'silent' }), error: (error: unknown) => errors.push(error) },
      matches,
      outages: { last: () => null },
      send: async (playerGuids, payload) => {
        if ((payload as { reason: string }).reason === 'matched') matched.push(...playerGuids);
      },
      requireAccepted: async () => undefined,
      pluginVersions: async () => pluginVersions(['1.0.0'], []),
      shareConnections,
      storePutOff: async () => undefined,
      onPaired: () => undefined,
      isDraining: () => false,
      ...about(matches),
    });
  };

  let made = 0;
  return {
    ...database,
    poolGuid,
    queueGuid,
    lease,
    matched,
    errors,
    open,
    /** New players. @returns their guids */
    addPlayers: async (count: number): Promise<string[]> => {
      const players = Array.from({ length: count }, () => {
        made += 1;
        return { playerGuid: newGuid(), subject: `subject ${made}`, platformId: String(made) };
      });
      const rest = { username: 'Player', joinedAt: at, tokenIssuedAt: at, providerRoles: [] };
      await prisma.player.createMany({ data: players.map((player) => ({ ...player, ...rest })) });
      const { nodeGuid } = lease;
      await prisma.playerConnection.createMany({
        data: players.map(({ playerGuid }) => ({
          ...{ playerGuid, connectionGuid: newGuid(), nodeGuid, pluginVersion: '1.0.0', connectedAt: at },
        })),
      });
      return players.map(({ playerGuid }) => playerGuid);
    },
    joiner: (playerGuid: string) => ({ playerGuid, pluginVersion: '1.0.0', gameVersion: null }),
  };
}

export type Crowd = Awaited<ReturnType<typeof openCrowd>>;
