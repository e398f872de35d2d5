import type { PlayerSocket } from '../../kit/typescript/socket.ts';

/**
 * Watches for a ban or an erasure, which ends a connection: Socket.IO's client does not come back by itself after that. A
 * bot whose account has connected from elsewhere stays away.
 * @param onOut called with each end
 */
export function watchDismissal(socket: PlayerSocket, onOut: () => void) {
  let lastNotice = '';
  let isOut = false;
  socket.on('serverNotice', ({ type }) => {
    lastNotice = type;
  });
  socket.on('connect', () => {
    isOut = false;
  });
  socket.on('disconnect', (reason) => {
    isOut = reason === 'io server disconnect' && lastNotice !== 'sessionReplaced';
    if (isOut) onOut();
  });
  return {
    isOut: () => isOut,
    /** Connects again. @throws Error of the handshake, as long as it is refused */
    comeBack: (): Promise<void> =>
      new Promise((resolve, reject) => {
        const settle = (error?: Error): void => {
          socket.off('connect', settle).off('connect_error', settle);
          if (error) reject(error);
          else resolve();
        };
        socket.on('connect', settle).on('connect_error', settle).connect();
      }),
  };
}
