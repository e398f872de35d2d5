import type { ConnectionsOptions } from './options.ts';
import { createService } from './service.ts';
import { connectionsSocket } from './socket.ts';

export * as connectionEvents from './events.ts';

export type { Session } from './local-connections.ts';
export { expireMessages } from './store.ts';

/** Opens the domain. */
export const createConnections = (options: ConnectionsOptions) => {
  const connections = createService(options);
  return { ...connections, binding: connectionsSocket(connections) };
};
