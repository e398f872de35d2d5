import net from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { frameOf, upgradeRequest } from './thin-client.ts';

/** The attackers, in a process of their own. A message names the attack and its time; they answer how much they sent. */

export interface Account {
  token: string;
  pluginVersion: string;
}

export interface ToAttackers {
  attack: AttackName;
  port: number;
  forMs: number;
  accounts: readonly Account[];
  /** Uploads for rounds that the first accounts have played; they begin with these bytes, in base64. */
  uploads: readonly { path: string; token: string; pluginVersion: string; head: string }[];
  queueGuid: string;
}

export interface FromAttackers {
  /** Messages, packets, uploads begun or handshakes answered, in a second. */
  rate: number;
  /** How often the server ended a connection. */
  closed: number;
}

interface Attack extends Omit<ToAttackers, 'attack' | 'forMs'> {
  endsAt: number;
  /** So much was done. */
  did(count: number): void;
  wasClosed(): void;
}

const isOver = ({ endsAt }: Attack): boolean => performance.now() >= endsAt;

/** Each attacker comes from an address of its own; no honest player has one of 127.0.x.x. */
const addressOf = (nth: number): string => `127.0.${4 + Math.floor(nth / 250)}.${1 + (nth % 250)}`;

/** Longer than anybody waits for a handshake. */
const PATIENCE_MS = 15_000;

/**
 * Opens a WebSocket of Engine.IO and asks to be admitted. @param auth null: does not ask
 * @throws Error when the server ends it before
 */
async function open(port: number, nth: number, auth: object | null): Promise<net.Socket> {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: addressOf(nth), noDelay: true });
  socket.on('error', () => undefined);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.write(upgradeRequest(port));
  const answer = auth === null ? '0{' : '4[04]\\{';
  let heard = '';
  await new Promise<void>((resolve, reject) => {
    let asked = false;
    socket.on('close', () => reject(new Error('It was closed.')));
    socket.on('data', function read(chunk: Buffer) {
      heard += chunk.toString('latin1');
      if (!asked && heard.includes('\r\n\r\n')) {
        asked = true;
        if (auth !== null) socket.write(frameOf(`40${JSON.stringify(auth)}`));
      }
      if (asked && new RegExp(answer).test(heard.slice(heard.indexOf('\r\n\r\n')))) {
        socket.off('data', read);
        resolve();
      }
    });
  });
  socket.setTimeout(0);
  socket.resume();
  return socket;
}

/** Keeps a connection up and does this with it, again whenever the server ends it. */
async function keepAt(
  attack: Attack,
  nth: number,
  auth: object | null,
  work: (socket: net.Socket) => Promise<void>,
): Promise<void> {
  while (!isOver(attack)) {
    try {
      const socket = await open(attack.port, nth, auth);
      // Pongs are sent at fixed times, since an attacker that does not read sees no pings.
      const alive = setInterval(() => socket.write(frameOf('3')), 5000);
      try {
        await work(socket);
      } finally {
        clearInterval(alive);
        if (socket.destroyed || socket.closed) attack.wasClosed();
        socket.destroy();
      }
    } catch {
      attack.wasClosed();
      await sleep(50);
    }
  }
}

/** Resolves once there is room again, or the connection is gone. */
function untilDrained(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}

/** Sends as fast as the connection takes it. */
async function pour(
  attack: Attack,
  socket: net.Socket,
  chunks: readonly Buffer[],
  messages: number,
): Promise<void> {
  for (let turn = 0; !isOver(attack) && !socket.destroyed; turn += 1) {
    attack.did(messages);
    if (socket.write(chunks[turn % chunks.length] as Buffer)) await setImmediate();
    else await untilDrained(socket);
  }
}

/** Sends so many a second. */
async function pace(
  attack: Attack,
  socket: net.Socket,
  perSecond: number,
  next: () => Buffer,
): Promise<void> {
  const startedAt = performance.now();
  for (let sent = 0; !isOver(attack) && !socket.destroyed; ) {
    const due = Math.floor(((performance.now() - startedAt) * perSecond) / 1000);
    for (; sent < due && !socket.destroyed; sent += 1) {
      socket.write(next());
      attack.did(1);
    }
    await sleep(20);
  }
}

const times = (count: number, text: string): Buffer => Buffer.concat(Array(count).fill(frameOf(text)));
const message = (event: string, payload: unknown): string => `421${JSON.stringify([event, payload])}`;
/** A message of the channel may have 32 KiB. */
const FULL = 32_000;

/** The most expensive messages within the limits. */
const dearest = (queueGuid: string): Record<string, () => Buffer> => {
  const keys: Record<string, number> = {};
  for (let nth = 0; JSON.stringify(keys).length < FULL - 200; nth += 20)
    for (let more = 0; more < 20; more += 1) keys[`k${nth + more}`] = 0;
  const unknownKeys = frameOf(message('submitScore', keys));
  const cards = frameOf(message('discardMaps', { matchGuid: 'x', cardGuids: Array(FULL / 4).fill('x') }));
  const deep = frameOf(`421["setReady",${'['.repeat(FULL / 2)}${']'.repeat(FULL / 2)}]`);
  const unknownEvent = frameOf(message('e'.repeat(FULL), {}));
  const attachment = Buffer.concat([
    frameOf('451-1["submitScore",{"_placeholder":true,"num":0}]'),
    frameOf(Buffer.alloc(FULL), 'binary'),
  ]);
  const hello = frameOf(message('hello', {}));
  const waiting = [frameOf(message('joinQueue', { queueGuid })), frameOf(message('leaveQueue', {}))];
  let turn = 0;
  return {
    unknownKeys: () => unknownKeys,
    cards: () => cards,
    deep: () => deep,
    unknownEvent: () => unknownEvent,
    attachment: () => attachment,
    hello: () => hello,
    queue: () => waiting[turn++ % 2] as Buffer,
  };
};

