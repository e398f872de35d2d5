import { z } from 'zod';
import type { CatalogueEntry } from '../errors.ts';
import { errorCode } from '../http/schemas.ts';
import { failure, type ToClient, type ToServer } from '../socket/contract.ts';
import { forReaders, type JsonObject, reachable, schemaRef } from './json-schema.ts';
import type { Life } from './life.ts';

/** The whole socket channel, assembled from the domains. */
export interface SocketContract {
  handshake: {
    /** The members that the client puts into `auth`. */
    auth: z.ZodType;
    /** Codes of a `connect_error`. */
    refusals: readonly string[];
  };
  toServer: ToServer;
  toClient: ToClient;
  /** The life of a match. */
  life: Life;
}

/** Payloads that were really sent, by event, with the data of the answer. */
export type SocketExamples = Readonly<Record<string, { payload: unknown; data?: unknown }>>;

export interface AsyncApiOptions {
  socketExamples: SocketExamples;
  contract: SocketContract;
  catalogue: readonly CatalogueEntry[];
  /** Public base address. */
  baseUrl: string;
  /** Version of the service. */
  version: string;
}

interface Ref {
  $ref: string;
}
interface SocketMessage {
  name: string;
  title: string;
  summary: string;
  payload: Ref;
  examples?: { payload: unknown }[];
}
export interface SocketOperation {
  action: 'send' | 'receive';
  channel: Ref;
  title: string;
  summary: string;
  messages: Ref[];
  security: Ref[];
  reply?: { channel: Ref; messages: Ref[] };
  /** Codes the failure half of the reply may carry. */
  'x-refusals'?: string[];
}
export type AsyncApiDocument = ReturnType<typeof asyncApiDocument>;

/** Every message may be refused with these, whatever it does. */
export const ALWAYS_POSSIBLE = ['VALIDATION_FAILED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'];

const CHANNEL: Ref = { $ref: '#/channels/socket' };

/** The same for all: a connection is a player's. */
const SECURITY: Ref[] = [{ $ref: '#/components/securitySchemes/gameToken' }];
const securitySchemes = {
  gameToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of the type `platform:game`, as `token` of `auth` in the handshake.',
  },
};

const connectError = z.object({
  message: z.string().describe('Exactly the code: clients in C# see nothing else'),
  data: z
    .object({
      code: errorCode,
      message: z.string().describe('Safe to show'),
      retryAfterMs: z
        .int()
        .nullable()
        .describe(
          'Milliseconds after which to try again: of `RATE_LIMITED` until there is room, of `DRAINING` and `INTERNAL_ERROR` 500 to 5,000, for each client others, of `SERVICE_UNAVAILABLE` 500 to 60,000, the turn of this player. Else null: time alone changes nothing',
        ),
    })
    .meta({ id: 'HandshakeError' }),
});
const connected = z.object({ sid: z.string().describe('Socket.IO’s name of this connection') });

const DESCRIPTION = `Socket.IO 4 (Engine.IO 4) on the default path and namespace, with the JSON parser; transports WebSocket and polling. One payload object per event.

**Handshake.** The client connects with \`auth\` (operation \`connect\`). A refusal is a \`connect_error\` whose \`message\` is exactly the code; the transport is closed soon after.

**Acknowledgements.** Every message from the client is acknowledged exactly once: \`{ "ok": true, "data": … }\` or \`{ "ok": false, "error": { "code", "message" } }\`, with exactly these members. An event that does not exist is refused with \`UNKNOWN_EVENT\`. A command sent again with the same payload is acknowledged with the state as it is now and has no second effect.

**Order and limits.** Messages of one connection are decided in the order they were sent: 20 a second and 40 in a burst per player, 32 KiB each. Text only, in the default namespace: binary messages, another namespace, and anything but one CONNECT before the client is let in end the connection, and so does asking for far more than the limits or leaving a mebibyte unread.

**Tools that stop at AsyncAPI 3.0.** This document uses nothing that 3.1 has added: with \`"asyncapi": "3.0.0"\` as its first member it is a document of 3.0.`;

/** zod's conversion, run once over everything, so that shapes are shared by reference. */
function convert(schemas: ReadonlyMap<string, z.ZodType>): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  // Named shapes become references only when they are in the registry that is converted. zod has no public list of them.
  for (const [id, schema] of z.globalRegistry._idmap) registry.add(schema, { id });
  for (const [id, schema] of schemas) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, {
    target: 'draft-7',
    // Payloads as clients write them; what the server sends has no defaults, so it is the same both ways.
    io: 'input',
    unrepresentable: 'any',
    uri: schemaRef,
    override: forReaders,
  });
  return Object.fromEntries(
    Object.entries(converted.schemas).map(([id, schema]) => {
      const { $schema, $id, id: name, ...rest } = schema as JsonObject;
      return [id, rest as JsonObject];
    }),
  );
}

