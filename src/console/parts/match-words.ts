import { plain } from '../../pages/parts/text.ts';
import { strings as pageStrings } from '../../pages/strings.ts';
import type { Shapes } from '../api.ts';

/** Texts about matches that only the console shows. The public pages have the others. */

export type Match = Shapes['PublicMatch'];
export const words = pageStrings.match;
const SEATS = [words.red, words.blue];

/** The name of the player in a seat; while it is hidden its colour. @param index 0 red, 1 blue */
export const seatName = ({ players }: Pick<Match, 'players'>, index: number): string =>
  plain(players[index]?.username ?? '', 40, SEATS[index] ?? words.somebody);

export const titleOf = ({ players }: Pick<Match, 'players'>): string =>
  players.length === 0 ? words.hidden : words.title(seatName({ players }, 0), seatName({ players }, 1));
