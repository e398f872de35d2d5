/** Messages between nodes about a player's play: a letter for the kind, the stream, and in some a frame. */

const KINDS = { begun: 'b', wanted: 'w', opening: 'o', frame: 'f', ended: 'e' } as const;
type Kind = keyof typeof KINDS;

interface RelayMessage {
  kind: Kind;
  /** UUID version 7: of two streams the greater one began later. Empty in `wanted`. */
  streamGuid: string;
  /** A whole WebSocket frame in `opening` and `frame`, else empty. */
  frame: Buffer;
}

const GUID_LENGTH = 36;
const EMPTY = Buffer.alloc(0);

const kindOf = new Map(Object.entries(KINDS).map(([kind, letter]) => [letter as string, kind as Kind]));

export function encodeRelay(kind: Kind, streamGuid = '', frame: Uint8Array = EMPTY): Buffer {
  const head = Buffer.from(KINDS[kind] + streamGuid.padEnd(GUID_LENGTH), 'latin1');
  return Buffer.concat([head, frame]);
}

/** @returns null for an unknown message, such as one of another version of the service */
export function decodeRelay(message: Buffer): RelayMessage | null {
  const kind = kindOf.get(message.toString('latin1', 0, 1));
  if (kind === undefined || message.length < 1 + GUID_LENGTH) return null;
  return {
    kind,
    streamGuid: message.toString('latin1', 1, 1 + GUID_LENGTH).trim(),
    frame: message.subarray(1 + GUID_LENGTH),
  };
}
