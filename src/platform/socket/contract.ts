import { z } from 'zod';

/** A message from the client, acknowledged exactly once. */
export interface ClientEvent<P extends z.ZodType = z.ZodType, D extends z.ZodType = z.ZodType> {
  description: string;
  payload: P;
  /** The `data` of a successful acknowledgement. */
  data: D;
  /** Codes this message may be refused with, beside the common ones. */
  refusals: readonly string[];
  /** Whether this one is merged with others when it comes too often, so that the ordinary limit is not its. */
  isMerged?(payload: z.output<P>): boolean;
  /** Whether it changes nothing, so that nobody misses it when nobody hears the answer. */
  isQuestion?: true;
}

/** A message to the client, not acknowledged. */
export interface ServerEvent<P extends z.ZodType = z.ZodType> {
  description: string;
  payload: P;
}

export type ToServer = Record<string, ClientEvent>;
export type ToClient = Record<string, ServerEvent>;

/** What a domain answers a message with; throws a ServiceError to refuse it. */
export type Handlers<Contract extends ToServer, Session> = {
  [E in keyof Contract]: (
    session: Session,
    payload: z.output<Contract[E]['payload']>,
  ) => Promise<z.input<Contract[E]['data']>>;
};

/** One domain's messages with what answers them. */
export interface Binding<Session> {
  contract: ToServer;
  handlers: Record<string, (session: Session, payload: never) => Promise<unknown>>;
}

/** Ties a contract to its handlers: the compiler checks that every message has one of the right type. */
export const bind = <Contract extends ToServer, Session>(
  contract: Contract,
  handlers: Handlers<Contract, Session>,
): Binding<Session> => ({ contract, handlers: handlers as Binding<Session>['handlers'] });

/** The failure half of every acknowledgement. */
export const failure = z
  .object({
    ok: z.literal(false),
    error: z.object({
      code: z.string().describe('UPPER_SNAKE, stable'),
      message: z.string().describe('Safe to show'),
    }),
  })
  .meta({ id: 'Failure' });

/** What every acknowledgement is. */
export type Envelope = { ok: true; data: unknown } | { ok: false; error: { code: string; message: string } };
