import type { ChannelSession } from '../../platform/socket/channel.ts';
import type { GameSession } from '../auth/index.ts';

/** The data of an admitted connection, kept as long as it lives. */
export type Session = ChannelSession & GameSession;

export type LocalConnections = ReturnType<typeof createLocalConnections>;

/** The admitted connections of this node, including replaced ones that have not ended yet. */
export function createLocalConnections() {
  /** The connections of each player, the newest one last: guids of one node grow with time. */
  const ofPlayers = new Map<string, readonly Session[]>();
  const of = ({ playerGuid }: Session): readonly Session[] => ofPlayers.get(playerGuid) ?? [];
  /** The connections that have taken their player's seat; others may have taken it over. */
  const seated = new WeakSet<Session>();
  return {
    add: (session: Session): void => {
      const all = [...of(session), session];
      ofPlayers.set(
        session.playerGuid,
        all.sort((a, b) => (a.connectionGuid < b.connectionGuid ? -1 : 1)),
      );
    },
    has: (session: Session): boolean => of(session).includes(session),
    /** The connection has taken its player's seat. */
    seat: (session: Session): void => void seated.add(session),
    /** @returns whether it was the player's last connection to this node */
    remove: (session: Session): boolean => {
      const left = of(session).filter((one) => one !== session);
      if (left.length > 0) ofPlayers.set(session.playerGuid, left);
      else ofPlayers.delete(session.playerGuid);
      return left.length === 0;
    },
    isEmpty: () => ofPlayers.size === 0,
    all: (): Session[] => [...ofPlayers.values()].flat(),
    /** The connections that have taken their player's seat: the newest one of each player, and those that it replaced. */
    seated: (): { newest: Session[]; replaced: Session[] } => {
      const ofEach = [...ofPlayers.values()].map((sessions) => sessions.filter((one) => seated.has(one)));
      return {
        newest: ofEach.flatMap((sessions) => sessions.slice(-1)),
        replaced: ofEach.flatMap((sessions) => sessions.slice(0, -1)),
      };
    },
  };
}
