import { createHash } from 'node:crypto';
import { readReplay } from '../src/domains/replays/index.ts';
import { type Verification, verify } from '../src/domains/replays/verdict.ts';
import type { Variants } from './own-process.ts';
import { benchMap, benchPlay } from './replays-play.ts';

/** The same bytes read and verified, and only hashed. */

export const HASHED = 'SHA-256';
export const VERIFIED = 'read, recounted and verified';

export const variants: Variants = {
  [HASHED]: () => {
    const { replay } = benchPlay(3);
    const known = createHash('sha256').update(replay).digest('hex');
    return {
      run: () => createHash('sha256').update(replay).digest('hex'),
      check: (hash: string) => {
        if (hash !== known) throw new Error('Another hash.');
      },
    };
  },
  [VERIFIED]: () => {
    const play = benchPlay(3);
    const { replay, ...counted } = play;
    const score = { ...counted, modifiedScore: play.rawScore, noFailTriggered: false, failed: false };
    const performance = {
      map: benchMap,
      score,
      startedAt: 0,
      overAt: 1e6,
      platformId: '1',
      gameVersions: ['1.40.0'],
    };
    return {
      run: () => verify(performance, readReplay(replay)),
      check: ({ verdict, checks }: Verification) => {
        if (verdict !== 'verified') throw new Error(`The checks: ${JSON.stringify(checks)}.`);
      },
    };
  },
};
