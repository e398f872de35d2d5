import { plain } from '../../pages/parts/text.ts';
import { strings as pageStrings } from '../../pages/strings.ts';
import type { Shapes } from '../api.ts';

/** A match in words, those of the public pages. */

export type Match = Shapes['PublicMatch'];
export const words = pageStrings.match;
const SEATS = [words.red, words.blue];

export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** The name of a player, or the word for an unknown player while the name is hidden. */
export const nameIn = ({ players }: Pick<Match, 'players'>, playerGuid: string | null): string =>
  plain(players.find((player) => player.playerGuid === playerGuid)?.username ?? '', 40, words.somebody);

/** The name of the player in a seat; while it is hidden its colour. @param index 0 red, 1 blue */
export const seatName = ({ players }: Pick<Match, 'players'>, index: number): string =>
  plain(players[index]?.username ?? '', 40, SEATS[index] ?? words.somebody);

export const titleOf = ({ players }: Pick<Match, 'players'>): string =>
  players.length === 0 ? words.hidden : words.title(seatName({ players }, 0), seatName({ players }, 1));

/** The phase of a running match, in words. */
export const nowText = (match: Match): string => {
  const { status, pickerGuid } = match.live ?? { status: match.status, pickerGuid: null };
  return status === 'awaiting_pick' && pickerGuid !== null
    ? words.picking(nameIn(match, pickerGuid))
    : words.status[status];
};

/** How it ended; '' while it runs. */
export function resultText({ result, players }: Pick<Match, 'result' | 'players'>): string {
  if (result === null) return '';
  const reason = words.reasons[result.reason];
  if (result.outcome === 'decided') return words.wins(nameIn({ players }, result.winnerGuid), reason);
  return result.outcome === 'draw' ? words.draw(reason) : words.noContest(reason);
}

export function roundText(match: Match, { winnerGuid, damage, void: isVoid }: Shapes['Round']): string {
  if (isVoid) return words.round.void;
  return winnerGuid === null
    ? words.round.equal
    : words.round.won(nameIn(match, winnerGuid), percent(damage));
}

/** Minutes and seconds: `4:07`. */
export const clockTime = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
