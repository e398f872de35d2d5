import { readFileSync } from 'node:fs';
import path from 'node:path';
import { tagAnswer } from '../../platform/http/etag.ts';
import { PAGE_LIMIT } from '../../platform/http/limits.ts';
import type { Http } from '../../platform/http/server.ts';
import { guidOf } from '../page.ts';
import type { PageServices } from '../services.ts';
import { createDrawing } from './drawing.ts';
import { matchPreview } from './match.ts';

/** What stands for a picture that cannot be drawn now is asked for again soon. */
const A_MINUTE = 'public, max-age=60';
/** Staff may correct a result. */
const AN_HOUR = 'public, max-age=3600';

/** Serves the picture that other sites show with a link to a match that has ended. */
export function servePreviews(http: Http, { matches }: Pick<PageServices, 'matches'>): void {
  const draw = createDrawing();
  const plainPreview = readFileSync(path.join(import.meta.dirname, '../static/preview.png'));
  http.get(
    '/match/:matchGuid/preview.png',
    { config: { limit: PAGE_LIMIT }, schema: { hide: true }, onSend: tagAnswer },
    async (request, reply) => {
      const { matchGuid } = request.params as { matchGuid: string };
      const { match } = await matches.read(guidOf(matchGuid));
      const drawn = match.endedAt === null ? null : await draw(matchPreview(match));
      return reply
        .type('image/png')
        .header('cache-control', drawn === null ? A_MINUTE : AN_HOUR)
        .send(drawn ?? plainPreview);
    },
  );
}
