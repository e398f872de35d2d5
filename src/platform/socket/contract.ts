import { z } from 'zod';
import { errorCode } from '../http/schemas.ts';

/** A message from the client, acknowledged exactly once. */
export interface ClientEvent<P extends z.ZodType = z.ZodType, D extends z.ZodType = z.ZodType> {
  description: string;
  payload: P;
  /** The `data` of a successful acknowledgement. */
  data: D;
  /** Codes of refusals beside the common ones. */
  refusals: readonly string[];
  /** Whether this message is merged with others when they come too often, instead of being refused. */
  isMerged?(payload: z.output<P>): boolean;
  /** Whether it changes nothing. */
  isReadOnly?: true;
}

/** A message to the client, not acknowledged. */
interface ServerEvent<P extends z.ZodType = z.ZodType> {
  description: string;
  payload: P;
}

export type ToServer = Record<string, ClientEvent>;
export type ToClient = Record<string, ServerEvent>;

/**
 * The handlers of a domain's messages; they throw a ServiceError to refuse one. `arrivedAt` is the time of arrival at
 * this node, see `arrivals.ts`.
 */
export type Handlers<Contract extends ToServer, Session> = {
  [E in keyof Contract]: (
    session: Session,
    payload: z.output<Contract[E]['payload']>,
    arrivedAt: number,
  ) => Promise<z.input<Contract[E]['data']>>;
};

/** The messages of one domain with their handlers. */
export interface Binding<Session> {
  contract: ToServer;
  handlers: Record<string, (session: Session, payload: never, arrivedAt: number) => Promise<unknown>>;
}

/** Binds a contract to its handlers; the compiler checks that every message has one of the right type. */
export const bind = <Contract extends ToServer, Session>(
  contract: Contract,
  handlers: Handlers<Contract, Session>,
): Binding<Session> => ({ contract, handlers: handlers as Binding<Session>['handlers'] });

/** The failure half of every acknowledgement. */
export const failure = z
  .object({
    ok: z.literal(false),
    error: z
      .object({ code: errorCode, message: z.string().describe('Safe to show') })
      .meta({ id: 'SocketError' }),
  })
  .meta({ id: 'Failure' });

/** Every acknowledgement. */
export type Envelope = { ok: true; data: unknown } | { ok: false; error: { code: string; message: string } };
