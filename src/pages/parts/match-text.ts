import type { PublicMatch, RoundView } from '../../domains/matches/index.ts';
import { strings } from '../strings.ts';
import { plain } from './text.ts';

/** A match in words, for pages and for the console. */

const texts = strings.match;

/** The longest name in a sentence, in characters. */
const LONGEST_NAME = 40;

type Players = Pick<PublicMatch, 'players'>;
type Live = NonNullable<PublicMatch['live']>;

/** The name of a player; a placeholder for a guid that is not among the players. */
export const nameIn = ({ players }: Players, playerGuid: string | null): string =>
  plain(
    players.find((player) => player.playerGuid === playerGuid)?.username ?? '',
    LONGEST_NAME,
    texts.somebody,
  );

export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** The difficulty of a map and its modifiers. */
export const difficultyText = ({
  characteristic,
  difficulty,
  modifiers,
}: Pick<RoundView['map'], 'characteristic' | 'difficulty' | 'modifiers'>): string =>
  [characteristic, difficulty, ...modifiers].join(' · ');

/** The phase of a running match. */
export const nowText = (
  { status, pickerGuid }: Pick<Live, 'status' | 'pickerGuid'>,
  match: Players,
): string =>
  status === 'awaiting_pick' && pickerGuid !== null
    ? texts.picking(nameIn(match, pickerGuid))
    : texts.status[status];

type Done = Pick<Live['seats'][number], 'ready' | 'discarded' | 'scoreSubmitted'>;

/** Says whether the player of a seat has acted in this phase. */
export const doneTexts = ({ ready, discarded, scoreSubmitted }: Done, status: Live['status']): string[] => [
  ...(status === 'awaiting_discards' && discarded ? [texts.discarded] : []),
  ...(status === 'preparing' && ready !== null ? [texts.ready[ready]] : []),
  ...(status === 'playing' && scoreSubmitted ? [texts.scoreSubmitted] : []),
];

/** How a round ended. */
export function roundText(
  { winnerGuid, damage, void: isVoid }: Pick<RoundView, 'winnerGuid' | 'damage' | 'void'>,
  match: Players,
): string {
  if (isVoid) return texts.round.void;
  return winnerGuid === null
    ? texts.round.equal
    : texts.round.won(nameIn(match, winnerGuid), percent(damage));
}

/** How a match ended; '' while it runs. */
export function resultText({ result, players }: Pick<PublicMatch, 'result' | 'players'>): string {
  if (result === null) return '';
  const reason = texts.reasons[result.reason];
  if (result.outcome === 'decided') return texts.wins(nameIn({ players }, result.winnerGuid), reason);
  return result.outcome === 'draw' ? texts.draw(reason) : texts.noContest(reason);
}

/** Minutes and seconds: `4:07`. */
export const clockTime = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
