export { pairingErrors } from './errors.ts';
export * as pairingEvents from './events.ts';
export { createPairing, type Pairing } from './service.ts';
export { pairingSocket } from './socket.ts';
