import type { FastifyBaseLogger } from 'fastify';
import type { Socket } from 'socket.io';
import type { Randomness } from '../clock.ts';
import type { Redis } from '../redis.ts';
import { within } from '../within.ts';
import type { Arrivals } from './arrivals.ts';
import { CommandQueue, type QueueBounds } from './command-queue.ts';
import { bindCommands, queueBounds } from './commands.ts';
import type { Binding, Envelope } from './contract.ts';
import { COMMAND, type Command } from './decoder.ts';
import { createHandshakes } from './handshakes.ts';
import { asRefusalWith } from './refusals.ts';
import { type Opening, openServer, type ServerOptions } from './server.ts';

/** The channel's data of an admitted connection; the session of the product holds more. */
export interface ChannelSession extends Opening {
  playerGuid: string;
}

export interface ChannelOptions<Session extends ChannelSession> extends ServerOptions {
  logger: FastifyBaseLogger;
  /** Notes the commands of all connections. */
  arrivals: Arrivals;
  randomness: Randomness;
  /** Where nodes count handshakes together; null: each counts its own. */
  redis: Redis | null;
  /** Called for every acknowledged command. @param outcome `ok` or the code of the refusal */
  observe(event: string, outcome: string, milliseconds: number): void;
  /** Authenticates a client by its `auth`, which is unchecked. @throws ServiceError: becomes a `connect_error`. */
  admit(auth: Record<string, unknown>): Promise<Omit<Session, keyof Opening>>;
  /** Called for an admitted connection. Its commands wait until this resolves. */
  connected(session: Session): Promise<void>;
  /** Called when the connection has ended and its commands are done. */
  disconnected(session: Session): Promise<void>;
  bindings: readonly Binding<Session>[];
}

export type Channel = ReturnType<typeof openChannel>;

/** How long the end of the channel waits for transports to close. */
const CLOSE_MS = 1000;

/** Frees several kilobytes of the handshake, with the token, that Socket.IO would keep. */
function forgetHandshake(socket: Socket): void {
  Object.assign(socket.conn, { request: null });
  Object.assign(socket, { handshake: null });
}

/** A connection that was admitted and has not ended. */
class Connection<Session extends ChannelSession> {
  readonly socket: Socket;
  readonly session: Session;
  readonly queue: CommandQueue;
  /** It was told why it ends, and is disconnected once its changes are acknowledged. */
  isDismissed = false;

  /** @param takeUp what its first command waits for */
  constructor(
    socket: Socket,
    takeUp: (connection: Connection<Session>) => Promise<void>,
    bounds: QueueBounds,
  ) {
    this.socket = socket;
    this.session = socket.data.session;
    this.queue = new CommandQueue(takeUp(this), bounds, this);
  }

  isOpen(): boolean {
    return this.socket.connected && !this.isDismissed;
  }
}

const isRateLimited = (answer: Envelope): boolean => !answer.ok && answer.error.code === 'RATE_LIMITED';

