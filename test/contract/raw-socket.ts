/** The bare protocol (Engine.IO 4 under Socket.IO 5), for packets that a client library does not send or hides. */
export interface RawSocket {
  /** Everything received, as text. */
  readonly frames: readonly string[];
  send(text: string): void;
  /** Waits for a frame that begins like this. */
  frame(start: string): Promise<string>;
  /** Resolves when the server has closed it. */
  readonly closed: Promise<void>;
  close(): void;
}

export async function openRaw(url: string): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const frames: string[] = [];
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  socket.addEventListener('message', ({ data }) => {
    frames.push(data);
    wake();
  });
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  void closed.then(wake);
  const raw: RawSocket = {
    frames,
    closed,
    send: (text) => socket.send(text),
    close: () => socket.close(),
    frame: async (start) => {
      for (;;) {
        const found = frames.find((frame) => frame.startsWith(start));
        if (found !== undefined) return found;
        if (socket.readyState > 1) throw new Error(`It closed before ${start}: ${frames.join(' ')}`);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
  };
  await raw.frame('0');
  return raw;
}

/** Tries a handshake with this `auth`. @returns the refusal, null when let in */
export async function knock(
  url: string,
  auth: unknown,
): Promise<{ message: string; data: { code: string; message: string; retryAfterMs: number | null } } | null> {
  const raw = await openRaw(url);
  raw.send(`40${JSON.stringify(auth)}`);
  const answer = await raw.frame('4');
  raw.close();
  return answer.startsWith('44') ? JSON.parse(answer.slice(2)) : null;
}
