/**
 * Follows an event stream of the service in a browser. HTTP/1.1 gives six connections a host, so all tabs that show the
 * same part of a stream share one connection: the tab that holds a lock keeps it and passes everything on to the others. Only
 * visible tabs ask for the lock, so without a visible tab there is no connection.
 */

/**
 * `opening`: nothing is known yet. `old`: the connection is lost, and what is shown may have changed. `over`: the stream
 * has ended.
 */
export type Connection = 'opening' | 'live' | 'old' | 'over';

export interface Followed<State> {
  /** Null until the first event. */
  state: State | null;
  connection: Connection;
  /**
   * Since when the connection is as it is, milliseconds since 1970 by the clock of this computer; for `old`: when it was
   * last known to work.
   */
  since: number;
}

export interface FollowOptions<State> {
  /** The address of the stream, resolved against the base of the document. */
  address: string;
  /** The name of the state. Tabs share a connection and a state when they follow the same stream for the same state. */
  as: string;
  /** The types of its events. */
  events: readonly string[];
  /** The event after which nothing comes. */
  last?: string;
  /** The state after an event. It is sent to other tabs, so it is plain data. */
  reduce(state: State | null, type: string, data: unknown): State;
  /** Called after each change, in every tab. */
  show(followed: Followed<State>): void;
}

const SHORTEST_MS = 2_000;
const LONGEST_MS = 30_000;
/** How often a tab checks whether this computer slept. */
const LOOK_MS = 5_000;
/** A timer that is later than this shows that this computer slept: timers of a visible tab are never so late. */
const ASLEEP_MS = 30_000;

/**
 * How long to wait for a new connection after the browser gave up. Browsers try again by themselves after a connection
 * broke, and never after an answer such as 429, 502 or 503.
 * @param attempt how many were tried since the last one that worked
 * @param random 0…1: many browsers that were cut off at once do not come back at once
 */
export const pauseBefore = (attempt: number, random: number): number =>
  Math.min(LONGEST_MS, SHORTEST_MS + random * SHORTEST_MS * 2 ** Math.min(attempt, 4));

/** Asks the tab that has the connection for what it knows. */
const ASK = 'ask';

/**
 * Follows a stream as long as the document exists, or until `stop` is called.
 * @returns stops it: `show` is not called any more
 */
export function follow<State>({ address, as, events, last, reduce, show }: FollowOptions<State>): () => void {
  const url = new URL(address, document.baseURI).href;
  const name = `follow ${as} ${url}`;
  const channel = new BroadcastChannel(name);
  let followed: Followed<State> = { state: null, connection: 'opening', since: Date.now() };
  let isLeading = false;
  /** When the connection was last known to work, in this tab or the one that had it. */
  let aliveAt = Date.now();
  /** Gives up the connection or the wait for it; null: this tab is hidden. */
  let competing: AbortController | null = null;

  const tell = (change: Partial<Followed<State>>): void => {
    const isSame = change.connection === followed.connection;
    const since = change.connection === 'old' ? aliveAt : Date.now();
    followed = { ...followed, ...change, since: isSame ? followed.since : since };
    channel.postMessage(followed);
    show(followed);
  };

  channel.addEventListener('message', ({ data }: MessageEvent<Followed<State> | typeof ASK>) => {
    if (data === ASK) {
      if (isLeading || followed.connection === 'over') channel.postMessage(followed);
    } else if (!isLeading) {
      followed = data;
      if (data.connection === 'live') aliveAt = Date.now();
      show(followed);
    }
  });

  /** Keeps the connection until the signal. */
  const lead = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      let source: EventSource | null = null;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let attempt = 0;
      let isOpen = false;
      const left = new AbortController();
      isLeading = true;
      const close = (): void => {
        source?.close();
        clearTimeout(timer);
      };
      const receive = ({ type, data }: MessageEvent<string>): void => {
        const state = reduce(followed.state, type, JSON.parse(data));
        tell({ state, connection: type === last ? 'over' : 'live' });
        if (type === last) left.abort();
      };
      /** @param at when it was last known to work, if it did */
      const lose = (at = Date.now()): void => {
        if (isOpen) aliveAt = at;
        isOpen = false;
        tell({ connection: 'old' });
      };
      const open = (): void => {
        close();
        source = new EventSource(url);
        source.addEventListener('open', () => {
          attempt = 0;
          isOpen = true;
          if (followed.state !== null) tell({ connection: 'live' });
        });
        source.addEventListener('error', () => {
          lose();
          if (source?.readyState !== EventSource.CLOSED) return;
          timer = setTimeout(open, pauseBefore(attempt, Math.random()));
          attempt += 1;
        });
        for (const type of events) source.addEventListener(type, receive);
      };
      // Without a network a connection breaks only after minutes, and is silent until then.
      const goOffline = (): void => {
        close();
        lose();
      };
      addEventListener('offline', goOffline, { signal: left.signal });
      addEventListener('online', open, { signal: left.signal });
      // The other end gave a connection up while this computer slept, and the browser does not know.
      let looked = Date.now();
      const looking = setInterval(() => {
        const before = looked;
        looked = Date.now();
        if (looked - before - LOOK_MS < ASLEEP_MS) return;
        lose(before);
        open();
      }, LOOK_MS);
      const leave = (): void => {
        // The other tabs, which may be hidden too, learn that it worked until now.
        if (isOpen) {
          aliveAt = Date.now();
          channel.postMessage(followed);
        }
        left.abort();
      };
      signal.addEventListener('abort', leave, { signal: left.signal });
      left.signal.addEventListener('abort', () => {
        isLeading = false;
        clearInterval(looking);
        close();
        resolve();
      });
      open();
    });

  const compete = (): void => {
    if (competing !== null) return;
    competing = new AbortController();
    const { signal } = competing;
    channel.postMessage(ASK);
    const run = async (): Promise<void> => {
      if (!signal.aborted && followed.connection !== 'over') await lead(signal);
    };
    // Without TLS a browser has no locks: each tab has a connection of its own then.
    if (navigator.locks === undefined) void run();
    else navigator.locks.request(name, { signal }, run).catch(() => {});
  };

  const rest = (): void => {
    competing?.abort();
    competing = null;
  };
  const look = (): void => {
    if (document.visibilityState === 'visible') compete();
    else rest();
  };
  const stopped = new AbortController();
  const { signal } = stopped;
  document.addEventListener('visibilitychange', look, { signal });
  // A page that a visitor leaves may be kept, and be shown again as it was.
  addEventListener('pagehide', rest, { signal });
  addEventListener('pageshow', look, { signal });
  look();
  return () => {
    stopped.abort();
    rest();
    channel.close();
  };
}
