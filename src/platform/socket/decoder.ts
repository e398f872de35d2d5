import { Decoder, PacketType } from 'socket.io-parser';
import { commonErrors } from '../errors.ts';
import { BOUNDS } from '../limits.ts';

/**
 * Socket.IO's decoder for a channel whose messages are counted before they are read: of an event only its name
 * and the number of its acknowledgement are looked at, and the rest is handed on as text.
 */

/** The one name under which Socket.IO hands events on: names that clients choose never become names of listeners. */
export const COMMAND = 'command';

/** An event of a client. */
export class Command {
  readonly name: string;
  readonly #text: string;
  readonly #start: number;

  constructor(name: string, text: string, start: number) {
    this.name = name;
    this.#text = text;
    this.#start = start;
  }

  /** The payloads. @throws VALIDATION_FAILED for what is no JSON, or has more parts than any message needs */
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

/** What stands before or opens a member or an element. */
const PART = /[,[{]/g;

/** Counts no further than it has to, and so costs little whatever is sent. */
export function hasTooManyParts(text: string): boolean {
  let count = 0;
  for (const _part of text.matchAll(PART)) if (++count > BOUNDS.messageParts.value) return true;
  return false;
}

/** Type, namespace `/` where it is written, and number of the acknowledgement. */
const HEAD = /^2(?:\/,)?(\d{0,15})(?=\[)/;
/** The protocol allows a number for a name. */
const NAME = /\[\s*(?:"((?:[^"\\]|\\.){0,200})"|(-?[\d.eE+-]{1,30}))\s*[,\]]/y;
/** Longer names exist nowhere: they are cut off. */
const LONG_NAME = /\[\s*"([^"]{50})/y;

function nameAt(text: string, start: number): string | undefined {
  NAME.lastIndex = LONG_NAME.lastIndex = start;
  const found = NAME.exec(text);
  if (found === null) return LONG_NAME.exec(text)?.[1];
  const [, quoted, number] = found;
  if (quoted === undefined || !quoted.includes('\\')) return quoted ?? number;
  return String(JSON.parse(`"${quoted}"`));
}

/** What stands at the start of an event; null when it is none. */
function readEvent(text: string): { id: number | undefined; command: Command } | null {
  const head = HEAD.exec(text);
  if (head === null) return null;
  const [{ length: start }, id] = head;
  const name = nameAt(text, start);
  if (name === undefined) return null;
  return { id: id ? Number(id) : undefined, command: new Command(name, text, start) };
}

/** What it throws ends the connection. */
export class CommandDecoder extends Decoder {
  override add(text: unknown): void {
    if (typeof text !== 'string') throw new Error('A binary message.');
    if (!text.startsWith('2')) {
      if (hasTooManyParts(text)) throw new Error('More members than any handshake needs.');
      super.add(text);
      return;
    }
    const event = readEvent(text);
    if (event === null) throw new Error('An event without a name.');
    this.emitReserved('decoded', {
      type: PacketType.EVENT,
      nsp: '/',
      id: event.id,
      data: [COMMAND, event.command],
    });
  }
}
