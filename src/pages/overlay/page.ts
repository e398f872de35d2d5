import { h } from 'preact';
import { headingOf } from '../match/view.ts';
import { guidOf, type Page } from '../page.ts';
import type { PageServices } from '../services.ts';
import { OverlayView } from './view.ts';

/** A match as a layer of a broadcast: transparent, 1920 × 1080, `?layout=bar` (the default) or `full`. */
export const overlayPage = ({ matches }: PageServices): Page => ({
  path: '/overlay/:matchGuid',
  query: ['layout'],
  reads: ['Match', 'Player', 'Pool', 'PoolMap', 'Queue', 'Replay', 'Season'],
  scripts: ['overlay/browser.ts'],
  isBare: true,
  load: async ({ params, query }) => {
    const { match } = await matches.read(guidOf(params.matchGuid));
    const layout = query.layout === 'full' ? 'full' : 'bar';
    const model = { match, now: null, connection: 'opening', layout } as const;
    return {
      title: headingOf(match),
      content: h(
        'div',
        { id: 'overlay', 'data-match': match.matchGuid, 'data-layout': layout },
        h(OverlayView, { model }),
      ),
    };
  },
});
