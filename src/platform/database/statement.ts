import type pg from 'pg';

/**
 * The few statements that a busy service runs thousands of times a second. For them the client library's own way is
 * dear: it copies what it is given, sends four messages and asks each time what the columns are called. Here all of
 * a run is one piece of memory and one write, and the columns are known.
 */
export interface PreparedStatement<Row> {
  /** Under which each connection keeps it. */
  name: string;
  text: string;
  /** Makes a row of its columns as PostgreSQL writes them. */
  read(columns: readonly (string | null)[]): Row;
}

/** As PostgreSQL reads them; a number is one without quotes. */
export type Parameter = string | number | null;

interface Rows<Row> {
  rows: Row[];
  /** How many were written was not looked at. */
  rowCount: null;
}

interface Runner<Row> {
  query(run: Run<Row>, told: Told<Row>): void;
}

type Told<Row> = (failure: unknown, answer?: Rows<Row>) => void;

/**
 * Runs a statement on a connection of the pool, which prepares it when it has not yet.
 * @throws pg.DatabaseError when PostgreSQL refuses it; an Error without a code when the connection breaks: whether it
 *   was carried out is unknown then
 */
export function runStatement<Row>(
  pool: pg.Pool,
  prepared: PreparedStatement<Row>,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client, release) => {
      if (client === undefined) return reject(error);
      const run = new Run(prepared, parameters);
      // Its types know nothing of a callback beside a submittable.
      (client as unknown as Runner<Row>).query(run, (failure, answer) => {
        // A connection that failed is not used again.
        release(failure !== null);
        if (answer === undefined) reject(failure);
        else resolve(answer.rows);
      });
    });
  });
}

interface Connection extends pg.Connection {
  /** The texts of what is prepared, by name. */
  parsedStatements: Record<string, string | undefined>;
}

/** One run, spoken to by the client that has its turn. */
class Run<Row> implements pg.Submittable {
  /** Given by the client. */
  callback: Told<Row> | undefined;
  readonly #prepared: PreparedStatement<Row>;
  readonly #parameters: readonly Parameter[];
  readonly #rows: Row[] = [];
  #failure: { error: unknown } | null = null;

  constructor(prepared: PreparedStatement<Row>, parameters: readonly Parameter[]) {
    this.#prepared = prepared;
    this.#parameters = parameters;
  }

  get name(): string {
    return this.#prepared.name;
  }

  get text(): string {
    return this.#prepared.text;
  }

  submit(connection: pg.Connection): void {
    const { name, text } = this;
    if ((connection as Connection).parsedStatements[name] === undefined)
      connection.parse({ name, text, types: [] }, true);
    // One that has broken tells so by itself.
    if (connection.stream.writable) send(connection.stream, name, this.#parameters);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(this.#prepared.read(fields));
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback?.(this.#failure.error);
    else this.callback?.(null, { rows: this.#rows, rowCount: null });
  }

  handleError(error: unknown): void {
    this.callback?.(error);
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
}

/** Room for many messages; pages that are new to the process are dearer than what is written to them. */
const ROOM_BYTES = 512 * 1024;
let room = Buffer.alloc(0);
let used = 0;

/** Execute without a limit of rows, Sync. */
const EXECUTE = Buffer.from('E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04', 'latin1');
/** Of a message: what is neither the name nor a parameter. */
const FRAME_BYTES = 16 + EXECUTE.length;

/** Sends Bind, Execute and Sync, all parameters and results as text. */
function send(stream: pg.Connection['stream'], name: string, parameters: readonly Parameter[]): void {
  const texts = parameters.map((value) => (value === null ? null : `${value}`));
  // UTF-8 takes three bytes at most for what is one of the length of a string.
  const most = texts.reduce((sum, text) => sum + 4 + 3 * (text?.length ?? 0), FRAME_BYTES + 3 * name.length);
  const size = Math.max(ROOM_BYTES, most);
  // One that a giant needed is not kept for those after it.
  if (room.length - used < most || room.length > size) {
    room = Buffer.allocUnsafeSlow(size);
    used = 0;
  }
  const start = used;
  let at = start;
  at = room.writeUInt8(0x42, at) + 4;
  at = room.writeUInt8(0, at);
  at += room.write(name, at);
  at = room.writeUInt8(0, at);
  at = room.writeInt16BE(0, at);
  at = room.writeInt16BE(texts.length, at);
  for (const text of texts) {
    const bytes = text === null ? -1 : room.write(text, at + 4);
    at = room.writeInt32BE(bytes, at) + Math.max(bytes, 0);
  }
  at = room.writeInt16BE(0, at);
  room.writeInt32BE(at - start - 1, start + 1);
  at += EXECUTE.copy(room, at);
  used = at;
  stream.write(room.subarray(start, at));
  // The system has taken it all, as it nearly always does at once: the next message may lie in the same place.
  if (stream.writableLength === 0) used = start;
}
