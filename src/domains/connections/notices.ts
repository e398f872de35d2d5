import { eachOnItsOwn } from '../../platform/batches.ts';
import { reconnectDelay } from '../../platform/socket/handshakes.ts';
import { isAccepted, notAccepted } from '../releases/index.ts';
import type { NoticeType } from './events.ts';
import type { LocalConnections, Session } from './local-connections.ts';
import type { ConnectionsOptions } from './options.ts';

/** The message to a connection of an erased person. */
export const ERASED_MESSAGE = 'You were erased. A new sign-in makes a new player.';

export type Notices = ReturnType<typeof createNotices>;

/** Sends `serverNotice` to connections of this node. */
export function createNotices(options: ConnectionsOptions, connections: LocalConnections) {
  const { clock, randomness, channel, matches } = options;
  /** Connections with the notice that their plugin version is not accepted any more. */
  const notified = new WeakSet<Session>();

  const notify = (connectionGuid: string, type: NoticeType, message: string): void =>
    channel().sendTo(connectionGuid, 'serverNotice', { type, message, retryAfterMs: null });

  /** Sends a connection the reason why it ends, and closes it without a reconnect. */
  const dismiss = (connectionGuid: string, type: NoticeType, message: string) => {
    notify(connectionGuid, type, message);
    channel().disconnect(connectionGuid);
  };

  const stopNotice = () => ({
    type: 'draining' satisfies NoticeType,
    message: 'This server restarts. You will be connected again in a moment.',
    retryAfterMs: reconnectDelay(randomness),
  });

  /** The end of a match that is stored may not have been delivered to the player yet. */
  const isPlaying = async (playerGuid: string): Promise<boolean> =>
    (await matches.runningSeatOf(playerGuid)) !== null || matches.awaitsEnd(playerGuid);

  return {
    notify,
    dismiss,

    /** Notifies every connection that this node is about to stop, and when to come back. */
    announceStop: () => channel().broadcast('serverNotice', stopNotice),
    /** The same for a connection that this node has admitted since: the player has a running match. */
    announceStopTo: (connectionGuid: string) =>
      channel().sendTo(connectionGuid, 'serverNotice', stopNotice()),

    /** Ends connections with an expired token, except of players in a match whose end was not delivered to them. */
    dismissExpired: async () => {
      await eachOnItsOwn(connections.all(), async ({ tokenExpiresAt, playerGuid, connectionGuid }) => {
        if (tokenExpiresAt <= clock.now() && !(await isPlaying(playerGuid)))
          dismiss(connectionGuid, 'tokenExpired', 'Your sign-in expired. Sign in again.');
      });
    },

    /**
     * Notifies each connection once that its plugin version is not accepted any more. A running match can be finished
     * with it; the next match needs another version.
     */
    notifyRetiredVersions: async () => {
      if (connections.isEmpty()) return;
      const versions = await options.pluginVersions();
      for (const session of connections.all()) {
        const { connectionGuid, pluginVersion } = session;
        if (isAccepted(versions, pluginVersion)) notified.delete(session);
        else if (!notified.has(session)) {
          notified.add(session);
          notify(connectionGuid, 'pluginVersionRetired', notAccepted(versions, pluginVersion).message);
        }
      }
    },
  };
}
