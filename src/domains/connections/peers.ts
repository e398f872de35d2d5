import type { ProgressReport } from '../matches/index.ts';
import type { NoticeType } from './events.ts';

/** What a node asks the node that holds a connection to do. */
export type PeerMessage =
  | { kind: 'send'; playerGuid: string; event: string; payload: unknown }
  | { kind: 'progress'; playerGuid: string; report: ProgressReport }
  | { kind: 'dismiss'; connectionGuid: string; notice: NoticeType; message: string };
