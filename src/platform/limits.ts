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

/** Nodes count these together where there is a Redis. */
const perMinute = (most: number, of: Rate['of'], what: string): Rate => ({
  most,
  everyMs: MINUTE_MS,
  of,
  what,
  shared: true,
});

/** A node counts these alone: no other one serves this player or this connection. */
const perSecond = (most: number, of: Rate['of'], what: string): Rate => ({
  most,
  everyMs: SECOND_MS,
  of,
  what,
  shared: false,
});

/** Each is multiplied by `RATE_LIMIT_FACTOR`. */
export const RATES = {
  reads: perMinute(
    300,
    'address',
    'Requests without a limit of their own: public reads, unknown addresses, refused credentials. Probes and requests with the deploy secret are never limited.',
  ),
  pages: perMinute(
    3000,
    'address',
    'Pages and their files, covers of maps, and the opening of streams of events.',
  ),
  staffWrites: perMinute(120, 'person', 'Writes of staff over REST.'),
  exports: perMinute(30, 'person', 'Exports of what is kept of somebody.'),
  login: perMinute(20, 'address', 'Begun and finished logins, each.'),
  wrongDeploySecrets: perMinute(5, 'address', 'Release uploads with a wrong deploy secret.'),
  handshakesOfAddress: perMinute(
    600,
    'address',
    'Handshakes of the socket channel, refused ones too. Beyond it all are refused, before the token is looked at.',
  ),
  refusedHandshakes: perMinute(
    60,
    'address',
    'Refused handshakes, but for those with `RATE_LIMITED` and with what is no fault of the client (`DRAINING`, `INTERNAL_ERROR`). Beyond it a refusal no longer says why; good tokens still pass.',
  ),
  handshakesOfPlayer: perMinute(10, 'player', 'Handshakes of the socket channel that were let in.'),
  commands: perSecond(
    20,
    'player',
    'Commands on the socket, 40 in a burst; no more than 40 wait for their turn.',
  ),
  mergedCommands: perSecond(
    200,
    'player',
    'Download progress (`setReady`), 400 in a burst; beyond 2 a second, of both players of a match together, it is merged, not refused.',
  ),
  readyChanges: perSecond(
    2,
    'player',
    '`setReady` that does not repeat the state of the player in the round that is prepared, 40 in a burst for each round.',
  ),
  replays: perMinute(
    60,
    'player',
    'Uploads of replays, repeated ones too; one at a time, two more may wait.',
  ),
  reports: {
    most: 20,
    everyMs: 24 * 60 * MINUTE_MS,
    of: 'person',
    what: 'Reports about other players; a repeated one does not count. Counted in the database.',
    shared: true,
  },
  liveMessages: perSecond(60, 'connection', 'Messages on a live channel, ignored ones and pings too.'),
  liveBytes: perSecond(1024 * KIB, 'connection', 'Bytes in them.'),
} satisfies Record<string, Rate>;

/** A limit of one request, message or connection. */
export interface Bound {
  value: number;
  unit: 'bytes' | 'ms' | 'count';
  what: string;
  /** The reaction beyond it. */
  beyond: string;
}

/** Makes the bounds of one unit. */
const boundIn =
  (unit: Bound['unit']) =>
  (value: number, what: string, beyond: string): Bound => ({ value, unit, what, beyond });
const bytes = boundIn('bytes');
const milliseconds = boundIn('ms');
const count = boundIn('count');

