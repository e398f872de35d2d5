import type { z } from 'zod';
import type { connectionEvents } from '../../src/domains/connections/index.ts';
import type { MatchView } from '../../src/local/bot.ts';

/** Payloads as a server sends them, for servers that the tests write themselves. */

const guid = (last: number): string => `01981f6a-7c3e-7a10-9f43-${String(last).padStart(12, '0')}`;
const TIME = '2026-11-22T12:00:00.000Z';

const map: NonNullable<MatchView['currentMap']> = {
  mapGuid: guid(20),
  key: '350a4',
  hash: 'A'.repeat(40),
  name: 'Song',
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  categoryGuid: guid(21),
  modifiers: ['FS'],
  durationSeconds: 120,
  maxScore: 500_000,
  coverUrl: null,
  stale: false,
  addedAt: TIME,
};

const seatOf = (player: number): MatchView['you'] => ({
  player: {
    playerGuid: guid(player),
    platformId: `760000000000000${player}`,
    username: `Player ${player}`,
    avatarUrl: null,
  },
  rating: 1000,
  provisional: true,
  health: 0.75,
  presence: 'present',
  awayDeadlineAt: null,
  discarded: true,
  ready: 'downloading',
  progress: null,
  scoreSubmitted: false,
  hand: player === 1 ? [{ cardGuid: guid(30), map }] : null,
  handSize: 1,
});

/** A match while its map is downloaded. */
export const matchOf = (version: number, changes: Partial<MatchView> = {}): MatchView => ({
  matchGuid: guid(10),
  queueGuid: guid(11),
  version,
  status: 'preparing',
  time: TIME,
  deadlineAt: '2026-11-22T12:02:00.000Z',
  remainingMs: 120_000,
  roundNumber: 1,
  pickerGuid: guid(1),
  you: seatOf(1),
  opponent: seatOf(2),
  seedHash: 'b'.repeat(64),
  rated: true,
  currentMap: map,
  startsAt: null,
  startsInMs: null,
  rounds: [],
  result: null,
  ...changes,
});

type Hello = z.output<typeof connectionEvents.toServer.hello.data>;

export const helloOf = (changes: Partial<Hello> = {}): Hello => ({
  player: {
    playerGuid: guid(1),
    platformId: '7600000000000001',
    username: 'Player 1',
    avatarUrl: null,
    roles: [],
  },
  queueEntry: null,
  match: null,
  lastMatch: null,
  penalty: null,
  time: TIME,
  ...changes,
});
