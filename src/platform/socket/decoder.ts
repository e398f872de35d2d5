import { Decoder, PacketType } from 'socket.io-parser';
import { commonErrors } from '../errors.ts';
import { BOUNDS } from '../limits.ts';

/** The one event name that Socket.IO emits: names that clients choose never become names of listeners. */
export const COMMAND = 'command';

/** An event of a client. Its payload is parsed after the command was counted. */
export class Command {
  readonly name: string;
  readonly #text: string;
  readonly #start: number;

  constructor(name: string, text: string, start: number) {
    this.name = name;
    this.#text = text;
    this.#start = start;
  }

  /** @returns the payloads. @throws VALIDATION_FAILED for invalid JSON, or more parts than any message needs */
  read(): unknown[] {
    if (hasTooManyParts(this.#text))
      throw commonErrors.VALIDATION_FAILED({
        message: `The payload has more than ${BOUNDS.messageParts.value} members and elements.`,
      });
    try {
      return (JSON.parse(this.#text.slice(this.#start)) as unknown[]).slice(1);
    } catch {
      throw commonErrors.VALIDATION_FAILED({ message: 'The message is not well-formed JSON.' });
    }
  }
}

/** Precedes or opens a member or an element. */
const PART = /[,[{]/g;

function hasTooManyParts(text: string): boolean {
  let count = 0;
  for (const _part of text.matchAll(PART)) if (++count > BOUNDS.messageParts.value) return true;
  return false;
}

/** Type, namespace `/` where it is written, and number of the acknowledgement. */
const HEAD = /^2(?:\/,)?(\d{0,15})(?=\[)/;
/** The protocol allows a number for a name. */
const NAME = /\[\s*(?:"((?:[^"\\]|\\.){0,200})"|(-?[\d.eE+-]{1,30}))\s*[,\]]/y;
/** Longer names are unknown in any case, so they are cut off. */
const LONG_NAME = /\[\s*"([^"]{50})/y;

function nameAt(text: string, start: number): string | undefined {
  NAME.lastIndex = LONG_NAME.lastIndex = start;
  const found = NAME.exec(text);
  if (found === null) return LONG_NAME.exec(text)?.[1];
  const [, quoted, number] = found;
  if (quoted === undefined || !quoted.includes('\\')) return quoted ?? number;
  return String(JSON.parse(`"${quoted}"`));
}

/**
 * Socket.IO's decoder. It reads only the name of an event and the number of its acknowledgement. An error that it throws
 * ends the connection.
 */
export class CommandDecoder extends Decoder {
  override add(text: unknown): void {
    if (typeof text !== 'string') throw new Error('A binary message.');
    if (!text.startsWith('2')) {
      if (hasTooManyParts(text)) throw new Error('More members than any handshake needs.');
      super.add(text);
      return;
    }
    const [head, id] = HEAD.exec(text) ?? [];
    const name = head === undefined ? undefined : nameAt(text, head.length);
    if (head === undefined || name === undefined) throw new Error('An event without a name.');
    this.emitReserved('decoded', {
      type: PacketType.EVENT,
      nsp: '/',
      id: id ? Number(id) : undefined,
      data: [COMMAND, new Command(name, text, head.length)],
    });
  }
}
