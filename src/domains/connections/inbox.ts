import type { Notices } from './notices.ts';
import type { ConnectionsOptions } from './options.ts';
import * as store from './store.ts';

/**
 * The players whose last message is outdated: their place in a queue has changed since it was written. The node that changed
 * the place tells the player, perhaps before this message is read. The message would then put the old place after the new one.
 */
function outdatedIn(inbox: readonly store.InboxMessage[]): ReadonlySet<string> {
  const outdated = new Set<string>();
  for (const { message, queueGuid } of inbox)
    if (message.kind === 'send') {
      const told = message.payload.queueEntry?.queueGuid ?? null;
      if (told === queueGuid) outdated.delete(message.playerGuid);
      else outdated.add(message.playerGuid);
    }
  return outdated;
}

/**
 * Reads the messages that other nodes put into the inbox of this node. They are removed after they were handled, so none is
 * lost when an answer of the database is.
 * @param toldHere players to whom this node itself has sent a place; a read of the inbox empties it when it begins
 */
export function createInbox(options: ConnectionsOptions, notices: Notices, toldHere: Set<string>) {
  const { database, logger, node, channel, matches } = options;

  /** Messages that were handled and are perhaps in the inbox still, by sequence. */
  const handled = new Set<string>();

  const load = async (): Promise<store.InboxMessage[]> => {
    toldHere.clear();
    const inbox = await store.readMessages(database, node().nodeGuid);
    const left = new Set(inbox.map(({ sequence }) => sequence));
    for (const sequence of handled) if (!left.has(sequence)) handled.delete(sequence);
    return inbox;
  };

  /** Never rejects: the message after it must not wait for a match that cannot be read. */
  const catchUpWith = (playerGuid: string): Promise<void> =>
    matches.catchUpWith([playerGuid]).catch((error: unknown) => {
      logger.debug({ err: error, playerGuid }, 'changes could not be delivered before a message');
    });

  /**
   * Handles all messages but reports of progress.
   * @returns false when it stopped at a message whose player was sent a place by this node since `inbox` was read: only
   *   another read shows which of the two is the present place
   */
  const handle = async (inbox: readonly store.InboxMessage[]): Promise<boolean> => {
    const outdated = outdatedIn(inbox);
    const told = new Set<string>();
    for (const { sequence, message } of inbox) {
      if (message.kind === 'progress') continue;
      const isNew = !handled.has(sequence);
      if (message.kind === 'dismiss') {
        handled.add(sequence);
        if (isNew) notices.dismiss(message.connectionGuid, message.notice, message.message);
        continue;
      }
      const { playerGuid } = message;
      if (isNew && !outdated.has(playerGuid)) {
        // It may follow from the end of the player's match, which comes first.
        if (told.has(playerGuid) || matches.awaitsEnd(playerGuid)) await catchUpWith(playerGuid);
        if (toldHere.has(playerGuid)) return false;
        channel().send(playerGuid, message.event, message.payload);
      }
      handled.add(sequence);
      told.add(playerGuid);
    }
    return true;
  };

  const read = async (named?: readonly string[]): Promise<void> => {
    const { nodeGuid } = node();
    // A player may get a new match by this read. Messages that were sent before the match are delivered before it.
    const mayBegin = (guid: string) => channel().holds(guid) && !matches.awaitsEnd(guid);
    const hasMessages = named === undefined || named.includes(nodeGuid) || named.some(mayBegin);
    let inbox = hasMessages ? await load() : [];
    while (!(await handle(inbox))) inbox = await load();
    const reports = inbox.flatMap(({ sequence, message }) =>
      message.kind === 'progress' && !handled.has(sequence) ? [{ sequence, ...message }] : [],
    );
    // Progress comes after the change of the match that began the download.
    if (named === undefined) await matches.catchUp(nodeGuid);
    else await matches.catchUpWith([...named, ...reports.map(({ playerGuid }) => playerGuid)]);
    for (const { sequence, playerGuid, report } of reports) {
      // Not again when this fails: a later report says more.
      handled.add(sequence);
      matches.receiveProgress([playerGuid], report);
    }
    if (inbox.length === 0) return;
    await store.removeMessages(
      database,
      inbox.map(({ sequence }) => sequence),
    );
  };

  /** The read that began last. */
  let last: Promise<void> = Promise.resolve();

  return {
    /**
     * Handles the messages in the inbox of this node, and delivers the changes of matches that other nodes stored. One read at
     * a time: the next one waits, so that messages stay in order and none is handled twice.
     * @param named guids of nodes, players and matches from a hint: only these are read; left out: everything
     */
    readInbox: (named?: readonly string[]): Promise<void> => {
      const next = () => read(named);
      last = last.then(next, next);
      return last;
    },
  };
}
