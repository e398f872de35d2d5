import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A small file system. */
export interface SmallDisk {
  folder: string;
  unmount(): Promise<void>;
}

/** Mounts a file system of this many bytes; null where that is not allowed. */
export async function mountSmallDisk(bytes: number): Promise<SmallDisk | null> {
  const folder = await mkdtemp(path.join(tmpdir(), 'small-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  const remove = () => rm(folder, { recursive: true, force: true });
  if (status !== 0) {
    await remove();
    return null;
  }
  return {
    folder,
    unmount: async () => {
      spawnSync('umount', ['--lazy', folder]);
      await remove();
    },
  };
}
