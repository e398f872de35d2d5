import { readFileSync } from 'node:fs';
import path from 'node:path';
import { tagAnswer } from '../../platform/http/etag.ts';
import { PAGE_LIMIT } from '../../platform/http/limits.ts';
import type { Http } from '../../platform/http/server.ts';
import { guidOf } from '../page.ts';
import type { PageServices } from '../services.ts';
import { createDrawing } from './drawing.ts';
import { matchPreview } from './match.ts';
import { poolPreview } from './pool.ts';

/** Clients ask again soon for a picture that cannot be drawn now. */
const A_MINUTE = 'public, max-age=60';
/** Staff may correct a result and rename a season. */
const AN_HOUR = 'public, max-age=3600';

/** Serves the pictures that other sites show with a link to a match that has ended, or to a pool. */
export function servePreviews(http: Http, { matches, pools }: Pick<PageServices, 'matches' | 'pools'>): void {
  const draw = createDrawing();
  const plainPreview = readFileSync(path.join(import.meta.dirname, '../static/preview.png'));
  /** @param svgOf of a thing; null: there is no picture of it yet. @throws ServiceError when there is no such thing */
  const serve = (kind: 'match' | 'pool', svgOf: (guid: string) => Promise<string | null>): void => {
    http.get(
      `/${kind}/:guid/preview.png`,
      { config: { limit: PAGE_LIMIT }, schema: { hide: true }, onSend: tagAnswer },
      async (request, reply) => {
        const svg = await svgOf(guidOf((request.params as { guid: string }).guid));
        const drawn = svg === null ? null : await draw(svg);
        return reply
          .type('image/png')
          .header('cache-control', drawn === null ? A_MINUTE : AN_HOUR)
          .send(drawn ?? plainPreview);
      },
    );
  };
  serve('match', async (matchGuid) => {
    const { match } = await matches.read(matchGuid);
    return match.endedAt === null ? null : matchPreview(match);
  });
  serve('pool', async (poolGuid) => {
    const { season, ...pool } = await pools.getWithMaps(poolGuid, false);
    return poolPreview({ ...pool, seasonName: season.name });
  });
}
