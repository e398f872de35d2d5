import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStorage } from '../../src/platform/storage/storage.ts';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A storage in a folder of its own, which goes with the process. */
export async function temporaryStorage() {
  const directory = mkdtempSync(path.join(tmpdir(), 'storage-'));
  folders.push(directory);
  return openStorage({ directory });
}