/** Below what closes a connection (512 packets a second), far above what is answered (20). */
const TOLERATED = 480;
/** Below the limit of 20 commands a second. */
const ALLOWED = 19;

const each = async (count: number, one: (nth: number) => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, nth) => one(nth)));
};
const accountOf = ({ accounts }: Attack, nth: number): Account => accounts[nth] as Account;

const ATTACKS = {
  /** Half as fast as they can, until they are closed and again; half so that they are not closed. */
  senders: (attack: Attack) => {
    const small = times(64, message('hello', {}));
    const large = frameOf(message('submitScore', { text: 'x'.repeat(FULL) }));
    return each(10, (nth) =>
      keepAt(attack, nth, accountOf(attack, nth), (socket) => {
        if (nth % 2 === 1) return pace(attack, socket, TOLERATED, () => frameOf(message('hello', {})));
        return nth % 4 === 0 ? pour(attack, socket, [small], 64) : pour(attack, socket, [large], 1);
      }),
    );
  },
  /** Ten within their rate. */
  dearest: (attack: Attack) => {
    const payloads = Object.values(dearest(attack.queueGuid));
    return each(10, (nth) =>
      keepAt(attack, nth, accountOf(attack, nth), (socket) =>
        pace(attack, socket, ALLOWED, payloads[nth % payloads.length] as () => Buffer),
      ),
    );
  },
  /** Eight without credentials ask for namespaces that are none. */
  unauthenticated: (attack: Attack) => {
    const asks = times(64, '40/nowhere,');
    return each(8, (nth) => keepAt(attack, nth, null, (socket) => pour(attack, socket, [asks], 64)));
  },
  /** Fifty ask and never read, but send pongs. */
  silent: (attack: Attack) =>
    each(50, (nth) =>
      keepAt(attack, nth, accountOf(attack, nth), (socket) => {
        socket.pause();
        return pace(attack, socket, TOLERATED - 80, () => frameOf(message('hello', {})));
      }),
    ),
  /** Four send the beginning of a replay, two of them at once and two slowly, and then next to nothing. */
  'slow-uploads': (attack: Attack) =>
    each(4, async (nth) => {
      const upload = attack.uploads[nth] as ToAttackers['uploads'][number];
      const head = Buffer.from(upload.head, 'base64');
      while (!isOver(attack)) {
        const socket = net.connect({ port: attack.port, host: '127.0.0.1', localAddress: addressOf(nth) });
        socket.on('error', () => undefined).resume();
        socket.write(
          [
            `POST ${upload.path} HTTP/1.1`,
            'host: 127.0.0.1',
            'content-type: application/octet-stream',
            `content-length: ${60 * 2 ** 20}`,
            `authorization: Bearer ${upload.token}`,
            `x-service-plugin-version: ${upload.pluginVersion}`,
            '\r\n',
          ].join('\r\n'),
        );
        attack.did(1);
        let at = nth % 2 === 0 ? head.length / 2 : 1024;
        socket.write(head.subarray(0, at));
        while (!isOver(attack) && !socket.destroyed) {
          await sleep(100);
          socket.write(head.subarray(at, at + 16));
          at = (at + 16) % head.length;
        }
        if (socket.destroyed) attack.wasClosed();
        socket.destroy();
      }
    }),
  /** A thousand handshakes a second from two hundred addresses, each with another forged token. */
  handshakes: async (attack: Attack) => {
    const { token, pluginVersion } = accountOf(attack, 0);
    const unsigned = token.slice(0, token.lastIndexOf('.') + 1);
    let underWay = 0;
    let nth = 0;
    const knock = async (): Promise<void> => {
      underWay += 1;
      nth += 1;
      const signature = Buffer.alloc(256, nth).fill(String(nth)).toString('base64url');
      try {
        const socket = await open(attack.port, nth % 200, { token: unsigned + signature, pluginVersion });
        attack.did(1);
        socket.destroy();
      } catch {
        attack.wasClosed();
      }
      underWay -= 1;
    };
    const startedAt = performance.now();
    for (let begun = 0; !isOver(attack); ) {
      const due = performance.now() - startedAt;
      for (; begun < due && underWay < 500; begun += 1) void knock();
      // Attempts that are late are dropped, not repeated in a burst.
      begun = Math.max(begun, Math.floor(due));
      await sleep(5);
    }
  },
} as const satisfies Record<string, (attack: Attack) => Promise<void>>;

export type AttackName = keyof typeof ATTACKS;

if (import.meta.main) {
  process.once('message', async ({ attack, forMs, ...target }: ToAttackers) => {
    const startedAt = performance.now();
    let count = 0;
    let closed = 0;
    await Promise.race([
      ATTACKS[attack]({
        ...target,
        endsAt: startedAt + forMs,
        did: (more) => {
          count += more;
        },
        wasClosed: () => {
          closed += 1;
        },
      }),
      sleep(forMs),
    ]);
    const rate = (count * 1000) / (performance.now() - startedAt);
    process.send?.({ rate, closed } satisfies FromAttackers, () => process.exit(0));
  });
}
