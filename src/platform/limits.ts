/**
 * Every limit of the service. The code takes its numbers from here, and so does `docs/limits.md` (`npm run docs`).
 * Long because it is one table.
 */

const KIB = 1024;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** How often something may happen for one caller. */
export interface Rate {
  most: number;
  everyMs: number;
  of: 'address' | 'player' | 'person' | 'connection';
  /** The actions that are counted. */
  what: string;
  /** Whether nodes count together where there is a Redis. */
  shared: boolean;
}

/** Each is multiplied by `RATE_LIMIT_FACTOR`. */
export const RATES = {
  reads: {
    most: 300,
    everyMs: MINUTE_MS,
    of: 'address',
    what: 'Requests without a limit of their own: public reads, unknown addresses, refused credentials. Probes are never limited, nor is who has the deploy secret.',
    shared: true,
  },
  pages: {
    most: 3000,
    everyMs: MINUTE_MS,
    of: 'address',
    what: 'Pages and their files, covers of maps, and the opening of streams of events.',
    shared: true,
  },
  staffWrites: {
    most: 120,
    everyMs: MINUTE_MS,
    of: 'person',
    what: 'Writes of staff over REST.',
    shared: true,
  },
  exports: {
    most: 30,
    everyMs: MINUTE_MS,
    of: 'person',
    what: 'Exports of what is kept of somebody.',
    shared: true,
  },
  login: {
    most: 20,
    everyMs: MINUTE_MS,
    of: 'address',
    what: 'Begun and finished logins, each.',
    shared: true,
  },
  wrongDeploySecrets: {
    most: 5,
    everyMs: MINUTE_MS,
    of: 'address',
    what: 'Release uploads with a wrong deploy secret.',
    shared: true,
  },
  handshakesOfAddress: {
    most: 600,
    everyMs: MINUTE_MS,
    of: 'address',
    what: 'Handshakes of the socket channel, refused ones too. Beyond it all are refused, before the token is looked at.',
    shared: true,
  },
  refusedHandshakes: {
    most: 60,
    everyMs: MINUTE_MS,
    of: 'address',
    what: 'Refused handshakes, but for those with `RATE_LIMITED` and with what is no fault of the client (`DRAINING`, `INTERNAL_ERROR`). Beyond it a refusal no longer says why; good tokens still pass.',
    shared: true,
  },
  handshakesOfPlayer: {
    most: 10,
    everyMs: MINUTE_MS,
    of: 'player',
    what: 'Handshakes of the socket channel that were let in.',
    shared: true,
  },
  commands: {
    most: 20,
    everyMs: SECOND_MS,
    of: 'player',
    what: 'Commands on the socket, 40 in a burst; no more than 40 wait for their turn.',
    shared: false,
  },
  mergedCommands: {
    most: 200,
    everyMs: SECOND_MS,
    of: 'player',
    what: 'Download progress (`setReady`), 400 in a burst; beyond 2 a second it is merged, not refused.',
    shared: false,
  },
  replays: {
    most: 60,
    everyMs: MINUTE_MS,
    of: 'player',
    what: 'Uploads of replays, repeated ones too; one at a time, two more may wait.',
    shared: true,
  },
  reports: {
    most: 20,
    everyMs: 24 * 60 * MINUTE_MS,
    of: 'person',
    what: 'Reports about other players; a repeated one does not count. Counted in the database.',
    shared: true,
  },
  liveMessages: {
    most: 60,
    everyMs: SECOND_MS,
    of: 'connection',
    what: 'Messages on a live channel, ignored ones and pings too.',
    shared: false,
  },
  liveBytes: {
    most: 1024 * KIB,
    everyMs: SECOND_MS,
    of: 'connection',
    what: 'Bytes in them.',
    shared: false,
  },
} as const satisfies Record<string, Rate>;

/** A limit of one request, message or connection. */
export interface Bound {
  value: number;
  unit: 'bytes' | 'ms' | 'count';
  what: string;
  /** The reaction beyond it. */
  beyond: string;
}

