import { h } from 'preact';
import { guidOf, type Page } from '../page.ts';
import { plain } from '../parts/text.ts';
import type { PageServices } from '../services.ts';
import { strings } from '../strings.ts';
import { PoolView } from './view.ts';

/** A pool that is or was published: its maps by category, and how they are played. */
export const poolPage = ({ pools, matches }: PageServices): Page => ({
  path: '/pool/:poolGuid',
  reads: ['MapCategory', 'MapGap', 'MapUsage', 'Pool', 'PoolMap', 'Season'],
  load: async ({ params }) => {
    const poolGuid = guidOf(params.poolGuid);
    const { name, status, season, categories, maps } = await pools.getWithMaps(poolGuid, false);
    const [{ oneClickUrl }, statistics] = await Promise.all([
      pools.get(poolGuid, false),
      matches.statisticsOf(poolGuid, false),
    ]);
    const title = plain(name, 60, strings.nameless);
    return {
      title,
      description: strings.pool.description(title, maps.length),
      preview: `/pool/${poolGuid}/preview.png`,
      content: h(PoolView, {
        poolGuid,
        name,
        status,
        seasonName: season.name,
        categories,
        maps,
        usage: statistics.maps,
        oneClickUrl,
      }),
    };
  },
});
