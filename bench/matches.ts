import type { Bench, BenchOptions, Claim } from './harness.ts';
import { benchHistory, type Works } from './history.ts';
import { type Arena, openArena } from './matches-arena.ts';
import { benchCommands, wholeWay } from './matches-commands.ts';
import { benchConnections } from './matches-connections.ts';
import { benchMessages, ofService } from './matches-messages.ts';
import { benchReturns, returning } from './matches-returns.ts';

/** Each begins with a fresh service: what one leaves behind in memory or in the database is not the next one's. */
async function inArena(measured: (arena: Arena) => Promise<Claim[]>): Promise<Claim[]> {
  const arena = await openArena();
  try {
    return await measured(arena);
  } finally {
    await arena.close();
  }
}

/** The cost of a command, a read and a connection, each against a bare equivalent. */
export const parts: Record<string, Bench> = {
  connections: benchConnections,
  commands: () => inArena(benchCommands),
  messages: () => inArena(benchMessages),
  returns: () => inArena(benchReturns),
};

const beside: Works = {
  'a command, the whole way': ({ matches }) => wholeWay(matches).start(),
  getMatchState: ({ matches }) => ofService(matches).start(),
  'a player comes back': returning,
};

export async function bench({ history }: BenchOptions = {}): Promise<Claim[]> {
  if (history !== undefined) return benchHistory(history, beside);
  const claims: Claim[] = [];
  for (const part of Object.values(parts)) claims.push(...(await part()));
  return claims;
}
