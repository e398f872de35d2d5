import { createReadStream } from 'node:fs';
import { createService } from '../../src/domains/releases/service.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createServiceClock } from '../../src/platform/service-clock.ts';
import { openStorage } from '../../src/platform/storage/storage.ts';

/**
 * A process that publishes a file as the service does, without the rest of the service, which takes ten times longer to
 * load: `node uploading.ts FILE GAME_VERSION PLUGIN_VERSION`, with the variables of the service.
 */

const [file = '', gameVersion = '', pluginVersion = ''] = process.argv.slice(2);
const { DATABASE_URL = '', STORAGE_DIR = '', BASE_URL = '' } = process.env;

const releases = createService({
  config: { baseUrl: BASE_URL, pluginVersions: undefined, maintenance: false, releasePublicKeys: [] },
  database: openDatabase({ url: DATABASE_URL }),
  storage: await openStorage({ directory: STORAGE_DIR }),
  clock: createServiceClock(),
  isDraining: () => false,
});
await releases.publish({ gameVersion, pluginVersion, body: createReadStream(file), requireClient: () => {} });
