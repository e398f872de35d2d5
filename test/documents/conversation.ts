import type { SocketPlayer } from '../harness/socket-player.ts';

/** Messages of a real match in the notation of `docs/protocol.md`. */

/** Sent by the plugin, acknowledged, pushed to the plugin. */
export type Arrow = '→' | '←' | '⇐';

export interface Message {
  arrow: Arrow;
  event: string;
  value: unknown;
}

/** The part of a value that is shown: the names of members, the value itself, or something made of it. */
export type Shown = symbol | ((value: any) => string) | { [member: string]: Shown };
/** Shows the value as it is. */
export const VALUE = Symbol('value');
/** Shows that the member is there; its value differs from match to match. */
export const NAME = Symbol('name');

/** Everything one player sends and gets, in its order. */
export function record(player: SocketPlayer, messages: Message[]) {
  player.socket.onAny((event: string, value: unknown) => messages.push({ arrow: '⇐', event, value }));
  return {
    player,
    messages,
    send: async (event: string, payload: object = {}): Promise<any> => {
      messages.push({ arrow: '→', event, value: payload });
      const value: any = await player.ask(event, payload);
      messages.push({ arrow: '←', event, value });
      return value.data;
    },
  };
}
export type Recorded = ReturnType<typeof record>;

/** Writes values. @param names what is written instead of ids */
export function createWriter(names: ReadonlyMap<string, string>) {
  const literal = (value: unknown): string => {
    if (typeof value === 'string') return JSON.stringify(names.get(value) ?? value);
    if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
    if (typeof value === 'object' && value !== null) return members(value, VALUE);
    return String(value);
  };
  const members = (value: object, shown: Shown): string => {
    const keys = Object.keys(shown === VALUE ? value : (shown as object));
    const written = keys.map((key) => {
      if (!(key in value)) throw new Error(`There is no ${key} in ${JSON.stringify(value)}.`);
      const how = shown === VALUE ? VALUE : (shown as Record<string, Shown>)[key];
      const member = (value as Record<string, unknown>)[key];
      return how === NAME ? key : `${key}: ${write(member, how ?? VALUE)}`;
    });
    return written.length === 0 ? '{}' : `{ ${written.join(', ')} }`;
  };
  const write = (value: unknown, shown: Shown): string => {
    if (typeof shown === 'function') return shown(value);
    if (shown === VALUE || typeof value !== 'object' || value === null) return literal(value);
    return members(value, shown);
  };

  return {
    /**
     * The next message with this arrow and event, as one line.
     * @throws Error when there is none
     */
    line: (messages: Message[], arrow: Arrow, event: string, shown: Shown): string => {
      const at = messages.findIndex((message) => message.arrow === arrow && message.event === event);
      const found = messages[at];
      if (found === undefined) throw new Error(`There was no ${arrow} ${event}.`);
      messages.splice(0, at + 1);
      return `${arrow}  ${arrow === '←' ? '' : `${event} `}${write(found.value, shown)}`;
    },
  };
}

/** The page with other texts in the blocks ```` ```conversation <name> ````. @throws Error when a block has no text, or a text no block */
export function withBlocks(page: string, blocks: ReadonlyMap<string, string>): string {
  const left = new Set(blocks.keys());
  const written = page.replaceAll(/^```conversation (\w+)\n.*?^```$/gms, (_, name: string) => {
    const text = blocks.get(name);
    if (text === undefined) throw new Error(`Nobody writes the block ${name}.`);
    left.delete(name);
    return `\`\`\`conversation ${name}\n${text}\n\`\`\``;
  });
  if (left.size > 0) throw new Error(`The page has no block ${[...left].join(', ')}.`);
  return written;
}
