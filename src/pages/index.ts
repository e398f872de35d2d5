import type { PageRefusals } from '../platform/http/errors.ts';
import type { Http } from '../platform/http/server.ts';
import { serveAssets } from './assets.ts';
import { type Bundle, styleOf } from './bundle.ts';
import { homePage } from './home/page.ts';
import { ladderPage } from './ladder/page.ts';
import type { LayoutOptions } from './layout.ts';
import { matchPage } from './match/page.ts';
import { mePage } from './me/page.ts';
import { overlayPage } from './overlay/page.ts';
import { servePages } from './page.ts';
import { playerPage } from './player/page.ts';
import { poolPage } from './pool/page.ts';
import { servePreviews } from './previews/index.ts';
import { createRefusalPage } from './refusals.ts';
import type { PageServices } from './services.ts';
import { staffPages } from './staff/page.ts';
import { strings } from './strings.ts';

export { type Bundle, readBundle, styleOf } from './bundle.ts';
export type { PageServices } from './services.ts';

/** Where pages of things are. */
const OWN = /^\/(ladder|player|match|pool|overlay|staff)\//;

/** The look of pages that are drawn elsewhere. */
export const pageLookOf = (bundle: Bundle) => ({ style: styleOf(bundle), site: strings.site });

/** How refusals look to people. */
export const pageRefusals = (options: LayoutOptions): PageRefusals => ({
  render: createRefusalPage(options),
  owns: (url) => OWN.test(url),
});

/** The pages for people. They are registered before the guard: no credentials are looked at. */
export function createPages({ bundle, ...services }: PageServices & LayoutOptions) {
  const pages = [
    homePage(services),
    ladderPage(services),
    playerPage(services),
    poolPage(services),
    mePage(services),
    ...staffPages(services),
    matchPage(services),
    overlayPage(services),
  ];
  return {
    routes: (http: Http): void => {
      serveAssets(http, bundle);
      servePreviews(http, services);
      servePages(http, pages, { bundle, baseUrl: services.baseUrl });
    },
  };
}
