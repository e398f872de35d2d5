import { isGuid } from '../../platform/clock.ts';
import { releaseErrors } from '../releases/index.ts';
import { createFiles } from './files.ts';
import type { ReplaysOptions } from './options.ts';
import { createPublishing } from './publishing.ts';
import { createReviews } from './reviews.ts';

export type Replays = ReturnType<typeof createService>;

/** Replays of rounds: published by their players, verified, shown, and reviewed by staff. */
export function createService(options: ReplaysOptions) {
  const { matches, requireAccepted } = options;
  const files = createFiles(options);
  return {
    /**
     * Whether a plugin of this version may publish a replay of this match: an accepted version, or the one the
     * player began the match with.
     * @param version of the plugin; undefined: it sent none
     * @throws PLUGIN_VERSION_NOT_ACCEPTED
     */
    requirePlugin: async (playerGuid: string, matchGuid: string, version: string | undefined) => {
      if (!version)
        throw releaseErrors.PLUGIN_VERSION_NOT_ACCEPTED({
          message: 'The plugin has to send its version: X-Service-Plugin-Version.',
        });
      await requireAccepted(version, null).catch(async (refusal: unknown) => {
        const played = isGuid(matchGuid) ? await matches.playedVersions(matchGuid, playerGuid) : null;
        if (played === null) throw refusal;
        await requireAccepted(version, played.pluginVersion);
      });
    },
    publish: createPublishing({ ...options, files }),
    ...files,
    ...createReviews({ ...options, files }),
  };
}
