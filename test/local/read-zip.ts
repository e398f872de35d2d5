import { crc32 } from 'node:zlib';

/**
 * The files of an archive of stored entries, found through its central directory as every reader does.
 * @throws Error when a signature, a method or a checksum is not what it must be.
 */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.length - 22;
  const expectSignature = (at: number, signature: string) => {
    if (archive.toString('latin1', at, at + 4) !== signature)
      throw new Error(`No ${signature} at byte ${at}.`);
  };
  expectSignature(end, 'PK\x05\x06');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    expectSignature(at, 'PK\x01\x02');
    if (archive.readUInt16LE(at + 10) !== 0) throw new Error('The entry is compressed.');
    const size = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    expectSignature(local, 'PK\x03\x04');
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(start, start + size);
    if (crc32(content) !== archive.readUInt32LE(at + 16))
      throw new Error(`The checksum of ${name} is wrong.`);
    files.set(name, content);
    at += 46 + nameLength;
  }
  return files;
}
