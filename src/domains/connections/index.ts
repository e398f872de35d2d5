export * as connectionEvents from './events.ts';
export { type Connections, createConnections, type Session } from './service.ts';
export { connectionsSocket } from './socket.ts';
