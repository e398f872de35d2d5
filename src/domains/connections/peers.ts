import type { NoticeType } from './events.ts';

/** What a node asks the node that holds a connection to do. */
export type PeerMessage =
  | { kind: 'send'; playerGuid: string; event: string; payload: unknown }
  | { kind: 'dismiss'; connectionGuid: string; notice: NoticeType; message: string };
