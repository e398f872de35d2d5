import { describe, expect, test } from 'vitest';
import { toClient, toServer } from '../../src/domains/matches/events.ts';
import { matchView, publicMatch } from '../../src/domains/matches/schemas.ts';
import { causeFor, publicView, resultFor, viewFor } from '../../src/domains/matches/view.ts';
import { isoTime } from '../../src/platform/clock.ts';
import { valuesIn } from '../harness/values.ts';
import { extras, Game, SECOND, START } from './game.ts';

const ratings = { red: { before: 990, after: 1003 }, blue: { before: 1010, after: 997 } };

describe('the view of a player', () => {
  test('while joining hides the opponent and the hands', () => {
    const game = new Game({ blue: { provisional: true } });
    game.blue.joins();
    const view = viewFor(game.state, 'red', game.now, extras());
    expect(view).toMatchObject({
      status: 'waiting_players',
      version: 2,
      roundNumber: 0,
      pickerGuid: null,
      currentMap: null,
      deadlineAt: isoTime(START + 30_000),
      remainingMs: 30_000,
      you: { player: { username: 'Ruby' }, rating: 990, hand: null, handSize: 5 },
      opponent: { player: null, rating: null, provisional: false, hand: null },
      result: null,
    });
    expect(causeFor(game.state, 'red', game.last.cause)).toEqual({ type: 'playerJoined', playerGuid: null });
    expect(causeFor(game.state, 'blue', game.last.cause).playerGuid).toBe(game.blue.seat.playerGuid);
  });

  test('shows the earlier of two limits while one download has failed and the other player is ready', () => {
    const game = new Game().toPreparing();
    game.red.says('failed');
    expect(viewFor(game.state, 'red', game.now, extras()).remainingMs).toBe(120_000);
    game.blue.isReady();
    for (const seat of ['red', 'blue'] as const) {
      const { deadlineAt, remainingMs } = viewFor(game.state, seat, game.now, extras());
      expect([deadlineAt, remainingMs]).toEqual([isoTime(game.now + 20_000), 20_000]);
    }
    game.red.says('downloading');
    expect(viewFor(game.state, 'red', game.now, extras()).remainingMs).toBe(120_000);
  });

  test('after joining shows the opponent and the own hand, never the other hand', () => {
    const game = new Game().toDiscards();
    game.blue.discards(0);
    const view = viewFor(game.state, 'red', game.now, extras());
    expect(view.you.hand).toEqual(
      game.red.hand.map(({ cardGuid, map }) => ({ cardGuid, map: { ...map, stale: false } })),
    );
    expect(view.opponent).toEqual({
      player: {
        playerGuid: game.blue.seat.playerGuid,
        platformId: '76000000001010',
        username: 'Blake',
        avatarUrl: null,
      },
      rating: 1010,
      provisional: false,
      health: 1,
      presence: 'present',
      awayDeadlineAt: null,
      discarded: true,
      ready: null,
      progress: null,
      scoreSubmitted: false,
      hand: null,
      handSize: 5,
    });
    expect(view.you.discarded).toBe(false);
    expect(causeFor(game.state, 'red', game.last.cause).playerGuid).toBe(game.blue.seat.playerGuid);
  });

  test('has exactly the members of the contract in every phase', () => {
    const keys =
      'matchGuid,queueGuid,version,status,time,deadlineAt,remainingMs,roundNumber,pickerGuid,you,opponent,seedHash,rated,currentMap,startsAt,startsInMs,rounds,result';
    for (const game of [new Game(), new Game().toPlaying(), new Game().toResults(1, 0)]) {
      if (game.status === 'round_results') game.wait(6 * SECOND);
      const view = viewFor(game.state, 'blue', game.now, extras({ ratings: game.result ? ratings : null }));
      expect(Object.keys(view).join()).toBe(keys);
      expect(matchView.parse(view)).toEqual(view);
      expect(JSON.stringify(view)).not.toContain(game.state.seed);
    }
  });

  test('counts down to the start of the map, and says 0 once it has started', () => {
    const game = new Game().toCountdown();
    const { startsAt } = game.state;
    game.wait(2 * SECOND);
    expect(viewFor(game.state, 'red', game.now, extras())).toMatchObject({
      status: 'preparing',
      startsAt: isoTime(startsAt ?? 0),
      startsInMs: 3000,
      remainingMs: 3000,
    });
    game.wait(10 * SECOND);
    expect(viewFor(game.state, 'red', game.now, extras())).toMatchObject({
      status: 'playing',
      startsAt: isoTime(startsAt ?? 0),
      startsInMs: 0,
      currentMap: game.map,
    });
  });

  test('never shows a negative remaining time when a limit is late', () => {
    const game = new Game();
    expect(viewFor(game.state, 'red', game.now + 31_000, extras()).remainingMs).toBe(0);
  });

  test('shows of a single score only that it was submitted', () => {
    const game = new Game().toPlaying();
    game.wait(100 * SECOND);
    game.blue.scores(0.912_345);
    const view = viewFor(game.state, 'red', game.now, extras());
    expect(view.opponent.scoreSubmitted).toBe(true);
    expect(view.you.scoreSubmitted).toBe(false);
    expect(view.rounds).toEqual([]);
    const told = valuesIn(view);
    for (const number of [0.912_345, 912_345]) expect(told).not.toContain(number);
  });

  test('shows a finished round completely', () => {
    const game = new Game().toPlaying();
    game.wait(100 * SECOND);
    game.blue.scores(0.75);
    game.wait(80 * SECOND);
    const { red, blue } = game;
    const replays = [{ roundNumber: 1, playerGuid: blue.seat.playerGuid, verdict: 'verified' as const }];
    expect(viewFor(game.state, 'red', game.now, extras({ replays })).rounds).toEqual([
      {
        roundNumber: 1,
        pickerGuid: red.seat.playerGuid,
        map: { ...game.map, stale: false },
        scores: [
          {
            playerGuid: red.seat.playerGuid,
            rawScore: null,
            modifiedScore: null,
            accuracy: 0,
            submitted: false,
            failed: false,
            replay: 'missing',
          },
          {
            playerGuid: blue.seat.playerGuid,
            rawScore: 750_000,
            modifiedScore: 750_000,
            accuracy: 0.75,
            submitted: true,
            failed: false,
            replay: 'verified',
          },
        ],
        winnerGuid: blue.seat.playerGuid,
        damage: 0.75,
        multiplier: 1,
        void: false,
      },
    ]);
  });

  test('shows the end of the grace of an away opponent while the match runs', () => {
    const game = new Game().toPreparing();
    game.blue.goes();
    const away = viewFor(game.state, 'red', game.now, extras()).opponent;
    expect(away).toMatchObject({ presence: 'away', awayDeadlineAt: isoTime(game.now + 60_000) });
    game.red.forfeits();
    const ended = viewFor(game.state, 'red', game.now, extras({ ratings })).opponent;
    expect(ended).toMatchObject({ presence: 'away', awayDeadlineAt: null });
  });

  test('shows the result from the own side', () => {
    const game = new Game().toResults(1, 0);
    expect(resultFor(game.state, 'red', null)).toBeNull();
    game.wait(6 * SECOND);
    const winnerGuid = game.red.seat.playerGuid;
    expect(viewFor(game.state, 'red', game.now, extras({ ratings })).result).toEqual({
      outcome: 'win',
      reason: 'health',
      winnerGuid,
      ratingBefore: 990,
      ratingAfter: 1003,
    });
    expect(viewFor(game.state, 'blue', game.now, extras({ ratings })).result).toEqual({
      outcome: 'loss',
      reason: 'health',
      winnerGuid,
      ratingBefore: 1010,
      ratingAfter: 997,
    });
    expect(viewFor(game.state, 'blue', game.now, extras({ ratings }))).toMatchObject({
      deadlineAt: null,
      remainingMs: null,
      startsAt: null,
      currentMap: null,
    });
  });

  test('shows an unchanged rating after no contest', () => {
    const game = new Game();
    game.wait(30 * SECOND);
    expect(resultFor(game.state, 'blue', null)).toEqual({
      outcome: 'no_contest',
      reason: 'not_joined',
      winnerGuid: null,
      ratingBefore: 1010,
      ratingAfter: 1010,
    });
  });
});

