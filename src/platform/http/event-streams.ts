import { randomInt } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors } from '../errors.ts';
import { createSlices } from '../slices.ts';

/**
 * Streams of events (HTML Standard, 9.2), as the answer of a route. The bytes of an event are made once and are written to
 * the connections of all readers, past the framework and the writer of Node's responses.
 */

/** The part of the service that writes to a stream. */
export interface StreamOwner {
  /** Everything that was written to this stream has been taken. */
  onTaken(stream: EventStream): void;
  /** The stream has ended: the reader, the owner or the network closed it. */
  onClosed(stream: EventStream): void;
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Proxies must not buffer the events.
  'x-accel-buffering': 'no',
} as const;

/** When a reader reconnects, milliseconds. Each gets another time, so that many readers do not come at once. */
const RETRY_MS = { from: 2000, to: 6000 };
/** How often a stream without events has a comment. */
const COMMENT_SECONDS = 15;
const COMMENT = Buffer.from(':\n\n');
const SECOND_MS = 1000;

/** The connections that are streams. Nothing else can be asked on them. */
const sockets = new WeakSet<Socket>();

/** The stream of one reader. */
export class EventStream {
  readonly #socket: Socket;
  readonly #onTaken: () => void;

  constructor(socket: Socket, owner: StreamOwner) {
    this.#socket = socket;
    this.#onTaken = () => {
      if (socket.writableLength === 0) owner.onTaken(this);
    };
  }

  /** Whether something that was written still waits for its reader. Nothing more should be written meanwhile. */
  isBusy(): boolean {
    return this.#socket.writableLength > 0;
  }

  write(events: Buffer): void {
    if (this.#socket.writable) this.#socket.write(events, this.#onTaken);
  }

  /** Ends the stream behind everything that was written. */
  end(): void {
    this.#socket.destroySoon();
  }

  /** Ends the stream now if its reader does not read. */
  cut(): void {
    if (this.isBusy()) this.#socket.destroy();
    else this.end();
  }
}

/** One event in the form of a stream, without its data. @param id left out: the reader remembers the one before */
export const eventHead = (name: string, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: `;

/** One event in the form of a stream. JSON has no line breaks, so it is one line of data. */
export const eventText = (name: string, json: string): string => `${eventHead(name)}${json}\n\n`;

export type EventStreams = ReturnType<typeof createEventStreams>;

/** Opens the streams of a node. */
export function createEventStreams(app: Pick<FastifyInstance, 'server' | 'addHook'>) {
  const inSlices = createSlices();
  /** Streams by the second in which they are sent a comment. */
  const seconds = Array.from({ length: COMMENT_SECONDS }, () => new Set<EventStream>());
  let second = 0;

  // A reader that asks for more on the connection of its stream would have the server keep that for ever.
  app.server.on('request', ({ socket }) => {
    if (sockets.has(socket)) socket.destroy();
  });

  function* comment(streams: Iterable<EventStream>): Generator<undefined> {
    for (const stream of streams) {
      if (!stream.isBusy()) stream.write(COMMENT);
      yield;
    }
  }
  const ticking = setInterval(() => {
    second = (second + 1) % COMMENT_SECONDS;
    const due = seconds[second];
    if (due !== undefined && due.size > 0) inSlices(comment(due));
  }, SECOND_MS).unref();
  app.addHook('onClose', async () => clearInterval(ticking));

  return {
    /** Runs work over many readers in slices. */
    inSlices,

    /**
     * Answers with a stream; nothing else may be answered afterwards.
     * @returns null for HEAD, and when the client has gone
     * @throws VALIDATION_FAILED when the connection still has an answer to give before
     */
    open: (request: FastifyRequest, reply: FastifyReply, owner: StreamOwner): EventStream | null => {
      const { raw: response } = reply;
      const { socket } = response;
      if (socket === null && !request.raw.socket.destroyed)
        throw commonErrors.VALIDATION_FAILED({ message: 'A stream needs a connection of its own.' });
      const headers = { ...reply.getHeaders(), ...STREAM_HEADERS } as OutgoingHttpHeaders;
      reply.hijack();
      // Without chunked encoding the stream ends with the connection, and all readers get the same bytes.
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, headers);
      if (request.method === 'HEAD' || socket === null || socket.destroyed) {
        response.end();
        return null;
      }
      response.write(`retry: ${randomInt(RETRY_MS.from, RETRY_MS.to + 1)}\n\n`);
      // Nothing of request and answer is kept: of thousands of idle readers that would be a fifth of the memory.
      response.detachSocket(socket);
      const stream = new EventStream(socket, owner);
      const turn = seconds[second];
      sockets.add(socket);
      turn?.add(stream);
      socket.once('close', () => {
        sockets.delete(socket);
        turn?.delete(stream);
        owner.onClosed(stream);
      });
      return stream;
    },

    /** Ends all streams. */
    close: (): void => {
      for (const streams of seconds) for (const stream of streams) stream.cut();
    },
  };
}
