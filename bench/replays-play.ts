import type { PoolMap } from '../src/domains/pools/index.ts';
import { type Play, type PlayOptions, playMap } from '../src/local/play.ts';

const MIB = 1024 * 1024;
const FRAME_BYTES = 92;
const FRAMES_A_SECOND = 30;

/** A long, dense map: 1,600 notes. */
export const benchMap: PoolMap = {
  mapGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11',
  key: '1abc',
  hash: 'AB'.repeat(20),
  name: 'A map',
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  categoryGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b12',
  modifiers: [],
  durationSeconds: 1000,
  maxScore: 4715 + 920 * 1587,
  coverUrl: null,
  stale: false,
  addedAt: '2026-01-01T00:00:00.000Z',
};

/** A play of a map whose replay has about so many MiB. */
export const benchPlay = (mib: number, options: Partial<PlayOptions> = {}): Play =>
  playMap({
    map: { ...benchMap, durationSeconds: Math.round((mib * MIB) / FRAME_BYTES / FRAMES_A_SECOND) },
    player: { platformId: '1', name: 'Somebody' },
    accuracy: 0.95,
    seed: 'bench',
    startedAt: 0,
    gameVersion: '1.40.0_1',
    ...options,
  });
