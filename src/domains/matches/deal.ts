import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  type Card,
  type MatchMap,
  type MatchSetup,
  type MatchState,
  other,
  type SeatName,
  type SetupPlayer,
} from './state.ts';

/**
 * Everything random in a match is derived from its seed, so that anybody with the seed and the pool can repeat
 * the deal. Neither `seedHash` nor the guid of a card gives anything of it away. Browsers repeat it, too: the hash is
 * computed without Node, and without waiting.
 */

const HAND_SIZE = 5;

/** SHA-256 in counter mode: block `counter` of the bytes that belong to `label`. */
function block(seed: string, label: string, counter: number): DataView {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, counter);
  const hash = sha256(concatBytes(hexToBytes(seed), utf8ToBytes(label), number));
  return new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
}

/** SHA-256 of the seed's bytes, hexadecimal. */
export const hashSeed = (seed: string): string => bytesToHex(sha256(hexToBytes(seed)));

/** A source of integers from 0 to `below` − 1, each equally likely. */
function integersFrom(seed: string, label: string): (below: number) => number {
  let counter = 0;
  let bytes = block(seed, label, counter);
  let offset = 0;
  const next = (): number => {
    if (offset === bytes.byteLength) {
      counter += 1;
      bytes = block(seed, label, counter);
      offset = 0;
    }
    const value = bytes.getUint32(offset);
    offset += 4;
    return value;
  };
  return (below) => {
    // The last, incomplete run of `below` values is skipped: it would make the small ones likelier.
    const fair = 2 ** 32 - (2 ** 32 % below);
    let value = next();
    while (value >= fair) value = next();
    return value % below;
  };
}

/** Fisher–Yates, with the seed's own stream of integers. */
function shuffled<T>(items: readonly T[], seed: string): T[] {
  const below = integersFrom(seed, 'deck');
  const deck = [...items];
  for (let last = deck.length - 1; last > 0; last--) {
    const chosen = below(last + 1);
    [deck[last], deck[chosen]] = [deck[chosen] as T, deck[last] as T];
  }
  return deck;
}

/** A card's guid: UUID version 8 (RFC 9562, 5.8) from the seed, so it tells neither the seed nor the map. */
function cardGuid(seed: string, label: string, index: number): string {
  const bytes = block(seed, label, index);
  bytes.setUint8(6, (bytes.getUint8(6) & 0x0f) | 0x80);
  bytes.setUint8(8, (bytes.getUint8(8) & 0x3f) | 0x80);
  const hex = bytesToHex(new Uint8Array(bytes.buffer, bytes.byteOffset, 16));
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Red has the lower rating; of equal ones the seed draws red. The order of the players does not matter. */
export function seatPlayers({ players, seed }: MatchSetup): { red: SetupPlayer; blue: SetupPlayer } {
  const [first, second] = players.toSorted(
    (a, b) => a.rating - b.rating || byCodeUnits(a.playerGuid, b.playerGuid),
  ) as [SetupPlayer, SetupPlayer];
  const isSecondRed = first.rating === second.rating && integersFrom(seed, 'red')(2) === 1;
  return isSecondRed ? { red: second, blue: first } : { red: first, blue: second };
}

/** The identity of a map in every database: our own guids differ between them. */
const identityOf = ({ hash, characteristic, difficulty }: MatchMap): string =>
  [hash, characteristic, difficulty].join(' ');

/**
 * Ten distinct maps, five to each seat, and the reserve that may replace them. The pool is sorted first, so that
 * the deal does not depend on the order in which it was read.
 * @throws RangeError with fewer than ten maps; a queue opens only with ten or more
 */
export function deal({ pool, seed, maxDiscards }: MatchSetup): Record<SeatName | 'reserve', Card[]> {
  if (pool.length < 2 * HAND_SIZE) throw new RangeError(`A pool of ${pool.length} maps cannot be dealt.`);
  const sorted = pool.toSorted((a, b) => byCodeUnits(identityOf(a), identityOf(b)));
  // Each seat discards once and at most `maxDiscards`: nothing behind these can ever be drawn, and what
  // is not in the state need not be stored with every change.
  const deck = shuffled(sorted, seed)
    .slice(0, 2 * HAND_SIZE + 2 * maxDiscards)
    .map((map, index): Card => ({ cardGuid: cardGuid(seed, 'card', index), map }));
  return {
    red: deck.slice(0, HAND_SIZE),
    blue: deck.slice(HAND_SIZE, 2 * HAND_SIZE),
    reserve: deck.slice(2 * HAND_SIZE),
  };
}

/** The seats and cards at the beginning of a match, as its log shows them. @throws RangeError like {@link deal} */
export function dealtFrom(setup: MatchSetup) {
  const players = seatPlayers(setup);
  const { red, blue, reserve } = deal(setup);
  return {
    red: { playerGuid: players.red.playerGuid, hand: red },
    blue: { playerGuid: players.blue.playerGuid, hand: blue },
    reserve,
  };
}

const holds = (cards: readonly Card[], { mapGuid }: MatchMap): boolean =>
  cards.some((card) => card.map.mapGuid === mapGuid);

/**
 * The replacements for `count` cards of a seat that has not discarded yet, best first:
 * 1. maps that were in no hand,
 * 2. maps in neither hand: the other gave them up and this seat never saw them,
 * 3. maps in the other's hand, as cards of their own: both hold them then.
 * @returns null when there are not enough; the reserve is left as it is either way.
 */
export function replacementsFor(match: MatchState, seat: SeatName, count: number): Card[] | null {
  const { hand } = match.seats[seat];
  const opponent = match.seats[other(seat)];
  const maps = [...match.reserve, ...(opponent.discarded ?? []), ...opponent.hand]
    .filter(({ map }) => !holds(hand, map))
    .slice(0, count);
  if (maps.length < count) return null;
  // A map that was in a hand comes back as a new card, because the other player knows the old guid.
  return maps.map((card, index) =>
    match.reserve.includes(card)
      ? card
      : { cardGuid: cardGuid(match.seed, `again ${seat}`, index), map: card.map },
  );
}
