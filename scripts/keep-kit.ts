import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CSHARP_KIT } from '../src/platform/documents/csharp-kit.ts';

/**
 * `node scripts/keep-kit.ts <version>` keeps the C# kit as it is now, with the driver of its tests: plugins made of it are
 * out there for years, and play against every later service in `npm test`.
 */

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Say the version of the service that this kit is released with, such as 1.4.0.');
  process.exit(1);
}
const tests = path.join(import.meta.dirname, '../test/kit');
const folder = path.join(tests, 'kept', version);
await mkdir(folder, { recursive: true });
await writeFile(path.join(folder, 'MatchService.cs'), CSHARP_KIT.client);
await copyFile(path.join(tests, 'Driver.cs'), path.join(folder, 'Driver.cs'));
console.log(`Kept in ${path.relative(process.cwd(), folder)}.`);