describe('the display data of a match', () => {
  const named = (username: string) => ({ platformId: '7', username, avatarUrl: 'https://example.com/a.png' });

  test('has the current name of a player, and none of a player who was erased', () => {
    const game = new Game().toDiscards();
    const [red, blue] = [game.red.seat.playerGuid, game.blue.seat.playerGuid];
    const renamed = extras({ display: { players: new Map([[red, named('Rubina')]]), staleMaps: new Set() } });
    const view = viewFor(game.state, 'blue', game.now, renamed);
    expect(view.opponent.player).toEqual({ playerGuid: red, ...named('Rubina') });
    expect(view.you.player).toEqual({
      playerGuid: blue,
      platformId: '0',
      username: 'Erased player',
      avatarUrl: null,
    });
    expect(publicView(game.state, renamed).players.map(({ username }) => username)).toEqual([
      'Rubina',
      'Erased player',
    ]);
    expect(JSON.stringify(game.state)).not.toMatch(/username|avatarUrl|platformId|stale/);
  });

  test('says that a map has a newer upload, wherever it is shown', () => {
    const game = new Game().toResults();
    const staleMaps = new Set([game.map.mapGuid, ...game.red.hand.slice(0, 1).map(({ map }) => map.mapGuid)]);
    const shown = (stale: ReadonlySet<string>) => {
      const about = extras({ display: { players: new Map(), staleMaps: stale } });
      const { currentMap, rounds, you } = viewFor(game.state, 'red', game.now, about);
      return [currentMap, rounds[0]?.map, ...(you.hand ?? []).map(({ map }) => map)].map((map) => map?.stale);
    };
    expect(shown(staleMaps)).toEqual([true, true, true, false, false, false]);
    expect(shown(new Set())).toEqual([false, false, false, false, false, false]);
  });

  test('has the progress of a seat that reports a download', () => {
    const game = new Game().toPreparing();
    game.red.says('downloading');
    const [red, blue] = [game.red.seat.playerGuid, game.blue.seat.playerGuid];
    const progress = new Map([
      [red, 0.25],
      [blue, 0.5],
    ]);
    const view = viewFor(game.state, 'blue', game.now, extras({ progress }));
    expect([view.opponent.progress, view.you.progress]).toEqual([0.25, null]);
    expect(viewFor(game.state, 'blue', game.now, extras()).opponent.progress).toBeNull();
  });
});

