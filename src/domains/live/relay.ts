/** Messages between nodes about a player's play: a letter for the kind, the stream, and in some a frame. */

const KINDS = { begun: 'b', request: 'r', opening: 'o', frame: 'f', ended: 'e' } as const;
type Kind = keyof typeof KINDS;

interface RelayMessage {
  kind: Kind;
  /** Of two streams the greater one began later. Empty in `request`. */
  streamId: string;
  /** A whole WebSocket frame in `opening` and `frame`, else empty. */
  frame: Buffer;
}

const ID_LENGTH = 36;
const EMPTY = Buffer.alloc(0);

const kindOf = new Map(Object.entries(KINDS).map(([kind, letter]) => [letter as string, kind as Kind]));

export function encodeRelay(kind: Kind, streamId = '', frame: Uint8Array = EMPTY): Buffer {
  const head = Buffer.from(KINDS[kind] + streamId.padEnd(ID_LENGTH), 'latin1');
  return Buffer.concat([head, frame]);
}

/** @returns null for an unknown message, such as one of another version of the service */
export function decodeRelay(message: Buffer): RelayMessage | null {
  const kind = kindOf.get(message.toString('latin1', 0, 1));
  if (kind === undefined || message.length < 1 + ID_LENGTH) return null;
  return {
    kind,
    streamId: message.toString('latin1', 1, 1 + ID_LENGTH).trim(),
    frame: message.subarray(1 + ID_LENGTH),
  };
}
