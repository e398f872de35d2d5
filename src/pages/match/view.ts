import { type ComponentChildren, h } from 'preact';
import type { PublicMatch, RoundView } from '../../domains/matches/index.ts';
import type { Check } from '../../domains/matches/proof.ts';
import type { Connection } from '../follow.ts';
import { Cover } from '../parts/cover.ts';
import { Freshness } from '../parts/freshness.ts';
import { HealthBar } from '../parts/health-bar.ts';
import { Portrait } from '../parts/portrait.ts';
import { plain } from '../parts/text.ts';
import { Time } from '../parts/time.ts';
import { strings } from '../strings.ts';
import type { Board, BoardSeat } from './board.ts';
import { clockTime, nameIn, percent, resultText, roundText, type StoryLine } from './story.ts';

/** The page of a match, drawn from one model on the server and in the browser. */

const texts = strings.match;

export interface MatchModel {
  match: PublicMatch;
  board: Board;
  /** The server's time, milliseconds since 1970; null where it is not known: on a kept page. */
  now: number | null;
  connection: Connection;
  /** Since when the connection is as it is; of the visitor's clock. */
  since: number;
  /** Null while the match runs, or when its log cannot be read. */
  story: readonly StoryLine[] | null;
  /** The version that the board shows; null: the slider is not there. */
  shown: number | null;
  proof: ProofModel;
  onSlide?(version: number): void;
  onProveAgain?(): void;
}

export interface ProofModel {
  state: 'running' | 'ok' | 'broken';
  checks: readonly Check[];
  isUnreachable: boolean;
}

const SEAT_NAMES = ['red', 'blue'] as const;

const Player = ({ playerGuid, username }: { playerGuid: string; username: string }) =>
  h('a', { href: `player/${playerGuid}` }, h('bdi', null, plain(username)));

const MapLine = ({ map }: { map: RoundView['map'] }) =>
  h(
    'div',
    { class: 'map' },
    map.coverUrl !== null && h(Cover, { hash: map.hash }),
    h(
      'div',
      null,
      h('bdi', { class: 'map-name' }, plain(map.name)),
      h('span', { class: 'quiet' }, [map.characteristic, map.difficulty, ...map.modifiers].join(' · ')),
    ),
  );

function seatNotes(
  { presence, ready, discarded, scoreSubmitted }: BoardSeat,
  status: Board['status'],
): string[] {
  return [
    ...(presence === 'present' ? [] : [texts.presence[presence]]),
    ...(status === 'awaiting_discards' && discarded ? [texts.discarded] : []),
    ...(status === 'preparing' && ready !== null ? [texts.ready[ready]] : []),
    ...(status === 'playing' && scoreSubmitted ? [texts.scoreSubmitted] : []),
  ];
}

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
  const color = SEAT_NAMES[index] ?? 'red';
  const notes = seatNotes(seat, board.status);
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

function Phase({ model: { board, match, now } }: { model: MatchModel }) {
  const { status, pickerGuid, currentMap, startsAt, deadlineAt } = board;
  const isCounting = status === 'preparing' && startsAt !== null;
  return h(
    'section',
    { class: 'phase' },
    h(
      'p',
      { class: 'status' },
      status === 'awaiting_pick' && pickerGuid !== null
        ? texts.picking(nameIn(match, pickerGuid))
        : texts.status[status],
    ),
    currentMap !== null && h(MapLine, { map: currentMap }),
    match.endedAt === null &&
      (isCounting
        ? h(Countdown, { label: texts.startsIn, at: startsAt, now })
        : deadlineAt !== null && h(Countdown, { label: texts.remaining, at: deadlineAt, now })),
  );
}

const Score = ({ score }: { score: RoundView['scores'][number] }) =>
  h(
    'span',
    null,
    score.submitted ? percent(score.accuracy) : texts.round.missing,
    score.failed && ` (${texts.round.failed})`,
  );

const Rounds = ({ model: { board, match } }: { model: MatchModel }) =>
  h(
    'section',
    null,
    h('h2', null, texts.rounds),
    board.rounds.length === 0
      ? h('p', { class: 'quiet' }, texts.noRounds)
      : h(
          'ol',
          { class: 'rounds' },
          board.rounds.map((round) =>
            h(
              'li',
              { key: round.roundNumber },
              h('h3', null, texts.round.name(round.roundNumber)),
              h(MapLine, { map: round.map }),
              h('p', { class: 'quiet' }, texts.round.pickedBy(nameIn(match, round.pickerGuid))),
              h(
                'dl',
                { class: 'scores' },
                round.scores.map((score, index) =>
                  h(
                    'div',
                    { key: score.playerGuid, class: SEAT_NAMES[index] },
                    h('dt', null, h('bdi', null, nameIn(match, score.playerGuid))),
                    h('dd', null, h(Score, { score })),
                  ),
                ),
              ),
              h('p', null, roundText(round, match)),
            ),
          ),
        ),
  );

