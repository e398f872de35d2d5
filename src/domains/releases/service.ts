import { type CatalogueOptions, createCatalogue } from './catalogue.ts';
import { createPublishing, type PublishingOptions } from './publishing.ts';

export type ReleasesOptions = CatalogueOptions & Omit<PublishingOptions, 'catalogue'>;

export type Releases = ReturnType<typeof createService>;

/** Plugin releases, and the plugin versions that may play. */
export function createService(options: ReleasesOptions) {
  const catalogue = createCatalogue(options);
  return { ...catalogue, ...createPublishing({ ...options, catalogue }) };
}