/** Opens the socket channel: handshakes, acknowledgements, limits and order. It knows nothing of the game. */
export function openChannel<Session extends ChannelSession>(options: ChannelOptions<Session>) {
  const { logger } = options;
  const asRefusal = asRefusalWith(logger);
  const { io, openingOf, limitsOf, close } = openServer(options);
  const handshakes = createHandshakes({ ...options, asRefusal });
  const commandOf = bindCommands({ ...options, asRefusal });
  const bounds = queueBounds(options.rateLimitFactor);

  const connections = new Map<string, Connection<Session>>();
  const live = new Map<string, Socket>();
  /** Ended connections whose loss is not yet stored. */
  const ending = new Set<Promise<void>>();

  io.use(async (socket, next) => {
    const address = options.addressOf(socket.request);
    const answer = await handshakes.admit(address, () => options.admit(socket.handshake.auth));
    if (answer instanceof Error) {
      next(answer);
      // Socket.IO sends the refusal in the next tick.
      setImmediate(() => limitsOf(socket)?.close());
      return;
    }
    socket.data.session = { ...answer, ...openingOf(socket) };
    next();
  });

  const about = ({ session: { playerGuid, connectionGuid } }: Connection<Session>) => ({
    playerGuid,
    connectionGuid,
  });

  /** Calls `connected`, which takes the player's seat. The first command waits for it. */
  const takeUp = async (connection: Connection<Session>): Promise<void> => {
    const { session, socket } = connection;
    try {
      await options.connected(session);
      // Only with the seat: of two new connections the replaced one is dismissed by now.
      if (connection.isOpen()) live.set(session.playerGuid, socket);
    } catch (error) {
      // A connection without a seat would receive nothing, so the client has to connect again.
      logger.error({ ...about(connection), err: error }, 'a connection could not be taken up');
      socket.conn.close();
    }
  };

  const receive = (
    { session, socket, queue, isDismissed }: Connection<Session>,
    command: Command,
    acknowledge?: (envelope: unknown) => void,
  ): void => {
    if (isDismissed) return;
    const at = options.arrivals.now();
    const answer = commandOf(session, command, at);
    if (!('ok' in answer)) {
      const done = queue.add(answer, acknowledge);
      // Nothing depends on when a read is executed.
      if (answer.readKey === null) options.arrivals.add(session.playerGuid, at, done);
    } else if (isRateLimited(answer)) limitsOf(socket)?.throttle(() => acknowledge?.(answer));
    else acknowledge?.(answer);
  };

  const end = (connection: Connection<Session>): void => {
    const { session, socket, queue } = connection;
    // A client may disconnect from the namespace and keep the transport open.
    limitsOf(socket)?.close();
    connections.delete(session.connectionGuid);
    if (live.get(session.playerGuid) === socket) live.delete(session.playerGuid);
    const recorded = queue
      .done()
      .then(() => options.disconnected(session))
      .catch((error: unknown) =>
        logger.error({ ...about(connection), err: error }, 'a lost connection was not recorded'),
      )
      .finally(() => ending.delete(recorded));
    ending.add(recorded);
  };

  io.on('connection', (socket) => {
    limitsOf(socket)?.admitted();
    forgetHandshake(socket);
    const connection = new Connection<Session>(socket, takeUp, bounds);
    connections.set(connection.session.connectionGuid, connection);
    socket.on(COMMAND, (command: Command, acknowledge?: (envelope: unknown) => void) =>
      receive(connection, command, acknowledge),
    );
    socket.on('disconnect', () => end(connection));
  });

  return {
    /** Sends to the player's live connection on this node, if there is one. */
    send: (playerGuid: string, event: string, payload: unknown): void =>
      void live.get(playerGuid)?.emit(event, payload),
    /** Sends to one connection of this node, live or replaced. */
    sendTo: (connectionGuid: string, event: string, payload: unknown): void => {
      const connection = connections.get(connectionGuid);
      if (connection?.isDismissed === false) connection.socket.emit(event, payload);
    },
    /** Sends to every connection of this node a payload of its own. */
    broadcast: (event: string, makePayload: () => unknown): void => {
      for (const { socket } of connections.values()) socket.emit(event, makePayload());
    },
    /**
     * Disconnects the namespace of a connection: clients do not reconnect by themselves after that. Changes that the
     * client has sent are made and acknowledged first; what it sends later is ignored.
     */
    disconnect: (connectionGuid: string): void => {
      const connection = connections.get(connectionGuid);
      if (connection === undefined || connection.isDismissed) return;
      connection.isDismissed = true;
      connection.queue.done().then(() => connection.socket.disconnect(true));
    },
    /** Whether the player's live connection is on this node. */
    holds: (playerGuid: string) => live.has(playerGuid),
    /** How many players have their live connection on this node. */
    count: (): number => live.size,
    /** Closes every transport, so that clients reconnect to another node. Resolves when all their commands are done. */
    close: async () => {
      const ended = [...connections.values()].map(
        ({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)),
      );
      for (const { socket } of connections.values()) socket.conn.close();
      close();
      // A client that does not close its transport is not waited for.
      await within(CLOSE_MS, Promise.all(ended));
      // Commands are executed to the end, because the database is closed after this.
      await Promise.all(ending);
    },
  };
}