export const BOUNDS = {
  body: {
    value: 256 * KIB,
    unit: 'bytes',
    what: 'JSON body of a request',
    beyond: '413 `PAYLOAD_TOO_LARGE`',
  },
  head: {
    value: 16 * KIB,
    unit: 'bytes',
    what: 'Address and headers of a request',
    beyond: '431 `HEAD_TOO_LARGE`',
  },
  parameter: {
    value: 200,
    unit: 'count',
    what: 'Characters of one part of an address',
    beyond: '400 `VALIDATION_FAILED`',
  },
  batch: {
    value: 200,
    unit: 'count',
    what: 'Rows of a batch',
    beyond: '400 `VALIDATION_FAILED`',
  },
  importedFile: {
    value: 2 * 1024 * KIB,
    unit: 'bytes',
    what: 'Playlist or table that a pool is imported from',
    beyond: '413 `PAYLOAD_TOO_LARGE`',
  },
  mapCover: {
    value: 512 * KIB,
    unit: 'bytes',
    what: 'Cover of a map, as the map host has it',
    beyond: 'not kept: 404 `COVER_NOT_FOUND`',
  },
  token: {
    value: 16 * KIB,
    unit: 'bytes',
    what: 'Access token',
    beyond: '`TOKEN_INVALID`',
  },
  request: {
    value: 30 * SECOND_MS,
    unit: 'ms',
    what: 'Time for the head of a request, and again for its body',
    beyond: '408 `REQUEST_TIMEOUT`, connection closed',
  },
  uploadSilence: {
    value: 120 * SECOND_MS,
    unit: 'ms',
    what: 'Time of an upload without progress',
    beyond: '408 `REQUEST_TIMEOUT`, connection closed',
  },
  replaySilence: {
    value: 10 * SECOND_MS,
    unit: 'ms',
    what: 'The same of a replay while another one of its player waits for it; it has no more in hand either',
    beyond: '408 `REQUEST_TIMEOUT`, connection closed',
  },
  uploadAllowance: {
    value: 30 * SECOND_MS,
    unit: 'ms',
    what: 'Time in hand when an upload begins: waiting for bytes uses it up, bytes that came add to it, up to the time without progress',
    beyond: '408 `REQUEST_TIMEOUT`, connection closed',
  },
  uploadRate: {
    value: 8 * KIB,
    unit: 'bytes',
    what: 'Data of an upload that add one second to the time in hand: its least rate',
    beyond: '408 `REQUEST_TIMEOUT`, connection closed',
  },
  upload: {
    value: 60 * MINUTE_MS,
    unit: 'ms',
    what: 'Time of an upload in all',
    beyond: '408 `REQUEST_TIMEOUT`, connection closed',
  },
  release: {
    value: 50 * 1024 * KIB,
    unit: 'bytes',
    what: 'File of a plugin release',
    beyond: '413 `PAYLOAD_TOO_LARGE`',
  },
  replay: {
    value: 64 * 1024 * KIB,
    unit: 'bytes',
    what: 'File of a replay, after decoding',
    beyond: '413 `PAYLOAD_TOO_LARGE`',
  },
  replayMemory: {
    value: 256 * 1024 * KIB,
    unit: 'bytes',
    what: 'Memory of all replays that arrive at one node, taken as they come',
    beyond: 'the slowest of them is given up: 503 `UPLOADS_BUSY`',
  },
  unread: {
    value: 60 * SECOND_MS,
    unit: 'ms',
    what: 'Time in which nothing goes out of an answer that waits for its reader',
    beyond: 'connection closed',
  },
  keepAlive: {
    value: 72 * SECOND_MS,
    unit: 'ms',
    what: 'Time of an HTTP connection without a request',
    beyond: 'connection closed',
  },
  message: {
    value: 32 * KIB,
    unit: 'bytes',
    what: 'Message on the socket',
    beyond: 'connection closed',
  },
  messageParts: {
    value: 256,
    unit: 'count',
    what: 'Members and elements of a message on the socket, counted by its commas and opening brackets',
    beyond: '`VALIDATION_FAILED`; of a handshake: connection closed',
  },
  fragments: {
    value: 32,
    unit: 'count',
    what: 'WebSocket frames of one message',
    beyond: 'closed with 1008',
  },
  packets: {
    value: 1024,
    unit: 'count',
    what: 'Packets of a socket connection at once; half as many come back in a second. `RATE_LIMIT_FACTOR` does not count for this and the next',
    beyond: 'not read until there is room',
  },
  packetBytes: {
    value: 2 * 1024 * KIB,
    unit: 'bytes',
    what: 'Bytes in them at once; half as many come back in a second',
    beyond: 'not read until there is room',
  },
  overBudget: {
    value: 2 * SECOND_MS,
    unit: 'ms',
    what: 'Time for which a socket connection may ask for more than that',
    beyond: 'connection closed',
  },
  waiting: {
    value: 1024 * KIB,
    unit: 'bytes',
    what: 'Data that wait to be sent to a client of the socket, beside what the system takes',
    beyond: 'connection closed',
  },
  closing: {
    value: SECOND_MS,
    unit: 'ms',
    what: 'Time for the answer to the closing of a WebSocket, and of a refused one to go',
    beyond: 'connection cut',
  },
  connect: {
    value: 10 * SECOND_MS,
    unit: 'ms',
    what: 'Time from an open socket to being let in',
    beyond: 'connection closed',
  },
  // Shorter than the one before: else a connection that comes while the database is silent would be closed without a word.
  handshake: {
    value: 8 * SECOND_MS,
    unit: 'ms',
    what: 'Time in which a handshake is decided about',
    beyond: '`SERVICE_UNAVAILABLE`',
  },
  // With the time for a lock, and some for a busy machine, below fifteen seconds.
  command: {
    value: 8 * SECOND_MS,
    unit: 'ms',
    what: 'Time from the arrival of a command on the socket until it has a connection of the database',
    beyond: '`SERVICE_UNAVAILABLE`, not executed',
  },
  lock: {
    value: 4 * SECOND_MS,
    unit: 'ms',
    what: 'Time for which a statement waits for a lock in the database',
    beyond: '`SERVICE_UNAVAILABLE`, not executed',
  },
  admissionLine: {
    value: 5 * SECOND_MS,
    unit: 'ms',
    what: 'Time that a player waits in the line of a node to be let in',
    beyond: '`SERVICE_UNAVAILABLE` with the time of a later turn',
  },
  longestPutOff: {
    value: MINUTE_MS,
    unit: 'ms',
    what: 'Time until that turn',
    beyond: 'several get the same time',
  },
  putOff: {
    value: 20_000,
    unit: 'count',
    what: 'Players one node remembers to have refused while the database was full, until it has extended their graces and places, and until their turn',
    beyond: 'not remembered; the next refusal tries again',
  },
  pendingHandshakes: {
    value: 256,
    unit: 'count',
    what: 'Sockets of one address that are open without having been let in (times `RATE_LIMIT_FACTOR` above 1; any number with 0)',
    beyond: 'the next one is refused with 403',
  },
  liveMessage: {
    value: 256 * KIB,
    unit: 'bytes',
    what: 'Message on a live channel',
    beyond: 'closed with 1009',
  },
  liveWaiting: {
    // Two seconds of the fastest stream.
    value: 2048 * KIB,
    unit: 'bytes',
    what: 'Data that wait for a spectator that reads slowly, beside what the system takes',
    beyond: 'connection closed',
  },
  spectatorsOfPlayer: {
    value: 1000,
    unit: 'count',
    what: 'Spectators of one player',
    beyond: '429 `TOO_MANY_SPECTATORS`',
  },
  spectatorsOfAddress: {
    value: 10,
    unit: 'count',
    what: 'Spectators from one address, of whatever players',
    beyond: '429 `TOO_MANY_SPECTATORS`',
  },
  streamsOfAddress: {
    value: 200,
    unit: 'count',
    what: 'Open streams of events of one address and node (times `RATE_LIMIT_FACTOR`; any number with 0)',
    beyond: '429 `TOO_MANY_STREAMS`',
  },
  streams: {
    value: 10_000,
    unit: 'count',
    what: 'Open streams of events of one node',
    beyond: '503 `SERVICE_UNAVAILABLE`',
  },
  waitingMatchEvents: {
    value: 64,
    unit: 'count',
    what: 'Events of matches that wait for a reader of `GET /events` that reads slowly',
    beyond: 'the stream ends',
  },
  ping: {
    value: 10 * SECOND_MS,
    unit: 'ms',
    what: 'Time between two pings, and for the answer to one',
    beyond: 'connection closed',
  },
} as const satisfies Record<string, Bound>;