/** Every message and operation of the channel, the handshake first. */
function partsOf({ handshake, toServer, toClient }: SocketContract, catalogue: readonly CatalogueEntry[]) {
  const codes = new Set(catalogue.map(({ code }) => code));
  const shapes = new Map<string, z.ZodType>();
  const messages: Record<string, SocketMessage> = {};
  const operations: Record<string, SocketOperation> = {};

  const message = (id: string, name: string, title: string, summary: string, payload: z.ZodType): Ref => {
    // Several messages may share one schema object; a copy gives each a name of its own.
    const named = z.globalRegistry.get(payload)?.id;
    const schema = named ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}Message`;
    if (named === undefined) shapes.set(schema, payload.clone());
    messages[id] = { name, title, summary, payload: { $ref: schemaRef(schema) } };
    return { $ref: `#/channels/socket/messages/${id}` };
  };
  const receive = (
    event: string,
    about: Pick<SocketOperation, 'title' | 'summary' | 'messages'>,
    replies: Ref[],
    refusals: readonly string[],
  ): void => {
    const unknown = refusals.filter((code) => !codes.has(code));
    if (unknown.length > 0) throw new Error(`${event} names codes nobody declares: ${unknown.join(', ')}.`);
    operations[event] = {
      action: 'receive',
      channel: CHANNEL,
      ...about,
      security: SECURITY,
      reply: { channel: CHANNEL, messages: replies },
      'x-refusals': [...new Set(refusals)],
    };
  };

  const refused = message(
    'refused',
    'acknowledgement',
    'Refused',
    'The failure half of every reply.',
    failure,
  );
  receive(
    'connect',
    {
      title: 'Connect',
      summary: 'The handshake: Socket.IO’s CONNECT packet with `auth`.',
      messages: [message('connect', 'auth', 'Connect', 'What the client puts into `auth`.', handshake.auth)],
    },
    [
      message('connected', 'connect', 'Connected', 'The connection stands.', connected),
      message('connectError', 'connect_error', 'Not connected', 'The connection is refused.', connectError),
    ],
    handshake.refusals,
  );
  for (const [event, { description: summary, payload, data, refusals }] of Object.entries(toServer)) {
    const success = z.object({ ok: z.literal(true), data });
    receive(
      event,
      { title: event, summary, messages: [message(event, event, event, summary, payload)] },
      [
        message(
          `${event}Done`,
          'acknowledgement',
          `${event}: done`,
          `The success half of the reply to ${event}.`,
          success,
        ),
        refused,
      ],
      [...refusals, ...ALWAYS_POSSIBLE],
    );
  }
  for (const [event, { description: summary, payload }] of Object.entries(toClient))
    operations[event] = {
      action: 'send',
      channel: CHANNEL,
      title: event,
      summary,
      messages: [message(event, event, event, summary, payload)],
      security: SECURITY,
    };
  return { shapes, messages, operations };
}

/**
 * The AsyncAPI 3.1 document of the socket channel, as the server sees it: it receives what clients send.
 * @throws Error when a message names a code that the catalogue does not have.
 */
export function asyncApiDocument({ contract, catalogue, baseUrl, version, socketExamples }: AsyncApiOptions) {
  const { shapes, messages, operations } = partsOf(contract, catalogue);
  for (const [event, { payload, data }] of Object.entries(socketExamples)) {
    Object.assign(messages[event] ?? {}, { examples: [{ payload }] });
    if (data !== undefined)
      Object.assign(messages[`${event}Done`] ?? {}, { examples: [{ payload: { ok: true, data } }] });
  }
  const schemas = reachable(messages, convert(shapes));
  Object.assign(schemas.ErrorCode ?? {}, { enum: catalogue.map(({ code }) => code) });
  const address = new URL(baseUrl);
  return {
    asyncapi: '3.1.0',
    info: { title: 'Competitive Match Service: socket channel', version, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: {
      main: {
        host: address.host,
        protocol: address.protocol === 'https:' ? 'wss' : 'ws',
        pathname: `${address.pathname.replace(/\/$/, '')}/socket.io/`,
        description: 'Engine.IO 4; clients of Socket.IO 4 need only the base address.',
      },
    },
    channels: {
      socket: {
        address: '/',
        description: 'The default namespace.',
        messages: Object.fromEntries(
          Object.keys(messages).map((id) => [id, { $ref: `#/components/messages/${id}` }]),
        ),
      },
    },
    operations,
    components: { securitySchemes, messages, schemas },
    'x-life': contract.life,
    'x-errors': [...catalogue],
  };
}
