/** Reused by every `add`. */
const ANSWER = { id: 0, isNew: false };

/** A set of rows of integers, known by 96 bits of digest each, and numbered in the order in which they came. */
export class Digests {
  /** How many there are. */
  size = 0;
  /** Three words of digest for each number. */
  private words = new Int32Array(3 << 16);
  /** The number at each place of the table, plus one; 0: free. */
  private table = new Int32Array(1 << 18);
  private mask = (1 << 18) - 1;

  /** The digest of the row that was looked up last. */
  private first = 0;
  private second = 0;
  private third = 0;

  /** @returns the number of the row, and whether it is new. The next call changes the same object. */
  add(row: Int32Array): { id: number; isNew: boolean } {
    this.digest(row);
    const place = this.placeOf();
    const found = this.table[place] as number;
    if (found > 0) {
      ANSWER.id = found - 1;
      ANSWER.isNew = false;
      return ANSWER;
    }
    ANSWER.id = this.insert(place);
    ANSWER.isNew = true;
    return ANSWER;
  }

  /** @returns the number of a row; -1: it is not there */
  find(row: Int32Array): number {
    this.digest(row);
    return (this.table[this.placeOf()] as number) - 1;
  }

  /** Everything that was added, to be read by {@link Digests.read}. */
  view(): Int32Array {
    return this.words.subarray(0, 3 * this.size);
  }

  /** Adds digests that were written before. */
  read(words: Int32Array): void {
    for (let at = 0; at < words.length; at += 3) {
      this.first = words[at] as number;
      this.second = words[at + 1] as number;
      this.third = words[at + 2] as number;
      this.insert(this.placeOf());
    }
  }

  private insert(place: number): number {
    const id = this.size;
    if (3 * id + 3 > this.words.length) {
      const larger = new Int32Array(this.words.length * 2);
      larger.set(this.words);
      this.words = larger;
    }
    this.words[3 * id] = this.first;
    this.words[3 * id + 1] = this.second;
    this.words[3 * id + 2] = this.third;
    this.table[place] = id + 1;
    this.size = id + 1;
    if (this.size * 2 > this.table.length) this.grow();
    return id;
  }

  /** The place of the digest in the table, or the free one where it belongs. */
  private placeOf(): number {
    const { table, words, mask, first, second, third } = this;
    for (let place = first & mask; ; place = (place + 1) & mask) {
      const found = table[place] as number;
      if (found === 0) return place;
      const at = 3 * (found - 1);
      if (words[at] === first && words[at + 1] === second && words[at + 2] === third) return place;
    }
  }

  private grow(): void {
    this.table = new Int32Array(this.table.length * 2);
    this.mask = this.table.length - 1;
    for (let id = 0; id < this.size; id++) {
      let place = (this.words[3 * id] as number) & this.mask;
      while (this.table[place] !== 0) place = (place + 1) & this.mask;
      this.table[place] = id + 1;
    }
  }

  /** Three multiplicative hashes with different constants, each mixed at the end as in MurmurHash3. */
  private digest(row: Int32Array): void {
    let a = 0x9747b28c | 0;
    let b = 0x3c6ef372 | 0;
    let c = 0x5be0cd19 | 0;
    for (let at = 0; at < row.length; at++) {
      const value = row[at] as number;
      a = Math.imul(a ^ value, 0x5bd1e995);
      a ^= a >>> 15;
      b = Math.imul(b + value, 0x27d4eb2f) ^ (b >>> 13);
      c = Math.imul(c ^ (value + (b & 0xffff)), 0x165667b1);
      c ^= c >>> 17;
    }
    this.first = mixed(a ^ row.length);
    this.second = mixed(b ^ (a >>> 7));
    this.third = mixed(c);
  }
}

function mixed(word: number): number {
  let hash = word ^ (word >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
