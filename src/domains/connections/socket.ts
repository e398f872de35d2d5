import { bind } from '../../platform/socket/contract.ts';
import { toServer } from './events.ts';
import type { Session } from './local-connections.ts';
import type { Connections } from './service.ts';

export const connectionsSocket = (connections: Connections) =>
  bind(toServer, { hello: (session: Session) => connections.hello(session) });