export const BOUNDS = {
  body: bytes(256 * KIB, 'JSON body of a request', '413 `PAYLOAD_TOO_LARGE`'),
  head: bytes(16 * KIB, 'Address and headers of a request', '431 `HEAD_TOO_LARGE`'),
  parameter: count(200, 'Characters of one part of an address', '400 `VALIDATION_FAILED`'),
  batch: count(200, 'Rows of a batch', '400 `VALIDATION_FAILED`'),
  laterMatches: count(
    100_000,
    'Matches of a ladder that were made after one whose result staff change: they are rated again',
    '409 `TOO_MANY_LATER_MATCHES`',
  ),
  importedFile: bytes(
    2 * 1024 * KIB,
    'Playlist or table that a pool is imported from',
    '413 `PAYLOAD_TOO_LARGE`',
  ),
  mapCover: bytes(512 * KIB, 'Cover of a map, as the map host has it', 'not kept: 404 `COVER_NOT_FOUND`'),
  token: bytes(16 * KIB, 'Access token', '`TOKEN_INVALID`'),
  request: milliseconds(
    30 * SECOND_MS,
    'Time for the head of a request, and again for its body',
    '408 `REQUEST_TIMEOUT`, connection closed',
  ),
  refused: milliseconds(
    5 * SECOND_MS,
    'Time in which the rest of a body is read after the answer, so that the client gets the answer; an upload has 30 s',
    'connection closed',
  ),
  uploadSilence: milliseconds(
    120 * SECOND_MS,
    'Time of an upload without progress',
    '408 `REQUEST_TIMEOUT`, connection closed',
  ),
  replaySilence: milliseconds(
    10 * SECOND_MS,
    'Time of a replay without progress, and its most time in hand, while another replay of the same player waits',
    '408 `REQUEST_TIMEOUT`, connection closed',
  ),
  uploadAllowance: milliseconds(
    30 * SECOND_MS,
    'Time in hand when an upload begins: waiting for bytes uses it up, bytes that came add to it, up to the time without progress',
    '408 `REQUEST_TIMEOUT`, connection closed',
  ),
  uploadRate: bytes(
    8 * KIB,
    'Data of an upload that add one second to the time in hand: its least rate',
    '408 `REQUEST_TIMEOUT`, connection closed',
  ),
  upload: milliseconds(
    60 * MINUTE_MS,
    'Time of an upload in all',
    '408 `REQUEST_TIMEOUT`, connection closed',
  ),
  release: bytes(50 * 1024 * KIB, 'File of a plugin release', '413 `PAYLOAD_TOO_LARGE`'),
  replay: bytes(64 * 1024 * KIB, 'File of a replay, after decoding', '413 `PAYLOAD_TOO_LARGE`'),
  replayMemory: bytes(
    256 * 1024 * KIB,
    'Memory of all replays that arrive at one node, taken as they come',
    'the slowest of them is given up: 503 `UPLOADS_BUSY`',
  ),
  unread: milliseconds(
    60 * SECOND_MS,
    'Time in which nothing goes out of an answer that waits for its reader',
    'connection closed',
  ),
  keepAlive: milliseconds(
    72 * SECOND_MS,
    'Time of an HTTP connection without a request',
    'connection closed',
  ),
  message: bytes(32 * KIB, 'Message on the socket', 'connection closed'),
  messageParts: count(
    256,
    'Members and elements of a message on the socket, counted by its commas and opening brackets',
    '`VALIDATION_FAILED`; of a handshake: connection closed',
  ),
  fragments: count(32, 'WebSocket frames of one message', 'closed with 1008'),
  packets: count(
    1024,
    'Packets of a socket connection at once; half as many come back in a second. `RATE_LIMIT_FACTOR` does not count for this and the next',
    'not read until there is room',
  ),
  packetBytes: bytes(
    2 * 1024 * KIB,
    'Bytes in them at once; half as many come back in a second',
    'not read until there is room',
  ),
  overBudget: milliseconds(
    2 * SECOND_MS,
    'Time for which a socket connection may ask for more than that',
    'connection closed',
  ),
  waiting: bytes(
    1024 * KIB,
    'Data that wait to be sent to a client of the socket, beside what the system takes',
    'connection closed',
  ),
  closing: milliseconds(
    SECOND_MS,
    'Time for the answer to the closing of a WebSocket, and of a refused one to go',
    'connection cut',
  ),
  connect: milliseconds(10 * SECOND_MS, 'Time from an open socket to being let in', 'connection closed'),
  // Shorter than the one before: else a connection that comes while the database is silent would be closed without an answer.
  handshake: milliseconds(
    8 * SECOND_MS,
    'Time in which a handshake is decided about',
    '`SERVICE_UNAVAILABLE`',
  ),
  // With the time for a lock, and some for a busy machine, below fifteen seconds.
  command: milliseconds(
    8 * SECOND_MS,
    'Time from the arrival of a command on the socket until it has a connection of the database',
    '`SERVICE_UNAVAILABLE`, not executed',
  ),
  lock: milliseconds(
    4 * SECOND_MS,
    'Time for which a statement waits for a lock in the database',
    '`SERVICE_UNAVAILABLE`, not executed',
  ),
  admissionLine: milliseconds(
    5 * SECOND_MS,
    'Time that a player waits in the line of a node to be let in',
    '`SERVICE_UNAVAILABLE` with the time of a later turn',
  ),
  longestPutOff: milliseconds(MINUTE_MS, 'Time until that turn', 'several get the same time'),
  putOff: count(
    20_000,
    'Players one node remembers to have put off while the database was full, until it has extended their graces and places, and until their turn',
    'not remembered; the next refusal tries again',
  ),
  pendingHandshakes: count(
    256,
    'Sockets of one address that are open without having been let in (times `RATE_LIMIT_FACTOR` above 1; any number with 0)',
    'the next one is refused with 403',
  ),
  liveMessage: bytes(256 * KIB, 'Message on a live channel', 'closed with 1009'),
  // Two seconds of the fastest stream.
  liveWaiting: bytes(
    2048 * KIB,
    'Data that wait for a spectator that reads slowly, beside what the system takes',
    'connection closed',
  ),
  spectatorsOfPlayer: count(1000, 'Spectators of one player', '429 `TOO_MANY_SPECTATORS`'),
  spectatorsOfAddress: count(
    10,
    'Spectators from one address, of whatever players',
    '429 `TOO_MANY_SPECTATORS`',
  ),
  streamsOfAddress: count(
    200,
    'Open streams of events of one address and node (times `RATE_LIMIT_FACTOR`; any number with 0)',
    '429 `TOO_MANY_STREAMS`',
  ),
  streams: count(10_000, 'Open streams of events of one node', '503 `SERVICE_UNAVAILABLE`'),
  waitingMatchEvents: count(
    64,
    'Events of matches that wait for a reader of `GET /events` that reads slowly',
    'the stream ends',
  ),
  ping: milliseconds(
    10 * SECOND_MS,
    'Time between two pings, and for the answer to one',
    'connection closed',
  ),
} satisfies Record<string, Bound>;