function Result({ match }: { match: PublicMatch }) {
  const { result } = match;
  if (result === null) return null;
  return h(
    'section',
    { class: 'result' },
    h('h2', null, texts.result),
    h('p', { class: 'outcome' }, resultText(match)),
    result.ratings.length > 0 &&
      h(
        'dl',
        { class: 'ratings' },
        result.ratings.map(({ playerGuid, before, after }) =>
          h(
            'div',
            { key: playerGuid },
            h('dt', null, h('bdi', null, nameIn(match, playerGuid))),
            h('dd', null, texts.change(before, after)),
          ),
        ),
      ),
  );
}

/** The slider moves the board; without script every version is a line to read. */
function Story({ model: { story, shown, onSlide } }: { model: MatchModel }) {
  if (story === null)
    return h('section', null, h('h2', null, texts.story.title), h('p', null, texts.story.noStory));
  const last = story.length;
  const line = story.find(({ version }) => version === shown);
  return h(
    'section',
    { class: 'story' },
    h('h2', null, texts.story.title),
    shown !== null &&
      h(
        'div',
        { class: 'slider' },
        h('label', { for: 'version' }, texts.story.slider),
        h('input', {
          id: 'version',
          type: 'range',
          min: 1,
          max: last,
          step: 1,
          value: shown,
          'aria-valuetext': `${texts.story.position(shown, last)}. ${line?.text ?? ''}`,
          onInput: (event: Event) => onSlide?.(Number((event.currentTarget as HTMLInputElement).value)),
        }),
        h('p', { class: 'quiet' }, texts.story.position(shown, last)),
        h('p', { class: 'shown-line' }, line?.text),
      ),
    h(
      'ol',
      { class: 'lines', tabIndex: 0, 'aria-label': texts.story.title },
      story.map(({ version, afterMs, text }) =>
        h(
          'li',
          { key: version, 'aria-current': version === shown ? 'step' : undefined },
          h('span', { class: 'quiet' }, clockTime(afterMs)),
          ' ',
          text,
        ),
      ),
    ),
  );
}

function Proof({ model: { match, proof, onProveAgain } }: { model: MatchModel }) {
  const { state, checks, isUnreachable } = proof;
  return h(
    'section',
    { class: 'proof' },
    h('h2', null, texts.proof.title),
    h(
      'p',
      { 'data-proof': state, role: 'status' },
      isUnreachable ? texts.proof.unreachable : texts.proof[state],
    ),
    h('noscript', null, h('p', null, texts.proof.noScript)),
    isUnreachable && h('button', { type: 'button', onClick: onProveAgain }, texts.proof.again),
    checks.length > 0 &&
      h(
        'ul',
        { class: 'checks' },
        checks.map(({ claim, problem }) =>
          h(
            'li',
            { key: claim, class: problem === null ? 'holds' : 'fails' },
            h('strong', null, problem === null ? texts.proof.holds : texts.proof.fails),
            `: ${claim}.`,
            problem !== null && h('span', { class: 'problem' }, ` ${problem}`),
          ),
        ),
      ),
    h('p', null, h('a', { href: `matches/${match.matchGuid}/log` }, texts.proof.log)),
  );
}

const About = ({ match }: { match: PublicMatch }) =>
  h(
    'p',
    { class: 'quiet' },
    h('a', { href: `ladder/${match.queueGuid}` }, h('bdi', null, plain(match.queueName))),
    ', ',
    h('a', { href: `pool/${match.poolGuid}` }, h('bdi', null, plain(match.poolName))),
    ', ',
    h('bdi', null, plain(match.seasonName)),
    `, ${match.rated ? texts.rated : texts.unrated}, ${texts.started} `,
    h(Time, { at: match.startedAt }),
    match.endedAt !== null && [`, ${texts.ended} `, h(Time, { at: match.endedAt })],
  );

/** One line without characters that change the direction of what follows; for titles, which have no elements. */
export const headingOf = ({ players: [red, blue] }: PublicMatch): string =>
  red && blue ? texts.title(plain(red.username, 30), plain(blue.username, 30)) : texts.hidden;

function Heading({ match: { players } }: { match: PublicMatch }): ComponentChildren {
  const [red, blue] = players;
  if (red === undefined || blue === undefined) return h('h1', null, texts.hidden);
  return h(
    'h1',
    null,
    h('bdi', null, plain(red.username)),
    ` ${texts.versus} `,
    h('bdi', null, plain(blue.username)),
  );
}

export function MatchView({ model }: { model: MatchModel }) {
  const { match, board } = model;
  const isHidden = board.seats.length === 0;
  return h(
    'div',
    { class: 'match' },
    h(Heading, { match }),
    h(About, { match }),
    match.endedAt === null && h(Freshness, model),
    h(Result, { match }),
    h(
      'div',
      { class: 'board' },
      isHidden && match.endedAt === null
        ? h('p', null, texts.hiddenText)
        : board.seats.map((seat, index) => h(SeatView, { key: seat.playerGuid, seat, index, model })),
      h(Phase, { model }),
    ),
    match.endedAt !== null && h(Story, { model }),
    h(Rounds, { model }),
    match.endedAt !== null && h(Proof, { model }),
  );
}
