import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Waiting } from './waiting.ts';

const LIMIT_MS = 30_000;

/** One event as it came. */
export interface ReadEvent {
  id: string | null;
  event: string;
  data: any;
  /** How many lines of data it had. */
  lines: number;
}

/** A reader of a stream of events. Remembers every event. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  retryMs: number | null = null;
  comments = 0;
  hasEnded = false;
  readonly #request: ClientRequest;
  readonly answer: IncomingMessage;
  #rest = '';
  readonly #waiting = new Waiting();

  private constructor(sent: ClientRequest, answer: IncomingMessage) {
    this.#request = sent;
    this.answer = answer;
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => this.#read(text));
    answer.on('error', () => undefined);
    answer.on('close', () => {
      this.hasEnded = true;
      this.#waiting.wake();
    });
  }

  /** @param headers of the request; `localAddress` chooses the address it comes from */
  static async open(
    url: string,
    {
      localAddress,
      method = 'GET',
      ...headers
    }: Record<string, string> & { localAddress?: string; method?: string } = {},
  ): Promise<EventReader> {
    const sent = request(url, { method, headers, agent: false, ...(localAddress && { localAddress }) });
    sent.on('error', () => undefined);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject).end();
    });
    return new EventReader(sent, answer);
  }

  get status(): number {
    return this.answer.statusCode ?? 0;
  }
  get headers(): IncomingMessage['headers'] {
    return this.answer.headers;
  }

  #read(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => {
        const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
        return { name, value };
      });
      const of = (name: string) => fields.filter((field) => field.name === name).map(({ value }) => value);
      this.comments += of('').length;
      for (const retry of of('retry')) this.retryMs = Number(retry);
      const data = of('data');
      if (data.length > 0)
        this.events.push({
          id: of('id')[0] ?? null,
          event: of('event')[0] ?? 'message',
          data: JSON.parse(data.join('\n')),
          lines: data.length,
        });
    }
    this.#waiting.wake();
  }
  /** Waits until what was read makes the condition true. */
  until(holds: () => boolean, what: string): Promise<void> {
    const came = () => this.events.map(({ event, id }) => `${event} ${id}`);
    return this.#waiting.until(holds, () => `${what} did not come in ${LIMIT_MS} ms: ${came()}`, LIMIT_MS);
  }
  /** Waits for an event of this name for which the condition holds. */
  async event(name: string, fits: (data: any) => boolean = () => true): Promise<ReadEvent> {
    const find = () => this.events.find(({ event, data }) => event === name && fits(data));
    await this.until(() => find() !== undefined, `the event ${name}`);
    return find() as ReadEvent;
  }
  ended(): Promise<void> {
    return this.until(() => this.hasEnded, 'the end of the stream');
  }
  /** Leaves what comes unread. */
  pause(): void {
    this.answer.pause();
    this.answer.socket.pause();
  }
  resume(): void {
    this.answer.socket.resume();
    this.answer.resume();
  }
  close(): void {
    this.#request.destroy();
  }
}
