import pg from 'pg';
import { timeLeft } from './deadline.ts';
import { OutOfReach } from './out-of-reach.ts';

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void;

/** How long a statement waits for a connection. */
export const CONNECT_MS = 10_000;

/** A pool with one error for every reason why there is no connection. */
export class ReportingPool extends pg.Pool {
  readonly #failed: (error: Error) => void;
  /** One function for each caller that waits for a connection. It ends the wait. */
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(failed: (error: Error) => void, options: pg.PoolConfig) {
    super(options);
    this.#failed = failed;
  }

  #refusal(error: Error): OutOfReach {
    this.#failed(error);
    return new OutOfReach(error);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) return this.#connect();
    this.#connect().then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  #connect(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(this.#refusal(new Error('this process stops')));
      if (this.#isClosed) return giveUp();
      const ms = timeLeft();
      let isLate = false;
      // The database itself may work, so this is no sign that it cannot be used.
      const expire = () => {
        isLate = true;
        reject(new OutOfReach(new Error('this has waited too long')));
      };
      if (ms <= 0) return expire();
      const expiry = Number.isFinite(ms) ? setTimeout(expire, ms) : undefined;
      this.#waiting.add(giveUp);
      super
        .connect()
        .then(
          (client) => (isLate ? client.release() : resolve(client)),
          (error: Error) => reject(this.#refusal(error)),
        )
        .finally(() => {
          clearTimeout(expiry);
          this.#waiting.delete(giveUp);
        });
    });
  }

  /** Refuses all further requests for a connection, and those that wait for one. */
  closeToAll(): void {
    this.#isClosed = true;
    for (const giveUp of this.#waiting) giveUp();
  }
}
