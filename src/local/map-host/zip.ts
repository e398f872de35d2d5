import { crc32 } from 'node:zlib';

interface Entry {
  name: Buffer;
  content: Buffer;
  checksum: number;
  /** Where its local header begins, in bytes from the start of the archive. */
  offset: number;
}

/** 1980-01-01, the first day the format knows: the same files always give the same bytes. */
const DOS_DATE = 0x0021;
/** 2.0, the version that introduced folders and the one every reader takes. */
const VERSION_NEEDED = 20;
/** General purpose bit 11: names are UTF-8. */
const UTF8_NAMES = 0x0800;

/**
 * A zip archive with the files stored uncompressed (PKWARE APPNOTE 4.3: local headers, central directory,
 * end record; no Zip64, so 4 GiB and 65,535 files at most).
 */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const entries: Entry[] = [];
  let offset = 0;
  for (const [path, file] of Object.entries(files)) {
    const content = typeof file === 'string' ? Buffer.from(file) : file;
    const entry = { name: Buffer.from(path), content, checksum: crc32(content), offset };
    const header = localHeader(entry);
    parts.push(header, content);
    entries.push(entry);
    offset += header.length + content.length;
  }
  const directory = Buffer.concat(entries.map(directoryHeader));
  return Buffer.concat([...parts, directory, endRecord(entries.length, directory.length, offset)]);
}

function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  writeCommonFields(header, 4, entry);
  return Buffer.concat([header, entry.name]);
}

function directoryHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.write('PK\x01\x02', 'latin1');
  header.writeUInt16LE(VERSION_NEEDED, 4);
  writeCommonFields(header, 6, entry);
  header.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([header, entry.name]);
}

/** The 26 bytes that the local header and the one in the directory have in common. */
function writeCommonFields(header: Buffer, at: number, entry: Entry): void {
  header.writeUInt16LE(VERSION_NEEDED, at);
  header.writeUInt16LE(UTF8_NAMES, at + 2);
  header.writeUInt16LE(DOS_DATE, at + 8);
  header.writeUInt32LE(entry.checksum, at + 10);
  header.writeUInt32LE(entry.content.length, at + 14);
  header.writeUInt32LE(entry.content.length, at + 18);
  header.writeUInt16LE(entry.name.length, at + 22);
}

function endRecord(count: number, directoryBytes: number, directoryOffset: number): Buffer {
  const record = Buffer.alloc(22);
  record.write('PK\x05\x06', 'latin1');
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(directoryBytes, 12);
  record.writeUInt32LE(directoryOffset, 16);
  return record;
}
