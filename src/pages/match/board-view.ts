import { h } from 'preact';
import { SEATS } from '../../domains/matches/state.ts';
import { HealthBar } from '../parts/health-bar.ts';
import { clockTime, doneTexts, nowText, percent } from '../parts/match-text.ts';
import type { NamedPlayer } from '../parts/name.ts';
import { Portrait } from '../parts/portrait.ts';
import { plain } from '../parts/text.ts';
import { Time } from '../parts/time.ts';
import { strings } from '../strings.ts';
import type { BoardSeat } from './board.ts';
import { MapLine } from './map-line.ts';
import type { MatchModel } from './model.ts';

const texts = strings.match;

const Player = ({ playerGuid, username }: NamedPlayer) =>
  h('a', { href: `player/${playerGuid}` }, h('bdi', null, plain(username)));

/** The cards of a hand: their backs while they are hidden. */
const Hand = ({ handSize, cards }: BoardSeat) =>
  cards === null
    ? h(
        'div',
        { class: 'hand', role: 'img', 'aria-label': texts.hand(handSize) },
        Array.from({ length: handSize }, (_, index) => h('span', { class: 'card', key: index })),
      )
    : h(
        'ul',
        { class: 'hand-open', 'aria-label': texts.hand(handSize) },
        cards.map(({ mapGuid, name }) => h('li', { key: mapGuid }, h('bdi', null, plain(name)))),
      );

const SeatView = ({ seat, index, model }: { seat: BoardSeat; index: number; model: MatchModel }) => {
  const { board, match } = model;
  const color = SEATS[index] ?? 'red';
  const notes = [
    ...(seat.presence === 'present' ? [] : [texts.presence[seat.presence]]),
    ...doneTexts(seat, board.status),
  ];
  return h(
    'section',
    { class: `seat ${color}`, 'aria-label': `${texts[color]}: ${plain(seat.username)}` },
    h(Portrait, { guid: seat.playerGuid }),
    h(
      'p',
      { class: 'seat-name' },
      h(Player, seat),
      seat.rating !== null &&
        h('span', { class: 'quiet' }, ` ${texts.rating(seat.rating, seat.provisional)}`),
    ),
    h(HealthBar, { health: seat.health, label: texts.health(percent(seat.health)) }),
    match.endedAt === null || seat.cards !== null ? h(Hand, seat) : null,
    notes.length > 0 && h('p', { class: 'notes' }, notes.join(', ')),
    seat.progress !== null &&
      h('progress', { value: seat.progress, max: 1, 'aria-label': texts.ready.downloading }),
  );
};

/** The time until an instant by the server's clock; without that clock the instant itself. */
const Countdown = ({ label, at, now }: { label: string; at: string; now: number | null }) =>
  h(
    'p',
    { class: 'countdown' },
    `${label}: `,
    now === null ? h(Time, { at }) : h('span', { role: 'timer' }, clockTime(Date.parse(at) - now + 999)),
  );

/** The current phase: the task of both players and the time left. */
function Phase({ model: { board, match, now } }: { model: MatchModel }) {
  const { status, currentMap, startsAt, deadlineAt } = board;
  const isCounting = status === 'preparing' && startsAt !== null;
  return h(
    'section',
    { class: 'phase' },
    h('p', { class: 'status' }, nowText(board, match)),
    currentMap !== null && h(MapLine, { map: currentMap }),
    match.endedAt === null &&
      (isCounting
        ? h(Countdown, { label: texts.startsIn, at: startsAt, now })
        : deadlineAt !== null && h(Countdown, { label: texts.remaining, at: deadlineAt, now })),
  );
}

/** Both players, and what happens now. */
export const BoardView = ({ model }: { model: MatchModel }) =>
  h(
    'div',
    { class: 'board' },
    model.board.seats.length === 0 && model.match.endedAt === null
      ? h('p', null, texts.hiddenText)
      : model.board.seats.map((seat, index) => h(SeatView, { key: seat.playerGuid, seat, index, model })),
    h(Phase, { model }),
  );
