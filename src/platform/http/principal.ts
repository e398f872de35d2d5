/** The caller of a request, by its verified token. */
export interface Principal {
  playerGuid: string;
  /** `sub` of the token. */
  subject: string;
  roles: ReadonlySet<string>;
  /** `platform:game` for a plugin; anything else is a person in a browser or a script. */
  tokenType: string;
  platformId: string | null;
  username: string;
  avatarUrl: string | null;
  /** When the token ends, milliseconds since 1970. */
  expiresAt: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without credentials. */
    principal: Principal | null;
  }
}
