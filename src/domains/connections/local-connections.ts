import type { ChannelSession } from '../../platform/socket/channel.ts';
import type { GameSession } from '../auth/index.ts';

/** The data of an admitted connection, kept as long as it lives. */
export type Session = ChannelSession & GameSession;

export type LocalConnections = ReturnType<typeof createLocalConnections>;

/** The admitted connections of this node, including replaced ones that have not ended yet. */
export function createLocalConnections() {
  const byConnection = new Map<string, Session>();
  const countOf = new Map<string, number>();
  /** The connections that have taken their player's seat; others may have taken it over. */
  const seated = new Set<string>();
  return {
    add: (session: Session) => {
      byConnection.set(session.connectionGuid, session);
      countOf.set(session.playerGuid, (countOf.get(session.playerGuid) ?? 0) + 1);
    },
    has: ({ connectionGuid }: Session) => byConnection.has(connectionGuid),
    /** The connection has taken its player's seat. */
    seat: ({ connectionGuid }: Session): void => {
      if (byConnection.has(connectionGuid)) seated.add(connectionGuid);
    },
    /** @returns whether it was the player's last connection to this node */
    remove: ({ connectionGuid, playerGuid }: Session): boolean => {
      byConnection.delete(connectionGuid);
      seated.delete(connectionGuid);
      const left = (countOf.get(playerGuid) ?? 0) - 1;
      if (left > 0) countOf.set(playerGuid, left);
      else countOf.delete(playerGuid);
      return left <= 0;
    },
    isEmpty: () => byConnection.size === 0,
    all: () => byConnection.values(),
    /** The connections that have taken their player's seat: the newest one of each player, and those that it replaced. */
    seated: (): { newest: Session[]; replaced: Session[] } => {
      const newest = new Map<string, Session>();
      const replaced: Session[] = [];
      for (const session of byConnection.values()) {
        if (!seated.has(session.connectionGuid)) continue;
        const other = newest.get(session.playerGuid);
        // Guids of one node grow with time.
        const isNewer = other === undefined || session.connectionGuid > other.connectionGuid;
        if (isNewer) newest.set(session.playerGuid, session);
        if (other !== undefined) replaced.push(isNewer ? other : session);
      }
      return { newest: [...newest.values()], replaced };
    },
  };
}
