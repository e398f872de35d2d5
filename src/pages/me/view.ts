import { h } from 'preact';
import type { createStanding } from '../../domains/standing/index.ts';
import { Name, type NamedPlayer, PlayerLink } from '../parts/name.ts';
import { plain } from '../parts/text.ts';
import { Time } from '../parts/time.ts';
import { strings } from '../strings.ts';
import { PersonalData } from './data.ts';

const texts = strings.me;

/** The answer of `GET /auth/me/standing`. */
export type Standing = Awaited<ReturnType<ReturnType<typeof createStanding>['of']>>;

/** The text for a value of the API; an unknown value as it is. */
const worded = (words: Readonly<Record<string, string>>, word: string): string => words[word] ?? word;

const Held = ({ penalty, bans, replays }: Standing) => [
  penalty === null && bans.length === 0 && h('p', null, texts.good),
  penalty !== null &&
    h(
      'p',
      null,
      texts.penalty(worded(texts.penaltyReasons, penalty.reason)),
      ' ',
      h(Time, { at: penalty.until }),
      '.',
    ),
  bans.map(({ reason, until }, index) =>
    h(
      'p',
      { key: index },
      texts.ban(plain(reason, 500)),
      ' ',
      until === null ? texts.banForGood : [texts.banUntil, ' ', h(Time, { at: until }), '.'],
    ),
  ),
  replays.length > 0 && [
    h('h2', null, texts.reviews),
    h(
      'ul',
      null,
      replays.map(({ replayGuid, matchGuid, roundNumber }) =>
        h('li', { key: replayGuid }, h('a', { href: `match/${matchGuid}` }, texts.review(roundNumber))),
      ),
    ),
  ],
];

const Reports = ({ reports }: Pick<Standing, 'reports'>) =>
  reports.length === 0
    ? h('p', null, texts.noReports)
    : h(
        'ul',
        { class: 'matches' },
        reports.map(({ reportGuid, matchGuid, reason, comment, status, at }) =>
          h(
            'li',
            { key: reportGuid },
            h('a', { href: `match/${matchGuid}` }, texts.match),
            ': ',
            worded(texts.reportReasons, reason),
            ' · ',
            h('strong', null, worded(texts.reportStatus, status)),
            ' · ',
            h(Time, { at }),
            comment !== null && h('p', { class: 'quiet' }, h(Name, { text: comment, most: 500 })),
          ),
        ),
      );

interface MeProps {
  me: NamedPlayer;
  standing: Standing;
}

export const MeView = ({ me, standing }: MeProps) =>
  h(
    'div',
    null,
    h('p', null, h(PlayerLink, { player: me })),
    h('h2', null, texts.standing),
    h(Held, standing),
    h('h2', null, texts.reports),
    h(Reports, standing),
    h(PersonalData, { me }),
  );
