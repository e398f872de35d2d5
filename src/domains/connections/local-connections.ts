import type { ChannelSession } from '../../platform/socket/channel.ts';
import type { GameSession } from '../auth/index.ts';

/** The data of an admitted connection, kept as long as it lives. */
export type Session = ChannelSession & GameSession;

export type LocalConnections = ReturnType<typeof createLocalConnections>;

/** The admitted connections of this node, including replaced ones that have not ended yet. */
export function createLocalConnections() {
  const byConnection = new Map<string, Session>();
  const countOf = new Map<string, number>();
  return {
    add: (session: Session) => {
      byConnection.set(session.connectionGuid, session);
      countOf.set(session.playerGuid, (countOf.get(session.playerGuid) ?? 0) + 1);
    },
    /** @returns whether it was the player's last connection to this node */
    remove: ({ connectionGuid, playerGuid }: Session): boolean => {
      byConnection.delete(connectionGuid);
      const left = (countOf.get(playerGuid) ?? 0) - 1;
      if (left > 0) countOf.set(playerGuid, left);
      else countOf.delete(playerGuid);
      return left <= 0;
    },
    isEmpty: () => byConnection.size === 0,
    all: () => byConnection.values(),
    /** The newest connection of each player, by player. */
    newest: () => {
      const newest = new Map<string, Session>();
      // Guids of one node grow with time.
      for (const session of byConnection.values())
        if (session.connectionGuid > (newest.get(session.playerGuid)?.connectionGuid ?? ''))
          newest.set(session.playerGuid, session);
      return newest;
    },
  };
}
