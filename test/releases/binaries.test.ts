import { expect, test } from 'vitest';
import { FormatCheck } from '../../src/domains/releases/binaries.ts';
import { binaryOf } from '../harness/releases.ts';

/** The format of a file that passes in chunks of this size, and whether it was refused before its end. */
function formatOf(bytes: Uint8Array, chunkBytes: number): { format: string | null; isRefusedEarly: boolean } {
  const check = new FormatCheck();
  for (let at = 0; at < bytes.length; at += chunkBytes)
    if (!check.write(bytes.subarray(at, at + chunkBytes))) return { format: null, isRefusedEarly: true };
  return { format: check.end(), isRefusedEarly: false };
}

/** Sizes of the chunks of a file: a large file does not pass byte by byte, which would take long. */
const chunksOf = ({ length }: Uint8Array): number[] =>
  [1, 7, 63, 64, 65, 1000, 100_000].filter((bytes) => bytes >= length / 5000);
const changed = (bytes: Uint8Array, change: (bytes: Buffer) => void): Uint8Array => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};
const withPeAt = (offset: number, size: number): Uint8Array =>
  changed(binaryOf(size), (bytes) => {
    bytes.fill(1, 64);
    bytes.writeUInt32LE(offset, 0x3c);
    if (offset + 4 <= size) bytes.write('PE\0\0', offset, 'latin1');
  });
const zipWithComment = (comment: string, { size = 3000, trailing = '' } = {}): Uint8Array => {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(size), end, Buffer.from(comment + trailing)]);
};

test.each([
  ['a PE file', binaryOf(3000, 'dll'), 'dll'],
  ['a PE file whose header lies late', withPeAt(2900, 3000), 'dll'],
  ['a PE file whose header is its end', withPeAt(2996, 3000), 'dll'],
  ['an ELF file', binaryOf(3000, 'so'), 'so'],
  ['an ELF file of 16 bytes', binaryOf(68, 'so').subarray(0, 16), 'so'],
  ['a zip file', binaryOf(3000, 'zip'), 'zip'],
  ['a zip file with a comment', zipWithComment('made by a build'), 'zip'],
  ['a zip file with the longest comment', zipWithComment('c'.repeat(65_535), { size: 70_000 }), 'zip'],
])('%s is recognised in chunks of any size', (_what, bytes, format) => {
  for (const chunk of chunksOf(bytes))
    expect(formatOf(bytes, chunk)).toEqual({ format, isRefusedEarly: false });
});

test.each([
  ['nothing', new Uint8Array()],
  ['MZ alone', Buffer.from('MZ')],
  ['MZ and random bytes', changed(binaryOf(3000), (bytes) => bytes.write('none', 64))],
  ['a PE header beyond the end', withPeAt(3000, 3000)],
  ['a PE header that is cut off', withPeAt(2997, 3000)],
  ['a PE file without its DOS header', binaryOf(100).subarray(0, 63)],
  ['the beginning of a zip file alone', changed(binaryOf(3000, 'zip'), (bytes) => bytes.fill(0, 2900))],
  ['a zip file that goes on after its comment', zipWithComment('comment', { trailing: 'more' })],
])('%s is refused at the end', (_what, bytes) => {
  for (const chunk of chunksOf(bytes)) expect(formatOf(bytes, chunk).format).toBeNull();
});

test.each([
  ['a page', Buffer.from('<!doctype html>'.repeat(10))],
  ['an ELF file of no class', changed(binaryOf(100, 'so'), (bytes) => bytes.writeUInt8(3, 4))],
  ['an ELF file of no byte order', changed(binaryOf(100, 'so'), (bytes) => bytes.writeUInt8(0, 5))],
  ['an ELF file of no version', changed(binaryOf(100, 'so'), (bytes) => bytes.writeUInt8(2, 6))],
])('%s is refused at its head', (_what, bytes) => {
  for (const chunk of chunksOf(bytes))
    expect(formatOf(bytes, chunk)).toEqual({ format: null, isRefusedEarly: true });
});
