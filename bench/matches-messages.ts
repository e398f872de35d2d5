import { type Claim, keepBusy, measure, speedRatio, type Variant } from './harness.ts';
import { type Arena, IN_FLIGHT, mustBeMatch, startServer } from './matches-arena.ts';
import { connectThin, messageOf, type ThinClient } from './thin-client.ts';

const FULL = 'the service';
const BARE = 'bare Socket.IO, the same answer';

/** @param isPinned as for `forkServer` */
export const startBare = (isPinned = true) => startServer('bare-socket.ts', {}, isPinned);

/**
 * Asks for each match over its two connections in turn: one alone would reach the limit of packets of a connection, which
 * no variable raises.
 */
const asking = (matches: Arena['matches'], pairs: readonly (readonly [ThinClient, ThinClient])[]) => {
  const messages = matches.map(({ matchGuid }) => messageOf('getMatchState', { matchGuid }));
  return (forMs: number) =>
    keepBusy(pairs, forMs, async ([one, other], nth, turn) =>
      mustBeMatch(await (turn % 2 === 0 ? one : other).ask(messages[nth] as Buffer)),
    );
};

export const ofService = (matches: Arena['matches']): Variant => ({
  name: FULL,
  start: async () => ({
    round: asking(
      matches,
      matches.map(({ players }) => players),
    ),
    stop: async () => undefined,
  }),
});

/** Messages that read nothing from the database, against Socket.IO that knows the answer already. */
export async function benchMessages({ matches }: Arena): Promise<Claim[]> {
  const bare: Variant = {
    name: BARE,
    start: async () => {
      const server = await startBare();
      const [match] = matches;
      const data = await match?.players[0].call('getMatchState', { matchGuid: match.matchGuid });
      server.process.send({ answer: { ok: true, data } });
      const pairs: [ThinClient, ThinClient][] = [];
      while (pairs.length < IN_FLIGHT)
        pairs.push([await connectThin(server.port, {}), await connectThin(server.port, {})]);
      return {
        round: asking(matches, pairs),
        stop: async () => {
          for (const client of pairs.flat()) client.close();
          await server.stop();
        },
      };
    },
  };
  const rates = await measure(
    `Acknowledged messages that need no database (getMatchState, ${IN_FLIGHT} in flight)`,
    [bare, ofService(matches)],
  );
  return [
    {
      text: 'messages through the full channel, of bare Socket.IO',
      measured: speedRatio(rates, FULL, BARE),
      atLeast: 0.85,
    },
  ];
}
