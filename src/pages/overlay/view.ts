import { h } from 'preact';
import type { PublicMatch } from '../../domains/matches/index.ts';
import type { Connection } from '../follow.ts';
import { type Board, type BoardSeat, boardOf } from '../match/board.ts';
import { HealthBar } from '../parts/health-bar.ts';
import { clockTime, nowText, percent, resultText, roundText } from '../parts/match-text.ts';
import { Portrait } from '../parts/portrait.ts';
import { plain } from '../parts/text.ts';
import { strings } from '../strings.ts';

const texts = strings.match;

export interface OverlayModel {
  match: PublicMatch;
  /** The server's time, milliseconds since 1970; null before the first event. */
  now: number | null;
  connection: Connection;
  layout: 'bar' | 'full';
}

const Seat = ({ seat, color }: { seat: BoardSeat; color: string }) =>
  h(
    'div',
    { class: `overlay-seat ${color}` },
    h(Portrait, { guid: seat.playerGuid }),
    h('p', { class: 'overlay-name' }, h('bdi', null, plain(seat.username, 40))),
    h(HealthBar, { health: seat.health, label: texts.health(percent(seat.health)) }),
    h('p', { class: 'overlay-note' }, seat.presence === 'present' ? '' : texts.presence[seat.presence]),
  );

/** The longest name in a sentence, in characters: so the end of the sentence is in sight also with wide letters. */
const LONGEST_NAME = 16;

const withShortNames = (match: PublicMatch): PublicMatch => ({
  ...match,
  players: match.players.map((player) => ({
    ...player,
    username: plain(player.username, LONGEST_NAME, texts.somebody),
  })),
});

/** The state of the match: as many lines as there is room for beside the clock. */
function Middle({ model: { match, now, connection }, board }: { model: OverlayModel; board: Board }) {
  const { status, currentMap, deadlineAt, startsAt } = board;
  const limit = status === 'preparing' && startsAt !== null ? startsAt : deadlineAt;
  const sentence = match.result === null ? nowText(board, match) : resultText(match);
  const leftMs = now === null || limit === null || match.endedAt !== null ? null : Date.parse(limit) - now;
  return h(
    'div',
    { class: 'overlay-middle', role: 'status' },
    h(
      'p',
      { class: leftMs === null ? 'overlay-three' : 'overlay-two' },
      currentMap === null ? sentence : h('bdi', null, plain(currentMap.name)),
    ),
    leftMs !== null && h('p', { class: 'overlay-clock', role: 'timer' }, clockTime(leftMs + 999)),
    connection === 'old' && h('p', { class: 'overlay-old' }, strings.overlay.old),
  );
}

const RoundLine = ({ round, match }: { round: Board['rounds'][number]; match: PublicMatch }) =>
  h(
    'li',
    null,
    h('span', null, texts.round.name(round.roundNumber)),
    h('bdi', { class: 'overlay-map' }, plain(round.map.name)),
    round.scores.map((score, index) =>
      h(
        'span',
        { key: score.playerGuid, class: index === 0 ? 'red' : 'blue' },
        score.submitted ? percent(score.accuracy) : texts.round.missing,
      ),
    ),
    h('span', { class: 'overlay-outcome' }, roundText(round, match)),
  );

export function OverlayView({ model }: { model: OverlayModel }) {
  const { layout } = model;
  const board = boardOf(model.match);
  const match = withShortNames(model.match);
  const [red, blue] = board.seats;
  return h(
    'div',
    { class: `overlay ${layout}` },
    h('h1', { class: 'unseen' }, strings.overlay.title),
    h(
      'div',
      { class: 'overlay-bar' },
      red && h(Seat, { seat: red, color: 'red' }),
      h(Middle, { model: { ...model, match }, board }),
      blue && h(Seat, { seat: blue, color: 'blue' }),
    ),
    layout === 'full' &&
      h(
        'ol',
        { class: 'overlay-rounds' },
        board.rounds.map((round) => h(RoundLine, { key: round.roundNumber, round, match })),
      ),
  );
}
