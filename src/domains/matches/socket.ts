import { bind } from '../../platform/socket/contract.ts';
import { toServer } from './events.ts';
import type { Matches } from './service.ts';

interface Player {
  playerGuid: string;
}

export const matchesSocket = (matches: Matches) =>
  bind(toServer, {
    joinMatch: async ({ playerGuid }: Player, { matchGuid }) => ({
      match: await matches.command(playerGuid, matchGuid, (seat) => ({ type: 'joinMatch', seat })),
    }),
    discardMaps: async ({ playerGuid }: Player, { matchGuid, cardGuids }) => ({
      match: await matches.command(playerGuid, matchGuid, (seat) => ({
        type: 'discardMaps',
        seat,
        cardGuids,
      })),
    }),
    selectMap: async ({ playerGuid }: Player, { matchGuid, cardGuid }) => ({
      match: await matches.command(playerGuid, matchGuid, (seat) => ({ type: 'selectMap', seat, cardGuid })),
    }),
    setReady: async ({ playerGuid }: Player, { matchGuid, roundNumber, state, progress }) => ({
      match: await matches.setReady(playerGuid, matchGuid, {
        roundNumber,
        state,
        progress: progress ?? null,
      }),
    }),
    submitScore: async ({ playerGuid }: Player, { matchGuid, roundNumber, ...score }) => ({
      match: await matches.command(playerGuid, matchGuid, (seat) => ({
        type: 'submitScore',
        seat,
        roundNumber,
        score,
      })),
    }),
    forfeit: async ({ playerGuid }: Player, { matchGuid }) => ({
      match: await matches.command(playerGuid, matchGuid, (seat) => ({ type: 'forfeit', seat })),
    }),
    getMatchState: async ({ playerGuid }: Player, { matchGuid }) => ({
      match: await matches.stateFor(playerGuid, matchGuid),
    }),
  });
