import { bind } from '../../platform/socket/contract.ts';
import { toServer } from './events.ts';
import type { Connections } from './service.ts';
import type { Session } from './sessions.ts';

export const connectionsSocket = (connections: Connections) =>
  bind(toServer, { hello: (session: Session) => connections.hello(session) });
