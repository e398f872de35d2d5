import { h } from 'preact';
import { type Matches, type MatchLog, playLog } from '../../domains/matches/index.ts';
import { guidOf, type Page } from '../page.ts';
import type { PageServices } from '../services.ts';
import { strings } from '../strings.ts';
import { boardOf } from './board.ts';
import { type StoryLine, storyOf } from './story.ts';
import { headingOf, MatchView } from './view.ts';

type ReadMatch = Awaited<ReturnType<Matches['read']>>['match'];

/** The story of an ended match; null when its log cannot be read by this node. */
async function readStory(matches: Pick<Matches, 'log'>, match: ReadMatch): Promise<StoryLine[] | null> {
  if (match.endedAt === null) return null;
  const log = await matches.log(match.matchGuid, null).catch((): MatchLog | null => null);
  return log && storyOf(playLog(log), match);
}

/** A match: as it stands while it runs; its story and its proof once it has ended. */
export const matchPage = ({ matches, reports }: PageServices): Page => ({
  path: '/match/:matchGuid',
  reads: [
    'Match',
    'MatchArchive',
    'MatchEvent',
    'FormerRatingChange',
    'Player',
    'Pool',
    'PoolMap',
    'Queue',
    'Replay',
    'Season',
  ],
  scripts: ['match/browser.ts'],
  load: async ({ params }) => {
    const { match } = await matches.read(guidOf(params.matchGuid));
    const story = await readStory(matches, match);
    const model = {
      match,
      board: boardOf(match),
      now: null,
      connection: 'opening' as const,
      since: 0,
      story,
      shown: null,
      proof: { state: 'running' as const, checks: [], isUnreachable: false },
    };
    return {
      title: headingOf(match),
      description: strings.match.description(match.queueName, match.endedAt !== null),
      ...(match.endedAt !== null && { preview: `/match/${match.matchGuid}/preview.png` }),
      content: [
        h('div', { id: 'match', 'data-match': match.matchGuid }, h(MatchView, { model })),
        h('div', {
          id: 'report',
          'data-until': match.endedAt && reports.takenUntil(Date.parse(match.endedAt)),
        }),
      ],
    };
  },
});
