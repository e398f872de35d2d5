import pino from 'pino';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../../src/local/postgres.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import type { Service, ServiceOptions } from '../../src/service.ts';
import { startObservedService } from './observed-writes.ts';
import type { TestService } from './service.ts';
import { SocketPlayer } from './socket-player.ts';

/** Another node on the database of a test's service. */
export interface SecondNode {
  url: string;
  service: Service;
  /** Connects a player to this node. */
  connect(name: string): Promise<SocketPlayer>;
}

/** Starts it. Resolves after the exclusive period of the first node has ended. */
export async function startSecondNode(
  first: TestService,
  {
    environment,
    ...options
  }: Partial<Pick<ServiceOptions, 'logger' | 'rulebook' | 'askPeersEveryMs'>> & {
    environment?: Record<string, string>;
  } = {},
): Promise<SecondNode> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = loadConfig({ ...first.environment, PORT: String(port), ...environment });
  const service = await startObservedService(config, {
    logger: pino({ level: config.logLevel }),
    ...options,
  });
  return {
    url,
    service,
    connect: async (name) =>
      SocketPlayer.connect({
        url,
        name,
        token: await first.gameToken(name),
        pluginVersion: PLUGIN_VERSION,
      }),
  };
}
