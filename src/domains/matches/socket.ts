import { bind } from '../../platform/socket/contract.ts';
import { toServer } from './events.ts';
import type { Command } from './match-events.ts';
import type { Matches } from './service.ts';

interface Player {
  playerGuid: string;
}

export const matchesSocket = (matches: Matches) => {
  /** A message that is the event of the same name. */
  const command =
    <Type extends Command['type']>(type: Type) =>
    async (
      { playerGuid }: Player,
      { matchGuid, ...said }: Omit<Command & { type: Type }, 'type' | 'seat'> & { matchGuid: string },
      arrivedAt: number,
    ) => ({
      match: await matches.command(
        playerGuid,
        matchGuid,
        (seat) => ({ type, seat, ...said }) as Command,
        arrivedAt,
      ),
    });

  return bind(toServer, {
    joinMatch: command('joinMatch'),
    discardMaps: command('discardMaps'),
    selectMap: command('selectMap'),
    setReady: async ({ playerGuid }: Player, { matchGuid, progress = null, ...said }, arrivedAt) => ({
      match: await matches.setReady(playerGuid, matchGuid, { ...said, progress }, arrivedAt),
    }),
    submitScore: (player: Player, { matchGuid, roundNumber, ...score }, arrivedAt) =>
      command('submitScore')(player, { matchGuid, roundNumber, score }, arrivedAt),
    forfeit: command('forfeit'),
    getMatchState: async ({ playerGuid }: Player, { matchGuid }) => ({
      match: await matches.stateFor(playerGuid, matchGuid),
    }),
  });
};
