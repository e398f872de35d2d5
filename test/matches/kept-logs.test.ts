import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type MatchLog, matchLog, proveMatch } from '../../src/domains/matches/index.ts';
import { hashState } from '../../src/domains/matches/proof.ts';
import { currentRules, RULEBOOK } from '../../src/domains/matches/rulebook.ts';
import { isoTime } from '../../src/platform/clock.ts';
import { nextRulebook } from '../harness/next-rules.ts';
import { Game, SECOND, START } from './game.ts';

/**
 * Logs of every version of the rules, kept for ever: whatever the code becomes, they verify. The plays below
 * record those of the present version (`vitest run -u`); once it is released its files are never written again.
 */

const FOLDER = path.join(import.meta.dirname, 'logs');

/** The log of a game as `GET /matches/{matchGuid}/log` would answer it. */
function logOf(game: Game): MatchLog {
  const { state } = game;
  const [created] = game.log;
  if (created?.event.type !== 'created') throw new Error('A log begins with what the match was made from.');
  return {
    matchGuid: state.matchGuid,
    status: state.status,
    seed: state.seed,
    seedHash: state.seedHash,
    dealt: currentRules.dealtFrom(created.event.setup),
    events: game.log.map(({ event, at }, index) => ({ version: index + 1, at: isoTime(at), event })),
    version: state.version,
    stateHash: hashState(state),
    formerRatings: [],
  } as MatchLog;
}

const plays: Record<string, () => Game> = {
  'health decides': () => {
    const game = new Game({ poolSize: 15, map: { modifiers: ['FS', 'NF'] } }).toDiscards();
    game.red.discards(0, 3);
    game.blue.discards(4);
    game.playRound(0.9, 0.7);
    game.picker.picks(2);
    game.red.says('downloading');
    game.red.isReady();
    game.blue.isReady();
    game.wait(5 * SECOND);
    game.wait(90 * SECOND);
    game.red.scores(0.8, { noFailTriggered: true });
    game.blue.scores(0.3, { failed: true });
    game.wait(6 * SECOND);
    while (game.result === null) game.playRound(0.95, 0.6);
    return game;
  },
  'cards are used up': () => {
    const game = new Game({ poolSize: 12, red: { rating: 1000 }, blue: { rating: 1000 } }).toPick();
    for (let round = 1; game.result === null && round <= 10; round++) game.playRound(0.9, 0.9);
    return game;
  },
  'lost connections, a spent budget and an absence': () => {
    const game = new Game({ poolSize: 14 }).toCountdown();
    game.wait(2 * SECOND);
    game.red.goes();
    game.wait(30 * SECOND);
    game.red.returns();
    game.wait(5 * SECOND);
    game.blue.losesNode();
    game.wait(20 * SECOND);
    game.blue.returns();
    game.finishPlay(0.8, 0.9);
    game.red.goes();
    game.wait(90 * SECOND);
    return game;
  },
  'nobody is ready': () => {
    const game = new Game({ poolSize: 14 }).toPick();
    game.voidRound();
    game.voidRound();
    return game;
  },
  'an outage, and the time it gave back': () => {
    const game = new Game({ poolSize: 14 }).toPreparing();
    game.red.says('failed');
    game.blue.isReady();
    game.blue.goes();
    game.now += 40 * SECOND;
    game.happens({ type: 'serviceResumed', outage: 1, downMs: 40 * SECOND, until: game.now });
    game.blue.returns();
    game.red.isReady();
    game.wait(5 * SECOND);
    game.finishPlay(1, 0.4);
    game.wait(6 * SECOND);
    game.blue.forfeits();
    return game;
  },
  'nobody joins': () => {
    const game = new Game({ poolSize: 10, maxDiscards: 0, blue: { connected: false } });
    game.red.joins();
    game.wait(90 * SECOND);
    return game;
  },
  'staff decide, and think again': () => {
    const game = new Game({ poolSize: 14 }).toResults(0.6, 0.9);
    game.happens({ type: 'decidedByStaff', outcome: 'decided', winner: 'red' });
    game.now += SECOND;
    game.happens({ type: 'undoneByStaff' });
    game.happens({ type: 'decidedByStaff', outcome: 'draw', winner: null });
    return game;
  },
  'a ban': () => {
    const game = new Game({ poolSize: 14 }).toPlaying();
    game.red.isBanned();
    return game;
  },
};

describe('a log of the present rules', () => {
  test.each(Object.entries(plays))('is the recorded one: %s', async (name, play) => {
    const log = logOf(play());
    expect(Date.parse(log.events[0]?.at ?? '')).toBe(START);
    const file = `${name.replaceAll(/\W+/g, '-')}.json`;
    await expect(`${JSON.stringify(log)}\n`).toMatchFileSnapshot(
      path.join(FOLDER, `version-${currentRules.version}`, file),
    );
  });
});

const kept = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.json'),
);

describe('a recorded log', () => {
  test('exists for every known version', () => {
    const folders = new Set(kept.map((file) => path.dirname(file)));
    expect([...folders].sort()).toEqual(RULEBOOK.versions.map((version) => `version-${version}`));
  });

  test.each(kept)('verifies, by this node and by one of the next version: %s', (file) => {
    const log = matchLog.parse(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')));
    const { event } = log.events[0] ?? {};
    expect(event?.type === 'created' && `version-${event.setup.rulesVersion}`).toBe(path.dirname(file));
    for (const rulebook of [RULEBOOK, nextRulebook])
      expect(proveMatch(log, { rulebook }).checks.filter(({ problem }) => problem !== null)).toEqual([]);
  });
});
