import { h } from 'preact';
import type { Page } from '../page.ts';
import { Time } from '../parts/time.ts';
import type { PageServices } from '../services.ts';
import { strings } from '../strings.ts';

const texts = strings.home;

/** The season that runs now, or null. */
async function currentSeason({ seasons, clock }: PageServices) {
  const now = clock.now();
  const { items } = await seasons.list({ limit: 10 });
  return (
    items.find(({ startsAt, endsAt }) => Date.parse(startsAt) <= now && now < Date.parse(endsAt)) ?? null
  );
}

/** What is going on right now. */
export const homePage = (services: PageServices): Page => ({
  path: '/',
  reads: ['Season', 'Queue', 'QueueEntry', 'Pool', 'Match'],
  load: async () => {
    const [season, queues] = await Promise.all([
      currentSeason(services),
      services.queues.list({ limit: 20 }, false),
    ]);
    return {
      title: texts.title,
      validUntil: season && Date.parse(season.endsAt),
      content: [
        h('h1', null, strings.site),
        season === null
          ? h('p', null, texts.noSeason)
          : h('p', null, texts.season(season.name), ', ', texts.until, ' ', h(Time, { at: season.endsAt })),
        h('h2', null, texts.queues),
        queues.items.length === 0
          ? h('p', null, texts.noQueues)
          : h(
              'ul',
              null,
              queues.items.map(({ queueGuid, name, waiting }) =>
                h('li', { key: queueGuid }, h('bdi', null, name), ': ', texts.waiting(waiting)),
              ),
            ),
      ],
    };
  },
});