describe('the public view', () => {
  test('hides the players while a match is being joined: a player could read it', () => {
    const game = new Game();
    const shown = publicView(game.state, extras());
    expect(shown.players).toEqual([]);
    expect(JSON.stringify(shown)).not.toContain(game.blue.seat.playerGuid);
  });

  test('of a running match has no hand and no seed', () => {
    const game = new Game().toPreparing();
    const shown = publicView(game.state, extras());
    expect(publicMatch.parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      status: 'preparing',
      players: [{ username: 'Ruby' }, { username: 'Blake' }],
      rounds: [],
      result: null,
      seed: null,
      seedHash: game.state.seedHash,
      startedAt: isoTime(START),
      endedAt: null,
    });
    for (const { map } of [...game.red.hand, ...game.blue.hand])
      expect(JSON.stringify(shown)).not.toContain(map.mapGuid);
  });

  test('of a running match shows where it is, with cards as a number', () => {
    const game = new Game().toPreparing();
    game.red.says('downloading');
    const { playerGuid } = game.red.seat;
    const shown = publicView(game.state, extras({ progress: new Map([[playerGuid, 0.25]]) }));
    expect(shown).toMatchObject({ queueName: 'Ranked', seasonName: 'Spring', poolName: 'Tech', rated: true });
    expect(shown.version).toBe(game.state.version);
    expect(shown.live).toMatchObject({
      status: 'preparing',
      roundNumber: 1,
      pickerGuid: playerGuid,
      currentMap: { mapGuid: game.map.mapGuid, stale: false },
      deadlineAt: isoTime(game.state.deadlineAt as number),
      startsAt: null,
    });
    expect(shown.live?.seats[0]).toEqual({
      playerGuid,
      rating: 990,
      provisional: game.red.seat.provisional,
      health: 1,
      presence: 'present',
      awayDeadlineAt: null,
      handSize: 4,
      discarded: true,
      ready: 'downloading',
      progress: 0.25,
      scoreSubmitted: false,
    });
    expect(publicView(new Game().state, extras()).live).toMatchObject({ roundNumber: 0, seats: [] });
  });

  test('of an ended match has the seed and both ratings', () => {
    const game = new Game().toResults(1, 0);
    game.wait(6 * SECOND);
    expect(publicView(game.state, extras({ ratings }))).toMatchObject({
      status: 'completed',
      seed: game.state.seed,
      endedAt: isoTime(game.now),
      live: null,
      result: {
        outcome: 'decided',
        reason: 'health',
        winnerGuid: game.red.seat.playerGuid,
        ratings: [
          { playerGuid: game.red.seat.playerGuid, before: 990, after: 1003 },
          { playerGuid: game.blue.seat.playerGuid, before: 1010, after: 997 },
        ],
      },
    });
  });
});

