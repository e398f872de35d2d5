import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deal, replacementsFor, seatPlayers } from '../../src/domains/matches/deal.ts';
import { createMatch } from '../../src/domains/matches/machine.ts';
import type { Card, MatchState } from '../../src/domains/matches/state.ts';
import { Game, START, setupOf, setupPlayer } from './game.ts';

const seedOf = (number: number): string => createHash('sha256').update(`seed ${number}`).digest('hex');
const maps = (cards: readonly Card[]): string[] => cards.map((card) => card.map.mapGuid);

describe('the deal', () => {
  test('follows from the seed alone, and another seed deals otherwise', () => {
    const one = createMatch(setupOf({ seed: seedOf(1) }), START);
    expect(createMatch(setupOf({ seed: seedOf(1) }), START)).toEqual(one);
    const two = createMatch(setupOf({ seed: seedOf(2) }), START);
    expect(maps(two.seats.red.hand)).not.toEqual(maps(one.seats.red.hand));
  });

  test('shows the SHA-256 of the seed’s bytes', () => {
    const seed = seedOf(1);
    const { seedHash } = createMatch(setupOf({ seed }), START);
    expect(seedHash).toBe(createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex'));
  });

  test('gives every map of the pool the same chance of every place', () => {
    const places = 10;
    const runs = 2000;
    const seen = new Map<string, number>();
    for (let run = 0; run < runs; run++) {
      const { red, blue } = deal(setupOf({ poolSize: places, seed: seedOf(run) }));
      [...red, ...blue].forEach(({ map }, place) => {
        const key = `${map.key} at ${place}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      });
    }
    // Chi-squared over 100 cells with 81 degrees of freedom: beyond 140 once in more than 20,000 tries.
    const mean = runs / places;
    const counts = Array.from({ length: 100 }, (_, cell) => {
      const key = `${(cell % 10).toString(16)} at ${Math.floor(cell / 10)}`;
      return seen.get(key) ?? 0;
    });
    const chiSquared = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
    expect(chiSquared).toBeLessThan(140);
  });

  test('names cards by version 8 UUIDs that are those of no map, no other card and no other match', () => {
    const guids = [seedOf(1), seedOf(2)].flatMap((seed) => {
      const { red, blue, reserve } = deal(setupOf({ seed, poolSize: 40, maxDiscards: 5 }));
      return [...red, ...blue, ...reserve].map((card) => card.cardGuid);
    });
    expect(new Set(guids).size).toBe(40);
    for (const guid of guids)
      expect(guid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('keeps of a pool of 500 only the cards that can be drawn', () => {
    expect(createMatch(setupOf({ poolSize: 500, maxDiscards: 2 }), START).reserve).toHaveLength(4);
    expect(createMatch(setupOf({ poolSize: 500, maxDiscards: 5 }), START).reserve).toHaveLength(10);
  });

  test('is refused with a pool of nine', () => {
    expect(() => createMatch(setupOf({ poolSize: 9 }), START)).toThrow(RangeError);
  });
});

test('a deal agrees with deals computed in another language from the text of the rules', () => {
  const keys = (cards: readonly { map: { key: string } }[]) =>
    cards.map(({ map }) => Number.parseInt(map.key, 16));
  const dealt = (seed: string, poolSize: number) => {
    const { red, blue } = deal(setupOf({ seed, poolSize }));
    return [...keys(red), ...keys(blue)];
  };
  expect(dealt('07'.repeat(32), 13)).toEqual([10, 8, 2, 7, 11, 9, 3, 12, 1, 6]);
  expect(dealt('07'.repeat(32), 40)).toEqual([9, 28, 34, 29, 30, 27, 32, 37, 12, 19]);
  expect(dealt('2a'.repeat(32), 40)).toEqual([12, 8, 22, 30, 0, 34, 11, 29, 2, 17]);
});

describe('red', () => {
  test('has the lower rating, in any order of the players', () => {
    const setup = setupOf();
    const [a, b] = setup.players;
    expect(b.rating).toBeLessThan(a.rating);
    expect(seatPlayers(setup)).toEqual({ red: b, blue: a });
    expect(seatPlayers({ ...setup, players: [b, a] })).toEqual({ red: b, blue: a });
  });

  test('is drawn by the seed of equal ratings, in any order of the players', () => {
    const guid = (last: string) => `09a70000-0000-7000-8000-00000000000${last}`;
    const a = setupPlayer(1000, { playerGuid: guid('9') });
    const b = setupPlayer(1000, { playerGuid: guid('a') });
    const drawn = Array.from({ length: 200 }, (_, run) => {
      const setup = setupOf({ seed: seedOf(run) });
      const seats = seatPlayers({ ...setup, players: [a, b] });
      expect(seatPlayers({ ...setup, players: [b, a] })).toEqual(seats);
      return seats.red.playerGuid;
    });
    const share = drawn.filter((red) => red === a.playerGuid).length / drawn.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
  });
});

describe('discarding', () => {
  test('puts new maps in the place of the given ones and leaves the others where they are', () => {
    const game = new Game().toDiscards();
    const before = game.red.hand;
    const spare = game.state.reserve;
    game.red.discards(3, 1);
    expect(game.red.hand).toEqual([before[0], spare[0], before[2], spare[1], before[4]]);
    expect(game.state.reserve).toEqual(spare.slice(2));
    expect(game.last.cause).toEqual({ type: 'discarded', seat: 'red' });
  });

  test('gives the same cards for any order of the discarded ones', () => {
    const one = new Game().toDiscards();
    one.red.discards(0, 4);
    const two = new Game().toDiscards();
    two.red.discards(4, 0);
    expect(two.state).toEqual(one.state);
  });

  test('of no card counts as an answer', () => {
    const game = new Game().toDiscards();
    const before = game.red.hand;
    expect(game.red.discards()).toBe('changed');
    expect(game.red.hand).toEqual(before);
    expect(game.red.discards()).toBe('unchanged');
  });

  test('never brings back a map that was in the own hand', () => {
    for (const poolSize of [10, 12, 15, 20, 500]) {
      const game = new Game({ poolSize, maxDiscards: 5 }).toDiscards();
      for (const player of [game.blue, game.red]) {
        const seen = maps(player.hand);
        player.discards(0, 1, 2, 3, 4);
        expect(maps(player.hand).filter((map) => seen.includes(map))).toEqual([]);
        expect(new Set(maps(player.hand)).size).toBe(5);
      }
    }
  });

  test('skips a map that the other player drew after it left the own hand', () => {
    const game = new Game({ poolSize: 10, maxDiscards: 5 }).toDiscards();
    const blues = maps(game.blue.hand);
    const reds = maps(game.red.hand);
    game.red.discards(0);
    expect(maps(game.red.hand)).toEqual([blues[0], ...reds.slice(1)]);
    game.blue.discards(0, 1, 2, 3, 4);
    expect(maps(game.blue.hand)).toEqual(reds);
  });

  test('takes maps in neither hand first, then what the other gave up, then what the other holds', () => {
    const game = new Game({ poolSize: 12, maxDiscards: 5 }).toDiscards();
    const { red, blue } = game;
    const reserve = maps(game.state.reserve);
    const [, ...redsOwn] = maps(red.hand);
    const given = maps(red.hand).slice(0, 1);
    red.discards(0);
    blue.discards(0, 1, 2, 3, 4);
    // One map of the reserve went to red, the other and what red gave up to blue, the rest is red's too.
    expect(maps(red.hand)).toEqual([reserve[0], ...redsOwn]);
    expect(maps(blue.hand)).toEqual([reserve[1], ...given, reserve[0], ...redsOwn.slice(0, 2)]);
  });

  test('makes a new card of a map that the other holds or held', () => {
    const game = new Game({ poolSize: 10, maxDiscards: 5 }).toDiscards();
    const reds = game.red.hand;
    game.blue.discards(0, 1, 2, 3, 4);
    expect(maps(game.blue.hand)).toEqual(maps(reds));
    for (const { cardGuid } of game.blue.hand)
      expect(reds.map((card) => card.cardGuid)).not.toContain(cardGuid);
  });

  test.each([0, 1, 2, 3, 4, 5])(
    'of %i cards each is possible in the smallest pool, in either order',
    (count) => {
      const places = [0, 1, 2, 3, 4].slice(0, count);
      for (const first of ['red', 'blue'] as const) {
        const game = new Game({ poolSize: 10, maxDiscards: 5 }).toDiscards();
        const [one, two] = first === 'red' ? [game.red, game.blue] : [game.blue, game.red];
        expect(one.discards(...places)).toBe('changed');
        expect(two.discards(...places)).toBe('changed');
        // The second gives up the maps that the first took from its hand, so the hands are apart again.
        expect(new Set([...maps(one.hand), ...maps(two.hand)]).size).toBe(10);
      }
    },
  );

  test('is refused, and nothing changes, when there are not enough new maps', () => {
    const game = new Game({ poolSize: 10, maxDiscards: 5 }).toDiscards();
    // No pool of ten gets there; a hand of the other that has shrunk stands in for a smaller one.
    const short: MatchState = structuredClone(game.state);
    short.seats.blue.hand = short.seats.blue.hand.slice(0, 2);
    expect(replacementsFor(short, 'red', 2)).toHaveLength(2);
    expect(replacementsFor(short, 'red', 3)).toBeNull();
    game.state = short;
    expect(game.red.discards(0, 1, 2)).toBe('NO_REPLACEMENT_AVAILABLE');
    expect(game.state).toBe(short);
    expect(game.red.discards(0, 1)).toBe('changed');
  });

  test('refuses too many cards, a card twice, and a card of the opponent, and changes nothing', () => {
    const game = new Game({ maxDiscards: 2 }).toDiscards();
    const { red, blue } = game;
    expect(red.discards(0, 1, 2)).toBe('TOO_MANY_DISCARDS');
    expect(red.discards(1, 1)).toBe('DUPLICATE_CARD');
    expect(red.discardsCards([red.card(0), blue.card(0)])).toBe('CARD_NOT_IN_HAND');
    expect(red.discards(0, 1)).toBe('changed');
  });

  test('is done once: the same again is a repeat, another set is refused, also later', () => {
    const game = new Game().toDiscards();
    const [a, b] = [game.red.card(0), game.red.card(1)];
    game.red.discardsCards([a, b]);
    game.blue.discards();
    expect(game.status).toBe('awaiting_pick');
    expect(game.red.discardsCards([b, a])).toBe('unchanged');
    expect(game.red.discardsCards([a])).toBe('DISCARD_ALREADY_DONE');
    expect(game.red.discardsCards([])).toBe('DISCARD_ALREADY_DONE');
    game.red.forfeits();
    expect(game.red.discardsCards([a, b])).toBe('unchanged');
    expect(game.red.discardsCards([a])).toBe('DISCARD_ALREADY_DONE');
  });

  test('leaves the hand as it is when the limit passes first', () => {
    const game = new Game().toDiscards();
    const before = game.red.hand;
    game.blue.discards(0);
    game.wait(60_000);
    expect(game.status).toBe('awaiting_pick');
    expect(game.red.hand).toEqual(before);
    expect(game.red.discards(0)).toBe('WRONG_PHASE');
  });
});
