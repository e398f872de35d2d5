export * as connectionEvents from './events.ts';
export { createConnections, type Session } from './service.ts';
export { connectionsSocket } from './socket.ts';
