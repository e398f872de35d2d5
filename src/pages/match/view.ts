import { type ComponentChildren, h } from 'preact';
import type { PublicMatch } from '../../domains/matches/index.ts';
import { Freshness } from '../parts/freshness.ts';
import { nowText, resultText } from '../parts/match-text.ts';
import { plain } from '../parts/text.ts';
import { Time } from '../parts/time.ts';
import { strings } from '../strings.ts';
import { BoardView } from './board-view.ts';
import type { MatchModel } from './model.ts';
import { Result, Rounds } from './rounds.ts';
import { Proof, Story } from './story-view.ts';

const texts = strings.match;

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

/** Says to a screen reader what goes on while the match is followed, then its result. It has no clock, so it changes with the phase alone. */
const Announced = ({ match, connection }: MatchModel) =>
  h(
    'p',
    { class: 'unseen', role: 'status', 'data-announced': '' },
    connection === 'opening' ? '' : match.live === null ? resultText(match) : nowText(match.live, match),
  );

/** The page of a match, drawn from one model on the server and in the browser. */
export function MatchView({ model }: { model: MatchModel }) {
  const { match } = model;
  return h(
    'div',
    { class: 'match' },
    h(Heading, { match }),
    h(About, { match }),
    match.endedAt === null && h(Freshness, model),
    h(Announced, model),
    h(Result, { match }),
    h(BoardView, { model }),
    match.endedAt !== null && h(Story, { model }),
    h(Rounds, { model }),
    match.endedAt !== null && h(Proof, { model }),
  );
}