describe('the messages', () => {
  const { matchGuid } = new Game().state;
  const score = {
    matchGuid,
    roundNumber: 1,
    rawScore: 1,
    modifiedScore: 1,
    missCount: 0,
    badCutCount: 0,
    fullCombo: false,
    noFailTriggered: false,
    failed: false,
  };

  test('refuse unknown members, and ids that are none', () => {
    for (const { payload } of Object.values(toServer))
      expect(payload.safeParse({ matchGuid, extra: 1 }).success).toBe(false);
    expect(toServer.joinMatch.payload.safeParse({ matchGuid: '1' }).success).toBe(false);
    expect(toServer.joinMatch.payload.safeParse({ matchGuid }).success).toBe(true);
  });

  test('accept input that the rules refuse with a better code', () => {
    const parses = (about: object) => toServer.submitScore.payload.safeParse({ ...score, ...about }).success;
    expect(parses({ rawScore: -1 })).toBe(true);
    expect(parses({ rawScore: 99_999_999 })).toBe(true);
    expect(parses({ rawScore: 1.5 })).toBe(false);
    expect(parses({ rawScore: 2 ** 60 })).toBe(false);
    expect(parses({ missCount: -1 })).toBe(false);
    const cards = (count: number) => ({
      matchGuid,
      cardGuids: Array.from({ length: count }, () => matchGuid),
    });
    expect(toServer.discardMaps.payload.safeParse(cards(50)).success).toBe(true);
    expect(toServer.discardMaps.payload.safeParse(cards(51)).success).toBe(false);
  });

  test('take progress or no progress', () => {
    const ready = { matchGuid, roundNumber: 1, state: 'downloading' };
    for (const progress of [undefined, null, 0, 0.5, 1])
      expect(toServer.setReady.payload.safeParse({ ...ready, progress }).success).toBe(true);
    for (const progress of [-0.1, 1.1, '0.5'])
      expect(toServer.setReady.payload.safeParse({ ...ready, progress }).success).toBe(false);
  });

  test('carry an update that fits its own schema', () => {
    const game = new Game().toResults();
    const update = {
      match: viewFor(game.state, 'red', game.now, extras()),
      cause: causeFor(game.state, 'red', game.last.cause),
    };
    expect(toClient.matchUpdated.payload.parse(update)).toEqual(update);
  });
});
